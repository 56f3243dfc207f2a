/*
 * `weft view`: a page for the browser that shows results.
 *
 *   page_read(path, &result)         as often as there are results; checks all that the page trusts
 *   page_write(path, results, n)     the page, whole or not at all
 *
 * The page is view/page.html of the data (config/data.h), with its style, its program and the
 * results put in: one file that needs no server and loads nothing.
 */
#ifndef WEFT_REPORT_PAGE_PAGE_H
#define WEFT_REPORT_PAGE_PAGE_H

#include <jansson.h>

#include "base/status.h"

enum { PAGE_RESULTS_MOST = 16 }; /* results on one page */

struct page_result {
    const char *path;
    json_t *json;
};

/* Reads a result file; the caller releases its JSON. */
weft_status page_read(const char *path, struct page_result *result);

/* The text of a result file; the caller frees it. */
weft_status page_text(const char *path, char **text, size_t *size);

/* A result from its text, which complaints call `path`; its sections are checked as page_read()
 * does, or not. */
weft_status page_parse(const char *path, const char *text, size_t size, bool sections,
                       struct page_result *result);

/* Writes the page. */
weft_status page_write(const char *path, const struct page_result *result, size_t results);

/* ---- check.c ---- */

/* Whether a JSON text is a result; and, of its sections, whether its arrays are as long as they say
 * and name what exists. */
weft_status page_check(const char *path, const json_t *result, bool sections);

#endif
