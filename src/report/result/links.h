/* What each link did, in files. */
#ifndef WEFT_REPORT_RESULT_LINKS_H
#define WEFT_REPORT_RESULT_LINKS_H

#include <jansson.h>

#include "machine/machine.h"
#include "machine/result.h"
#include "report/result/columns.h"

extern const struct column_table link_columns;

/* The section `each_link` of a result; NULL: there is none, or the machine is so large that it is
 * only written with run.detail. */
json_t *links_json(const struct config *config, const struct run_result *result);

/* A row per link and VC; needs run.detail. */
weft_status links_write_csv(const char *path, const struct run_result *result);

#endif
