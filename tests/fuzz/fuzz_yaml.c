/* Any bytes as YAML, as a machine file and as a result file. */
#include "fuzz.h"

#include "machine/machine.h"

int fuzz_yaml(const uint8_t *data, size_t size)
{
    struct yaml yaml;
    struct config config;
    char path[32];
    if (yaml_parse("fuzz", data, size, &yaml) == WEFT_OK) {
        yaml_get(&yaml, "name");
        yaml_fini(&yaml);
    }
    int descriptor = fuzz_file(data, size, path);
    machine_init(&config);
    if (config_machine(&config, path) == WEFT_OK)
        machine_finish(&config);
    config_fini(&config);
    close(descriptor);
    return 0;
}
