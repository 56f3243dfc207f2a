/* Any bytes as a study: read in both sizes, and its first runs configured. */
#include "fuzz.h"

#include "study/study.h"

static void configure_some(const struct study *s)
{
    for (size_t i = 0; i < study_runs(s) && i < 4; i++) {
        struct config config;
        if (study_config(s, study_run_at(s, i), NULL, &config) == WEFT_OK)
            machine_finish(&config);
        config_fini(&config);
    }
}

int fuzz_study(const uint8_t *data, size_t size)
{
    char path[32];
    int descriptor = fuzz_file(data, size, path);
    for (enum study_size of = STUDY_SMALL; of <= STUDY_FULL; of++) {
        struct study study;
        if (study_load(path, of, &study) == WEFT_OK) {
            configure_some(&study);
            study_fini(&study);
        }
    }
    close(descriptor);
    return 0;
}
