/* Pack_external: external32 has the most significant byte first and fixed sizes. */
#include "check.h"

static const char form[] = "external32";

static void exact_bytes(void)
{
    static const unsigned char expected[] = {
        0x01, 0x02, 0x03, 0x04,                         /* the integer */
        0x3f, 0xf8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* 1.5 as a double */
        0xff, 0xfe,                                     /* the short -2 */
        0xc0, 0x20, 0x00, 0x00,                         /* -2.5 as a float */
        'w',
    };
    int integer = 0x01020304;
    double real = 1.5;
    short small = -2;
    float single = -2.5f;
    char letter = 'w';
    unsigned char buffer[64];
    MPI_Aint position = 0;
    MPI_Pack_external(form, &integer, 1, MPI_INT, buffer, sizeof(buffer), &position);
    MPI_Pack_external(form, &real, 1, MPI_DOUBLE, buffer, sizeof(buffer), &position);
    MPI_Pack_external(form, &small, 1, MPI_SHORT, buffer, sizeof(buffer), &position);
    MPI_Pack_external(form, &single, 1, MPI_FLOAT, buffer, sizeof(buffer), &position);
    MPI_Pack_external(form, &letter, 1, MPI_CHAR, buffer, sizeof(buffer), &position);
    expect("position", sizeof(expected), position);
    for (size_t i = 0; i < sizeof(expected); i++)
        expect("byte", expected[i], buffer[i]);
}

static void there_and_back(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[20], in[20] = {0};
    MPI_Aint bytes = 0, position = 0;
    char sent[100], received[100];
    MPI_Datatype odd;
    MPI_Type_vector(10, 1, 2, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Pack_external_size(form, 1, odd, &bytes);
    expect("size", 40, bytes);
    fill(out, 20, rank);
    MPI_Pack_external(form, out, 1, odd, sent, sizeof(sent), &position);
    expect("packed bytes", 40, position);
    MPI_Sendrecv(sent, 40, MPI_BYTE, next, 0, received, 40, MPI_BYTE, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    position = 0;
    MPI_Unpack_external(form, received, 40, &position, in, 1, odd);
    expect("unpacked bytes", 40, position);
    for (int i = 0; i < 20; i++)
        expect("number", i % 2 == 0 ? pattern(last, i) : 0, in[i]);
    MPI_Type_free(&odd);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    exact_bytes();
    there_and_back();
    return finish("pack_external");
}
