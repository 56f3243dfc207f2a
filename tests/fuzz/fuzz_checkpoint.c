/* Any bytes as a checkpoint: as they are, and with a matching checksum, so that the code after the
 * check is reached too. The state itself is only read into a machine made from its own keys. */
#include "fuzz.h"

#include "config/data.h"
#include "machine/checkpoint.h"
#include "machine/machine.h"

static void parse(void *bytes, size_t size)
{
    struct checkpoint *checkpoint;
    if (checkpoint_parse("fuzz", bytes, size, &checkpoint) != WEFT_OK)
        return;
    machine_finish(&checkpoint->config);
    checkpoint_free(checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = fuzz_text(data, size);
    parse(bytes, size);
    if (size >= 28) {
        uint64_t program = data_program();
        memcpy(bytes + 12, &program, 8);
        uint64_t sum = archive_sum(bytes, size - 8);
        memcpy(bytes + size - 8, &sum, 8);
        parse(bytes, size);
    }
    free(bytes);
    return 0;
}
