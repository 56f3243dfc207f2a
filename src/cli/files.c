/* The files that a command writes. */
#include "cli/cli.h"

#include "base/file/output.h"

weft_status cli_try_files(const struct cli_file *file, size_t count)
{
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < count && status == WEFT_OK; i++) {
        for (size_t k = 0; k < i; k++)
            if (file[i].path && file[k].path && output_is_same(file[i].path, file[k].path))
                return BAD_INPUT(NULL, ("%s and %s name the same file", file[k].name, file[i].name),
                                 ("use different ones"));
        if (file[i].path && !file[i].is_input)
            status = output_try(file[i].path);
    }
    return status;
}
