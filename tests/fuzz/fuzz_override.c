/* Lines of KEY=VALUE over the Blue Gene/L, as -s gives them; the first wrong one ends it. */
#include "fuzz.h"

#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct config machine; /* read once, copied for each input */
    static bool read;
    char *text = fuzz_text(data, size), *at = text, *line;
    if (!read) {
        machine_init(&machine);
        if (config_machine(&machine, "bluegene-l") != WEFT_OK)
            abort();
        read = true;
    }
    struct config config = machine;
    memset(config.place, 0, sizeof(config.place)); /* the machine's own */
    memset(config.source, 0, sizeof(config.source));
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && (line = strsep(&at, "\n")))
        status = config_override(&config, line);
    if (status == WEFT_OK && machine_finish(&config) == WEFT_OK)
        for (size_t i = 0; i < config_key_count; i++) {
            char value[CONFIG_TEXT];
            if (strlen(config_text(&config, &config_keys[i], value)) >= sizeof(value))
                abort();
        }
    config_fini(&config);
    free(text);
    return 0;
}
