/* The list of patterns, in the order in which they are offered: a pattern's row, in its own file,
 * is all that the rest of Weft knows about it. */
#include "workload/workload.h"

extern const struct pattern alltoall_pattern, uniform_pattern, hotregion_pattern, hotspot_pattern,
    neighbour_pattern, pingpong_pattern, linefill_pattern, planefill_pattern, nextgroup_pattern,
    transpose_pattern, bitcomplement_pattern, bitreverse_pattern, tornado_pattern, shuffle_pattern,
    permutation_pattern, matrix_pattern, file_pattern, pairs_pattern, ring_pattern,
    exchange_pattern, grid_pattern, allreduce_pattern, broadcast_pattern, reduce_pattern,
    allgather_pattern, barrier_pattern, program_pattern, mpi_pattern, goal_pattern, replay_pattern,
    parts_pattern;

static const struct pattern survey_pattern = {
    .name = "survey", .kind = PATTERN_SURVEY, .needs = SITE_TOPOLOGY};
static const struct pattern jobs_pattern = {
    .name = "jobs", .kind = PATTERN_JOBS, .needs = SITE_CELLS};
static const struct pattern view_pattern = {
    .name = "view", .kind = PATTERN_VIEW, .needs = SITE_CELLS};
static const struct pattern none_pattern = {.name = "none", .kind = PATTERN_NONE};

const struct pattern *const patterns[] = {
    &alltoall_pattern,  &uniform_pattern,   &hotregion_pattern,     &hotspot_pattern,
    &neighbour_pattern, &pingpong_pattern,  &linefill_pattern,      &planefill_pattern,
    &nextgroup_pattern, &transpose_pattern, &bitcomplement_pattern, &bitreverse_pattern,
    &tornado_pattern,   &shuffle_pattern,   &permutation_pattern,   &matrix_pattern,
    &file_pattern,      &pairs_pattern,     &ring_pattern,          &exchange_pattern,
    &grid_pattern,      &allreduce_pattern, &broadcast_pattern,     &reduce_pattern,
    &allgather_pattern, &barrier_pattern,   &program_pattern,       &mpi_pattern,
    &goal_pattern,      &replay_pattern,    &parts_pattern,         &survey_pattern,
    &jobs_pattern,      &view_pattern,      &none_pattern,
};

const size_t pattern_count = sizeof(patterns) / sizeof(patterns[0]);
