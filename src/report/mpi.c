/* Where a program's time went, and how its collective operations were done. */
#include "report/mpi.h"

#include <string.h>

#include "base/text.h"

static const char *const share_names[STATS_TIMES + 1] = {"point_to_point", "collective", "other",
                                                         "computation"};

/* ---- for people ---- */

static void print_time(FILE *out, double seconds)
{
    if (seconds < 1e-3)
        fprintf(out, "%.3f us", 1e6 * seconds);
    else if (seconds < 1)
        fprintf(out, "%.3f ms", 1e3 * seconds);
    else
        fprintf(out, "%.3f s", seconds);
}

/* "< 2 MiB": below this power of two; the first size is 0 alone. */
static void size_text(unsigned power, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    if (power)
        snprintf(text, 16, "< %u %s", 1u << power % 10, units[power / 10]);
    else
        snprintf(text, 16, "0 B");
}

static void print_sizes(FILE *out, const struct world_result *r)
{
    enum { PER_LINE = 5 };
    char count[32], text[16];
    double mean = r->messages ? (double)r->bytes / (double)r->messages : 0;
    unsigned shown = 0;
    if (!r->messages)
        return;
    fprintf(out, "  messages     %s of MPI, ", text_count(r->messages, count));
    fprintf(out, mean < 1e6 ? "%.6g" : "%.0f", mean);
    fprintf(out, " bytes on average; by size:");
    for (unsigned i = 0; i < STATS_SIZES; i++) {
        if (!r->sizes[i])
            continue;
        size_text(i, text);
        fprintf(out, "%s%-9s %5.1f %%", shown++ % PER_LINE ? "   " : "\n               ", text,
                100 * (double)r->sizes[i] / (double)r->messages);
    }
    fprintf(out, "\n");
}

void mpi_print(FILE *out, const struct world_result *r)
{
    char count[32];
    fprintf(out, "  ranks        %u, from MPI_Init to MPI_Finalize ", r->ranks);
    print_time(out, r->least_seconds);
    fprintf(out, " to ");
    print_time(out, r->most_seconds);
    fprintf(out,
            ": point to point %.1f %%, collective %.1f %%, other calls %.1f %%, computation "
            "%.1f %%\n",
            100 * r->share[TIME_POINT_TO_POINT], 100 * r->share[TIME_COLLECTIVE],
            100 * r->share[TIME_OTHER], 100 * r->share[STATS_TIMES]);
    print_sizes(out, r);
    for (unsigned i = 0; i < r->figures; i++)
        fprintf(out, "  %-12s %-24s %.6g\n", i ? "" : "program", r->figure[i].name,
                r->figure[i].value);
    for (unsigned i = 0; i < r->rows; i++) {
        const struct world_row *row = &r->row[i];
        fprintf(out, "  %-12s %-24s %-18s %12s calls of ranks, ", i ? "" : "collective", row->call,
                row->used, text_count(row->calls, count));
        print_time(out, row->seconds);
        fprintf(out, " per rank\n");
    }
}

/* ---- as JSON ---- */

static json_t *sizes_json(const struct world_result *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < STATS_SIZES; i++)
        if (r->sizes[i])
            json_array_append_new(list, json_pack("{s:I, s:I}", "below_bytes",
                                                  (json_int_t)(i ? 1ull << i : 1), "messages",
                                                  (json_int_t)r->sizes[i]));
    return list;
}

static json_t *rows_json(const struct world_result *r)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < r->rows; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:I, s:f}", "call", r->row[i].call, "algorithm",
                                        r->row[i].used, "calls", (json_int_t)r->row[i].calls,
                                        "seconds_per_rank", r->row[i].seconds));
    return list;
}

json_t *mpi_json(const struct world_result *r)
{
    json_t *shares = json_object();
    for (unsigned i = 0; i <= STATS_TIMES; i++)
        json_object_set_new(shares, share_names[i], json_real(r->share[i]));
    return json_pack("{s:I, s:i, s:f, s:{s:f, s:f, s:f}, s:o, s:I, s:I, s:o, s:o}", "ranks",
                     (json_int_t)r->ranks, "exit_code", r->code, "seconds", r->seconds,
                     "rank_seconds", "mean", r->mean_seconds, "least", r->least_seconds, "most",
                     r->most_seconds, "time_share", shares, "messages", (json_int_t)r->messages,
                     "message_bytes", (json_int_t)r->bytes, "message_sizes", sizes_json(r),
                     "collectives", rows_json(r));
}
