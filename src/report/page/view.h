/*
 * `weft view`: a page for the browser that shows results.
 *
 *   view_read(path, &result)         as often as there are results; checks all that the page trusts
 *   view_write(path, results, n)     the page, whole or not at all
 *
 * The page is view/page.html of the data (config/data.h), with its style, its program and the
 * results put in: one file that needs no server and loads nothing.
 */
#ifndef WEFT_REPORT_PAGE_VIEW_H
#define WEFT_REPORT_PAGE_VIEW_H

#include <jansson.h>

#include "base/status.h"

enum { VIEW_MOST = 16 }; /* results on one page */

struct view_result {
    const char *path;
    json_t *json;
};

/* Reads a result file; the caller releases its JSON. */
weft_status view_read(const char *path, struct view_result *result);

/* The text of a result file; the caller frees it. */
weft_status view_text(const char *path, char **text, size_t *size);

/* A result from its text, which complaints call `path`; its sections are not checked. */
weft_status view_parse_result(const char *path, const char *text, size_t size,
                              struct view_result *result);

/* As view_read(), of such a text. */
weft_status view_read_text(const char *path, const char *text, size_t size,
                           struct view_result *result);

/* Writes the page. */
weft_status view_write(const char *path, const struct view_result *result, size_t results);

/* ---- view_check.c ---- */

/* Whether a JSON text is a result; and whether its arrays are as long as they say and name what
 * exists. */
weft_status view_check_result(const char *path, const json_t *result);
weft_status view_check_sections(const char *path, const json_t *result);

#endif
