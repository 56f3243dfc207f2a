/* Any bytes as a study: read in both sizes, and its first runs configured. */
#include "fuzz.h"

#include "study/study.h"

static void configure_all(const struct study *s, enum study_size size)
{
    for (size_t c = 0; c < s->curves && c < 2; c++)
        for (size_t p = 0; p < s->points && p < 2; p++) {
            struct config config;
            if (study_config(s, size, c, p, NULL, &config) == WEFT_OK)
                machine_finish(&config);
            config_fini(&config);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    int descriptor = fuzz_file(data, size, path);
    for (enum study_size of = STUDY_SMALL; of <= STUDY_FULL; of++) {
        struct study study;
        if (study_load(path, of, &study) == WEFT_OK) {
            configure_all(&study, of);
            study_fini(&study);
        }
    }
    close(descriptor);
    return 0;
}
