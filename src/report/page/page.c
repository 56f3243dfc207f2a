/* Reading results and writing the page. */
#define _GNU_SOURCE
#include "report/page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/file/output.h"
#include "config/data.h"
#include "report/result/values.h"

/* ---- results ---- */

weft_status page_parse(const char *path, const char *text, size_t size, bool sections,
                       struct page_result *result)
{
    json_error_t error;
    json_t *json = json_loadb(text, size, 0, &error);
    if (!json)
        return BAD_PLACE(("%s:%d:%d", path, error.line > 0 ? error.line : 1,
                          error.column > 0 ? error.column : 1),
                         ("not JSON: %s", error.text), ("name a file that `weft run -o` wrote"));
    weft_status status = page_check(path, json, sections);
    if (status == WEFT_OK)
        *result = (struct page_result){path, json};
    else
        json_decref(json);
    return status;
}

weft_status page_text(const char *path, char **text, size_t *size)
{
    return input_read(path, "result", "make one by `weft run -o RESULT.json`", text, size);
}

weft_status page_read(const char *path, struct page_result *result)
{
    char *text;
    size_t size;
    TRY(page_text(path, &text, &size));
    weft_status status = page_parse(path, text, size, true, result);
    free(text);
    return status;
}

/* ---- the page ---- */

/* JSON between <script> and </script>: no '<' may be seen there. */
static void put_json(struct output_file *f, const char *text)
{
    for (;;) {
        size_t plain = strcspn(text, "<");
        output_write(f, text, plain);
        if (!text[plain])
            return;
        output_write(f, "\\u003c", 6);
        text += plain + 1;
    }
}

static void put_results(struct output_file *f, const struct page_result *result, size_t results)
{
    output_write(f, "[", 1);
    for (size_t i = 0; i < results; i++) {
        const char *slash = strrchr(result[i].path, '/');
        json_t *name = utf8_json(slash ? slash + 1 : result[i].path);
        json_t *o = json_pack("{s:o,s:O}", "name", name, "result", result[i].json);
        char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(15));
        WEFT_CHECK(text, "a result cannot be written as JSON");
        if (i)
            output_write(f, ",\n", 2);
        put_json(f, text);
        free(text);
        json_decref(o);
    }
    output_write(f, "]", 1);
}

/* Files of view/ that a page is made of. */
enum asset { ASSET_PAGE, ASSET_STYLE, ASSET_PROGRAM, ASSETS };

struct assets {
    char *text[ASSETS];
    size_t size[ASSETS];
};

static weft_status assets_read(struct assets *a)
{
    static const char *const name[ASSETS] = {"page.html", "style.css", "bundle.js"};
    char path[DATA_PATH + 64];
    for (unsigned i = 0; i < ASSETS; i++) {
        snprintf(path, sizeof(path), "%s/view/%s", data_folder(), name[i]);
        TRY(input_read(path, "file of Weft's data", "set WEFT_DATA to the folder that has them",
                       &a->text[i], &a->size[i]));
    }
    return WEFT_OK;
}

/* Puts the page up to a mark; returns what follows it. */
static weft_status put_until(struct output_file *f, const char **at, const char *end,
                             const char *mark)
{
    const char *found = memmem(*at, (size_t)(end - *at), mark, strlen(mark));
    if (!found)
        return BAD_PLACE(("%.900s/view/page.html", data_folder()), ("has no mark %s", mark),
                         ("install Weft's data again"));
    output_write(f, *at, (size_t)(found - *at));
    *at = found + strlen(mark);
    return WEFT_OK;
}

static weft_status put_page(struct output_file *f, const struct assets *a,
                            const struct page_result *result, size_t results)
{
    const char *at = a->text[ASSET_PAGE], *end = at + a->size[ASSET_PAGE];
    TRY(put_until(f, &at, end, "@STYLE@"));
    output_write(f, a->text[ASSET_STYLE], a->size[ASSET_STYLE]);
    TRY(put_until(f, &at, end, "@RESULTS@"));
    put_results(f, result, results);
    TRY(put_until(f, &at, end, "@PROGRAM@"));
    output_write(f, a->text[ASSET_PROGRAM], a->size[ASSET_PROGRAM]);
    output_write(f, at, (size_t)(end - at));
    return WEFT_OK;
}

static weft_status write_page(const char *path, const struct assets *a,
                              const struct page_result *result, size_t results)
{
    struct output_file file;
    TRY(output_open(&file, path));
    weft_status status = put_page(&file, a, result, results);
    if (status == WEFT_OK)
        return output_commit(&file);
    output_abandon(&file);
    return status;
}

weft_status page_write(const char *path, const struct page_result *result, size_t results)
{
    struct assets a = {0};
    weft_status status = assets_read(&a);
    if (status == WEFT_OK)
        status = write_page(path, &a, result, results);
    for (unsigned i = 0; i < ASSETS; i++)
        free(a.text[i]);
    return status;
}
