/*
 * Any bytes as a checkpoint: as they are; and signed, so that the code after the checksum is
 * reached: the keys, a machine made from them, the state that is restored into it, and a run that
 * continues from there. The mutator changes little of a state at a time and leaves its length
 * alone, so that most of it is believed.
 */
#include "change.h"

#include "forged.h"

enum { MOST_NODES = 32, CYCLES = 2000 };

int fuzz_checkpoint(const uint8_t *data, size_t size)
{
    unsigned char *bytes = (unsigned char *)fuzz_text(data, size);
    if (size < FORGED_LEAST || !archive_whole(bytes, size))
        forged_resume(bytes, size, 0, 0);
    if (size >= FORGED_LEAST) {
        forged_sign(bytes, size);
        forged_resume(bytes, size, MOST_NODES, CYCLES);
    }
    free(bytes);
    return 0;
}

size_t change_checkpoint(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t random = random_key(seed, 0, RANDOM_ORDER);
    if (size < FORGED_LEAST)
        return LLVMFuzzerMutate(data, size, most);
    forged_sign(data, size);
    size_t state = forged_state(data, size), end = size - sizeof(uint64_t);
    if (random_next(&random) % 64 == 0 || !state || end - state < 64) {
        size = LLVMFuzzerMutate(data, size, most);
    } else {
        for (uint64_t changes = 1 + random_next(&random) % 3; changes; changes--)
            change(data, state, end, &random);
    }
    if (size >= FORGED_LEAST)
        forged_sign(data, size);
    return size;
}
