/* Error classes and strings: of the predefined ones, and of those that a program adds. */
#include "check.h"

static void predefined(void)
{
    static const int classes[] = {
        MPI_SUCCESS,   MPI_ERR_BUFFER,   MPI_ERR_COUNT,     MPI_ERR_TYPE,   MPI_ERR_TAG,
        MPI_ERR_COMM,  MPI_ERR_RANK,     MPI_ERR_REQUEST,   MPI_ERR_ROOT,   MPI_ERR_GROUP,
        MPI_ERR_OP,    MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,      MPI_ERR_ARG,    MPI_ERR_TRUNCATE,
        MPI_ERR_OTHER, MPI_ERR_INTERN,   MPI_ERR_IN_STATUS, MPI_ERR_PENDING};
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int class = -1, length = -1;
        MPI_Error_class(classes[i], &class);
        expect("class of a class", classes[i], class);
        MPI_Error_string(classes[i], text, &length);
        expect("length of the text", (long long)strlen(text), length);
        expect("some text", 1, length > 0);
    }
}

static void added(void)
{
    int class = -1, code = -1, got = -1, length, *last, flag;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    expect("last used code is there", 1, flag);
    expect("last used code", 1, *last >= class && *last >= code);
    expect("new class", 1, class > 0 && class != code);
    MPI_Error_class(code, &got);
    expect("class of the new code", class, got);
    MPI_Error_string(code, text, &length);
    MPI_Add_error_string(class, "something of ours");
    MPI_Add_error_string(code, "the yarn broke");
    MPI_Error_string(code, text, &length);
    expect_text("text of the code", "the yarn broke", text);
    MPI_Error_string(class, text, &length);
    expect_text("text of the class", "something of ours", text);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect("calling the handler", MPI_SUCCESS, MPI_Comm_call_errhandler(MPI_COMM_WORLD, code));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    predefined();
    added();
    return finish("error_strings");
}
