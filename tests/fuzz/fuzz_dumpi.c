/* Any bytes as the text of the one rank of a DUMPI trace. */
#include "fuzz_dumpi.h"

int fuzz_dumpi(const uint8_t *data, size_t size)
{
    read_rank(data, size, "txt");
    return 0;
}
