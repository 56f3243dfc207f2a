/* libweft's public functions (include/weft.h). */
#include "lib/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/result.h"
#include "study/study.h"

/* A study of many runs is no run. */
static weft_status check_single(const struct yaml *y)
{
    static const char *const lists[] = {"runs.", "curves.", "over."};
    for (size_t i = 0; i < y->entries; i++)
        for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
            if (strncmp(y->entry[i].path, lists[k], strlen(lists[k])) == 0)
                return BAD_PLACE(("%s:%u:%u", y->file, y->entry[i].line, y->entry[i].column),
                                 ("a study of several runs"), ("use `weft study run %s`", y->file));
    return WEFT_OK;
}

weft_status weft_run_create(const char *machine, const char *study, weft_run **run)
{
    weft_status status;
    weft_run *r = weft_alloc(1, sizeof(*r));
    machine_init(&r->config);
    if (study) {
        struct yaml yaml;
        status = yaml_load(study, &yaml);
        if (status == WEFT_OK) {
            status = check_single(&yaml);
            if (status == WEFT_OK)
                status = study_apply(&r->config, &yaml, machine);
            yaml_fini(&yaml);
        }
    } else if (machine) {
        status = config_machine(&r->config, machine);
    } else {
        status = BAD_INPUT(NULL, ("nothing to run"), ("name a study or a machine (-m)"));
    }
    if (status != WEFT_OK) {
        weft_run_destroy(r);
        return status;
    }
    *run = r;
    return WEFT_OK;
}

weft_run *weft_run_resumed(struct checkpoint *checkpoint)
{
    weft_run *r = weft_alloc(1, sizeof(*r));
    r->config = checkpoint->config;
    machine_init(&checkpoint->config);
    return r;
}

void weft_run_destroy(weft_run *r)
{
    if (!r)
        return;
    if (r->executed)
        run_result_fini(&r->result);
    config_fini(&r->config);
    free(r->json);
    free(r);
}

weft_status weft_run_set(weft_run *r, const char *assignment)
{
    return config_override(&r->config, assignment);
}

weft_status weft_run_execute_with(weft_run *r, const struct run_options *options)
{
    weft_status status = machine_finish(&r->config);
    if (status != WEFT_OK)
        return status;
    if (r->executed)
        run_result_fini(&r->result);
    free(r->json);
    r->json = NULL;
    status = run_config(&r->config, options, &r->result);
    r->executed = status == WEFT_OK || r->result.deadlock;
    return status;
}

weft_status weft_run_execute(weft_run *r, unsigned threads)
{
    struct run_options options = {.threads = threads ? threads : 1};
    return weft_run_execute_with(r, &options);
}

const char *weft_run_json(weft_run *r)
{
    if (!r->json && r->executed)
        r->json = result_json(&r->config, &r->result);
    return r->json;
}
