/* Texts that users chose, such as names of files, in JSON. */
#ifndef WEFT_REPORT_RESULT_UTF8_H
#define WEFT_REPORT_RESULT_UTF8_H

#include <jansson.h>

/* Bytes that are not UTF-8, which JSON cannot hold, become '?'. */
json_t *utf8_json(const char *text);

#endif
