/* weft view: results as a page for the browser. */
#include <string.h>

#include "base/file/output.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "report/page/page.h"

/* "r.html" for r.json and r.json.gz, beside it. */
static void page_name(const char *result, char *page, size_t size)
{
    static const char *const ends[] = {".gz", ".json"};
    snprintf(page, size, "%s", result);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (text_ends(page, ends[i]))
            page[strlen(page) - strlen(ends[i])] = '\0';
    text_append(page, size, strlen(page), ".html");
}

static weft_status check_names(const struct cli_options *o)
{
    static const char *const others[] = {".csv", ".json", ".gz", ".svg", ".png", NULL};
    if (!o->names)
        return BAD_INPUT(NULL, ("no result"), ("name at least one that `weft run -o` wrote"));
    if (o->names > PAGE_RESULTS_MOST)
        return BAD_INPUT(NULL, ("%u results", o->names), ("name at most %d", PAGE_RESULTS_MOST));
    for (const char *const *end = others; o->output && *end; end++)
        if (text_ends(o->output, *end))
            return BAD_INPUT(NULL, ("-o %.60s: a page is HTML", o->output),
                             ("use a name that ends in .html"));
    return WEFT_OK;
}

weft_status cmd_view(struct cli_options *o)
{
    struct page_result result[PAGE_RESULTS_MOST];
    char name[4096];
    size_t results = 0;
    weft_status status = WEFT_OK;
    TRY(check_names(o));
    page_name(o->name[0], name, sizeof(name));
    const char *page = o->output ? o->output : name;
    for (; results < o->names && status == WEFT_OK; results += status == WEFT_OK)
        status = page_read(o->name[results], &result[results]);
    for (size_t i = 0; i < o->names && status == WEFT_OK; i++)
        if (output_is_same(page, o->name[i]))
            status = BAD_INPUT(NULL, ("the page would take the place of %s", o->name[i]),
                               ("name another file by -o"));
    if (status == WEFT_OK)
        status = page_write(page, result, results);
    while (results > 0)
        json_decref(result[--results].json);
    if (status == WEFT_OK && strcmp(page, "-") != 0)
        printf("%s: open it in a browser\n", page);
    return status;
}
