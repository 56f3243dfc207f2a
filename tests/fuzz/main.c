/*
 * Chooses a target: that of the name in WEFT_FUZZ. One program for all is linked once, with
 * everything that they reach.
 */
#include "change.h"

#define FUZZ_NAME(NAME) {#NAME, fuzz_##NAME},

static const struct target {
    const char *name;
    int (*take)(const uint8_t *data, size_t size);
} targets[] = {FUZZ_TARGETS(FUZZ_NAME)};

static const struct target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("WEFT_FUZZ");
    (void)argc, (void)argv;
    for (size_t i = 0; name && i < sizeof(targets) / sizeof(targets[0]); i++)
        if (strcmp(targets[i].name, name) == 0)
            chosen = &targets[i];
    if (!chosen) {
        fprintf(stderr, "fuzz: WEFT_FUZZ names no target\n");
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen->take(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (chosen->take == fuzz_checkpoint)
        return change_checkpoint(data, size, most, seed);
    if (chosen->take == fuzz_elf)
        return change_elf(data, size, most, seed);
    return LLVMFuzzerMutate(data, size, most);
}
