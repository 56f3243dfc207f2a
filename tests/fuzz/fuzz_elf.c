/* Any bytes as a program: loaded, with its libraries, and copied for two ranks; never run. */
#define _GNU_SOURCE
#include "change.h"

#include <dlfcn.h>

#include "image/image.h"
#include "posix/posix.h"

static void *find(const char *name, const char *version)
{
    static int anything;
    void *found =
        version && *version ? dlvsym(RTLD_DEFAULT, name, version) : dlsym(RTLD_DEFAULT, name);
    return found || *name == '_' ? found : &anything;
}

int fuzz_elf(const uint8_t *data, size_t size)
{
    char path[32];
    struct image image;
    struct copies copies;
    struct image_host host = {.find = find};
    int descriptor = fuzz_file(data, size, path);
    host.variable = posix_variables(&host.variables);
    if (image_create(path, &host, &image) == WEFT_OK) {
        image.choice.count = 0; /* they are code */
        if (copies_create(&image, 2, &copies) == WEFT_OK)
            copies_destroy(&copies);
        image_destroy(&image);
    }
    close(descriptor);
    return 0;
}

size_t change_elf(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t random = random_key(seed, 0, RANDOM_ORDER);
    if (size < 64 || random_next(&random) % 16 == 0)
        return LLVMFuzzerMutate(data, size, most);
    for (uint64_t changes = 1 + random_next(&random) % 3; changes; changes--)
        change(data, 0, size, &random);
    return size;
}
