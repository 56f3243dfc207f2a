/* Any text as the expression of a claim, over curves that have every figure. */
#include "fuzz.h"

#include "study/expression.h"

static weft_status figure(void *ctx, const char *curve, const char *name, double x, double *value)
{
    (void)ctx;
    *value = x + (double)(strlen(curve) + strlen(name));
    return WEFT_OK;
}

static weft_status series(void *ctx, const char *curve, const char *name, double **values,
                          size_t *count)
{
    (void)ctx;
    (void)curve;
    *count = strlen(name) % 7;
    *values = calloc(*count + 1, sizeof(**values));
    for (size_t i = 0; i < *count; i++)
        (*values)[i] = (double)(i * i % 5);
    return WEFT_OK;
}

int fuzz_expression(const uint8_t *data, size_t size)
{
    struct expression_source source = {.figure = figure, .series = series};
    char *text = fuzz_text(data, size);
    double value;
    expression_value(text, &source, &value);
    free(text);
    return 0;
}
