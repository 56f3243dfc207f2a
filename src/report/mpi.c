/* Where a program's time went, and how its collective operations were done. */
#include <string.h>

#include "base/text/text.h"
#include "report/sections.h"

static const char *const share_names[STATS_TIMES + 1] = {"point_to_point", "collective", "other",
                                                         "computation"};

/* ---- for people ---- */

static void print_sizes(FILE *out, const struct world_result *r)
{
    enum { PER_LINE = 5 };
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    char count[32], text[16] = "0 B";
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
        if (i) /* below this power of two; the first size is 0 alone */
            snprintf(text, sizeof(text), "< %u %s", 1u << i % 10, units[i / 10]);
        fprintf(out, "%s%-9s %5.1f %%", shown++ % PER_LINE ? "   " : "\n               ", text,
                100 * (double)r->sizes[i] / (double)r->messages);
    }
    fprintf(out, "\n");
}

void mpi_print(FILE *out, const struct world_result *r)
{
    char count[32], least[32], most[32], time[32];
    fprintf(out,
            "  ranks        %u, from MPI_Init to MPI_Finalize %s to %s: point to point %.1f %%, "
            "collective %.1f %%, other calls %.1f %%, computation "
            "%.1f %%\n",
            r->ranks, text_time(r->least_seconds, least), text_time(r->most_seconds, most),
            100 * r->share[TIME_POINT_TO_POINT], 100 * r->share[TIME_COLLECTIVE],
            100 * r->share[TIME_OTHER], 100 * r->share[STATS_TIMES]);
    print_sizes(out, r);
    if (r->pairs)
        fprintf(out, "  partners     %.4g per rank on average, %u at most\n",
                (double)r->pairs / r->ranks, r->most_partners);
    for (unsigned i = 0; i < r->figures; i++)
        fprintf(out, "  %-12s %-24s %.6g\n", i ? "" : "program", r->figure[i].name,
                r->figure[i].value);
    for (unsigned i = 0; i < r->rows; i++) {
        const struct world_row *row = &r->row[i];
        fprintf(out, "  %-12s %-24s %-18s %12s calls of ranks, %s per rank\n",
                i ? "" : "collective", row->call, row->used, text_count(row->calls, count),
                text_time(row->seconds, time));
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

static json_t *matrix_json(const struct world_result *r)
{
    json_t *rows = json_array();
    for (uint32_t from = 0; from < r->blocks; from++) {
        json_t *row = json_array();
        for (uint32_t to = 0; to < r->blocks; to++)
            json_array_append_new(row, json_integer((json_int_t)r->matrix[from][to]));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:I, s:o}", "ranks_per_block", (json_int_t)r->block_ranks, "bytes", rows);
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
    return json_pack("{s:I, s:i, s:f, s:{s:f, s:f, s:f}, s:o, s:I, s:I, s:o, s:o, s:o}", "ranks",
                     (json_int_t)r->ranks, "exit_code", r->code, "seconds", r->seconds,
                     "rank_seconds", "mean", r->mean_seconds, "least", r->least_seconds, "most",
                     r->most_seconds, "time_share", shares, "messages", (json_int_t)r->messages,
                     "message_bytes", (json_int_t)r->bytes, "message_sizes", sizes_json(r),
                     "matrix", matrix_json(r), "collectives", rows_json(r));
}
