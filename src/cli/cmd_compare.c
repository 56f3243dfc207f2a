/* weft compare: two results side by side. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "report/text/tables.h"
#include "report/page/page.h"

/* As a page reads it, so that both complain alike; then flat. */
static weft_status load(const char *path, struct yaml *y)
{
    struct page_result result;
    char *text;
    size_t size;
    TRY(page_text(path, &text, &size));
    weft_status status = page_parse(path, text, size, false, &result);
    if (status == WEFT_OK) {
        json_decref(result.json);
        status = yaml_parse(path, (const unsigned char *)text, size, y);
    }
    free(text);
    return status;
}

weft_status cmd_compare(struct cli_options *o)
{
    struct yaml y[2];
    bool same = true;
    if (o->output && !text_ends(o->output, ".csv") && strcmp(o->output, "-") != 0)
        return BAD_INPUT(NULL, ("-o %.60s: a comparison is written as CSV", o->output),
                         ("use a name that ends in .csv"));
    TRY(load(o->name[0], &y[0]));
    weft_status status = load(o->name[1], &y[1]);
    if (status == WEFT_OK) {
        status = compare_results(o->quiet ? NULL : stdout, o->output, &y[0], &y[1], &same);
        yaml_fini(&y[1]);
    }
    yaml_fini(&y[0]);
    o->exit_code = status == WEFT_OK && !same;
    return status;
}
