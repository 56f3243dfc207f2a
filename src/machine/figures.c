/* The table of figures, in the order of the result file; rows by their names, and values by rows.
 */
#include "machine/figures.h"

#include <stddef.h>
#include <string.h>

/* Rows leave out what they do not have. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The form and place of a member of struct run_result. */
#define FIELD(member)                                                                              \
    _Generic(((struct run_result *)0)->member, uint32_t                                            \
             : FIGURE_U32, uint64_t                                                                \
             : FIGURE_U64, double                                                                  \
             : FIGURE_REAL),                                                                       \
        offsetof(struct run_result, member)
#define QUANTILE(form, member) form, offsetof(struct run_result, member)

static bool has_bound(const struct run_result *r)
{
    return r->bound_cycles > 0;
}

/* A time of 0 where there was no packet would be a lie. */
static bool has_responses(const struct run_result *r)
{
    return r->measure.response.count > 0;
}

static bool has_split(const struct run_result *r)
{
    return r->network_mean >= 0;
}

static bool has_protocol(const struct run_result *r)
{
    return r->link_protocol;
}

/* What links count, under the help of the first. */
#define LINK_COUNT(NAME, COUNTER)                                                                  \
    {                                                                                              \
        "link_protocol." NAME, NULL, "", RUNS_TRAFFIC, NULL, FIELD(measure.link[COUNTER]),         \
            has_protocol                                                                           \
    }

const struct result_figure figures[] = {
    {"version", NULL, "", RUNS_ALL, "version of Weft", FIGURE_SECTION},
    {"seed", NULL, "", RUNS_ALL, "`run.seed`", FIGURE_SECTION},
    {"digest", NULL, "", RUNS_ALL,
     "16 hex digits over every delivery (packet, node, cycle) and every message that a process has "
     "sent or received (with whom, bytes, time). Equal digests mean equal runs",
     FIGURE_SECTION},
    {"work", NULL, "", RUNS_ALL,
     "what was run: `text` in a sentence; `pattern`, `unit` (packets or messages), `participants` "
     "(nodes or processes), `count` and `bytes` of units, where the pattern has them; and "
     "`definition`, which is equal where the work is the same, whatever the machine. Left out if "
     "nothing is sent",
     FIGURE_SECTION},
    {"work.*", NULL, NULL, RUNS_ALL, NULL, FIGURE_MEMBER},
    {"deadlock", NULL, "", RUNS_ALL,
     "present only if there was one: the buffers that wait for each other", FIGURE_SECTION},
    {"cycles", "time", "cycles", RUNS_ALL,
     "length of the run: to the last delivery, or until a processor that takes time for it has "
     "read the last packet; for open-loop runs, at least to the end of measuring",
     FIELD(cycles)},
    {"sim_seconds", "time", "s", RUNS_ALL, NULL, FIELD(sim_seconds)},
    {"warmup_cycles", "warm-up", "cycles", RUNS_TRAFFIC,
     "open loop: cycles before measuring, given or found, and cycles measured",
     FIELD(warmup_cycles)},
    {"measured_cycles", "time measured", "cycles", RUNS_TRAFFIC, NULL, FIELD(measured_cycles)},
    {"packets_injected", NULL, "", RUNS_TRAFFIC, "whole run; a deposited copy counts as delivered",
     FIELD(measure.injected)},
    {"packets_delivered", NULL, "", RUNS_TRAFFIC, NULL, FIELD(measure.delivered)},
    {"packet_hops", "packet-hops", "", RUNS_TRAFFIC, NULL, FIELD(measure.hops)},
    {"payload_bytes_delivered", "payload delivered", "bytes", RUNS_TRAFFIC, NULL,
     FIELD(measure.payload_bytes)},
    {"link_utilisation", "link utilisation", "share of time", RUNS_TRAFFIC,
     "share of all links' byte times that are busy: packets, gaps, acknowledgments. Closed runs: "
     "from first injection to the end; open-loop runs: while measuring",
     FIELD(link_utilisation)},
    {"payload_utilisation", "links' time with payload", "share", RUNS_TRAFFIC,
     "the same for byte times that carry payload", FIELD(payload_utilisation)},
    {"fraction_of_peak", "throughput", "share of the bound", RUNS_TRAFFIC,
     "closed: `bound_cycles` / time taken; open-loop: packets delivered while measuring / what the "
     "bound allows (at loads above 1, nodes away from the bottleneck may carry it past 1, except "
     "with `hotregion`, whose bound then is what can pass the links into its box and all that need "
     "not)",
     FIELD(fraction_of_peak)},
    {"bound_cycles", "least time by the busiest links", "cycles", RUNS_TRAFFIC,
     "time that the busiest links (on `ideal` the busiest port, on Tofu also a node's engines) "
     "need; on a torus with dead nodes or links, those of the whole machine",
     FIELD(bound_cycles), has_bound},
    {"offered_load", "offered load", "share of the bound", RUNS_TRAFFIC,
     "open loop: `workload.load` or, with `workload.rates=absolute`, the share of the bound that "
     "the rates come to",
     FIELD(offered_load)},
    {"steady", NULL, "", RUNS_TRAFFIC,
     "open loop: whether as much was delivered as was offered, within 3 % and chance; with several "
     "workloads, whether all open ones are steady",
     FIGURE_SECTION},
    {"settled", NULL, "", RUNS_TRAFFIC,
     "open loop with `workload.warmup_cycles=auto`: false if `workload.most_cycles` came before "
     "the "
     "mean response was known as well as `workload.precision` asks for",
     FIGURE_SECTION},
    {"drained", NULL, "", RUNS_TRAFFIC,
     "present only if false: packets were under way when `workload.drain_cycles` were over; "
     "response times leave them out",
     FIGURE_SECTION},
    {"payload_bytes_per_node_second", "payload per node", "B/s", RUNS_TRAFFIC, "throughput",
     FIELD(throughput)},
    {"one_way_cycles", "one way", "cycles", RUNS_TRAFFIC, "ping-pong of packets: mean time one way",
     FIELD(one_way_cycles), .line = {"one way"}},
    {"hot_link_utilisation", "utilisation of the links into the hot box", "share of time",
     RUNS_TRAFFIC, "utilisation of the links into the hot box", FIELD(hot_link_utilisation),
     .line = {"hot links", "busy, over the links into the hot box"}},
    {"unblocking_probability", NULL, "", RUNS_TRAFFIC,
     "share of token-acks that unblock at least one packet (TORUS, Figure 9)",
     FIELD(unblocking_probability)},

    /* Figures that are added stand here, in the order in which they are measured. */
    {"processes", NULL, "", RUNS_MESSAGES, "processes that had something to do"},
    {"messages_received", NULL, "", RUNS_MESSAGES, "messages that the processes received"},
    {"bytes_per_process_second", "payload per process", "B/s", RUNS_MESSAGES,
     "payload that a receiving process got per second, while measuring or until its own end: mean, "
     "least, most; and the total"},
    {"least_bytes_per_process_second", "payload of the slowest process", "B/s", RUNS_MESSAGES},
    {"most_bytes_per_process_second", "payload of the fastest process", "B/s", RUNS_MESSAGES},
    {"total_bytes_per_second", "payload of all processes", "B/s", RUNS_MESSAGES},
    {"seconds_per_round", "time of a round", "s", RUNS_MESSAGES,
     "time of the run / `workload.messages`: a round trip of a ping-pong, an exchange of pairs, a "
     "whole all-to-all or allreduce",
     .line = {"per round"}},
    {"trace_ranks", NULL, "", RUNS_MESSAGES,
     "traces: what the trace holds; messages and bytes that it sends"},
    {"trace_operations", NULL, "", RUNS_MESSAGES},
    {"trace_messages", NULL, "", RUNS_MESSAGES},
    {"trace_bytes", NULL, "bytes", RUNS_MESSAGES},
    {"first_end_seconds", "end of the first rank", "s", RUNS_MESSAGES,
     "traces: when the first and the last rank ended"},
    {"last_end_seconds", "end of the last rank", "s", RUNS_MESSAGES},
    {"computing_share", "time in which ranks compute", "share", RUNS_MESSAGES,
     "traces: share of all ranks' time until the last end in which they compute"},
    {"unreceived_messages", NULL, "", RUNS_MESSAGES,
     "traces: messages that no receive was for, if there were some"},
    {"core_*", NULL, "share of time", RUNS_MESSAGES,
     "messages on Blue Gene/L: what the cores did (`program`, `software`, `writing`, `reading`, "
     "`copying`, `flushing`, `interrupts`), as shares of the run; the rest of the time they "
     "polled"},
    {"second_core_*", NULL, "share of time", RUNS_MESSAGES},
    {"unexpected_messages", NULL, "", RUNS_MESSAGES,
     "messages on Blue Gene/L that came before their receive was posted"},
    {"reception_interrupts", NULL, "", RUNS_MESSAGES,
     "messages on Blue Gene/L, with `machine.node.interrupts`: how often a program that worked was "
     "interrupted: by what is in a reception FIFO, or by room in an injection FIFO for a packet "
     "that waits"},
    {"injection_interrupts", NULL, "", RUNS_MESSAGES},
    {"memory_busy", "memory busy", "share of time", RUNS_TRAFFIC,
     "where `machine.node.memory_total_mb_per_s` limits the memory of a node: how much of the time "
     "it was at work, mean over all nodes; and how much longer transfers took than each would have "
     "alone at its own rate, added up over all of them",
     .line = {"memory busy"}},
    {"memory_wait_seconds", "transfers waited for memory", "s", RUNS_TRAFFIC},
    {"io_response_seconds", "time of a call to an I/O node", "s", RUNS_MESSAGES,
     "Blue Gene/L, if processes wrote or read: how long a call took its process, mean",
     .line = {"response", "of a call, mean"}},
    {"rails_per_message", NULL, "", RUNS_MESSAGES,
     "graphs: mean routes (rails) over which a message went"},
    {"fairness", "fairness between nodes", "Jain's index", RUNS_TRAFFIC,
     "open-loop packets, whole machines: Jain's index of the packets that each node sent while "
     "measuring (1: all the same), the fewest and the most"},
    {"least_packets_of_a_node", NULL, "", RUNS_TRAFFIC},
    {"most_packets_of_a_node", NULL, "", RUNS_TRAFFIC},
    {"hops_per_packet", NULL, "", RUNS_TRAFFIC,
     "graphs, switches and Tofu: packet-hops over packets delivered"},
    {"tree_packet_hops", NULL, "", RUNS_TRAFFIC,
     "operations over the tree: packets over its links, and how many of them were sent again"},
    {"tree_retransmissions", NULL, "", RUNS_TRAFFIC},
    {"io_nodes", NULL, "", RUNS_TRAFFIC,
     "Blue Gene/L, if processes wrote or read: I/O nodes; calls of their daemons; bytes that they "
     "wrote and read per second, in all and per I/O node"},
    {"io_calls", NULL, "", RUNS_TRAFFIC},
    {"io_bytes_per_second", "I/O of the machine", "B/s", RUNS_TRAFFIC,
     .line = {"I/O", "by all I/O nodes"}},
    {"io_bytes_per_node_second", "I/O per I/O node", "B/s", RUNS_TRAFFIC},
    {"io_ethernet_busy", "Ethernet of I/O nodes", "share of time", RUNS_TRAFFIC,
     "what limits I/O: shares of the run for which the Ethernet of an I/O node (the busier way), "
     "its processor, and its link of the tree (likewise) were busy, on average over I/O nodes",
     .line = {"Ethernet", "of the time busy, of an I/O node"}},
    {"io_daemon_busy", "processor of I/O nodes", "share of time", RUNS_TRAFFIC,
     .line = {"daemon", "of the time busy, of an I/O node"}},
    {"io_link_busy", "tree links of I/O nodes", "share of time", RUNS_TRAFFIC,
     .line = {"tree link", "of the time busy, of an I/O node"}},
    {"head_wait_vc*", NULL, "cycles", RUNS_TRAFFIC,
     "switches: by virtual channel that carried something, the cycles for which a packet at the "
     "head of its queue waited, mean and longest"},
    {"head_wait_most_vc*", NULL, "cycles", RUNS_TRAFFIC},
    {"vc_fairness", "fairness between VCs", "Jain's index", RUNS_TRAFFIC,
     "switches: Jain's index of these means: 1 if heads of all channels wait the same, 1/n if only "
     "those of one of n do; left out if none waited"},
    {"detour_share", "packets that take a detour", "share", RUNS_TRAFFIC,
     "switches, unless routes are minimal: the share of packets that took a detour"},
    {"compute_plane_links", NULL, "", RUNS_TRAFFIC,
     "Tofu with an I/O plane: links along x and y between compute nodes, the share of them that "
     "carried anything, how busy they were"},
    {"compute_plane_links_used", NULL, "share", RUNS_TRAFFIC},
    {"compute_plane_utilisation", NULL, "share of time", RUNS_TRAFFIC},
    {"compute_packets", NULL, "", RUNS_TRAFFIC,
     "Tofu with an I/O plane and compute nodes: packets between compute nodes, and those to, from "
     "or between I/O nodes: how many were measured, their mean response and its 99th percentile "
     "(left out if there were none)"},
    {"compute_response_cycles", NULL, "cycles", RUNS_TRAFFIC},
    {"compute_response_p99_cycles", NULL, "cycles", RUNS_TRAFFIC},
    {"io_packets", NULL, "", RUNS_TRAFFIC},
    {"io_response_cycles", NULL, "cycles", RUNS_TRAFFIC},
    {"io_response_p99_cycles", NULL, "cycles", RUNS_TRAFFIC},
    {"packets_detoured", NULL, "", RUNS_TRAFFIC,
     "Tofu with `machine.swap`: packets that were led around units out of service, a packet once "
     "for "
     "each unit; that were not sent because they would have gone from such a unit or to it; that a "
     "unit which fails lost; and the longest time that a unit needed to be empty"},
    {"packets_withheld", NULL, "", RUNS_TRAFFIC},
    {"packets_lost", NULL, "", RUNS_TRAFFIC},
    {"swap_drained_cycles", NULL, "cycles", RUNS_TRAFFIC},
    {"swaps", NULL, "", RUNS_TRAFFIC,
     "with `machine.swap`, one entry per unit: `unit`, `fails`, `from`, `to` (left out if it does "
     "not come back), `empty` (cycle in which the last packet had passed; left out if at the end "
     "packets from before are under way, or the run ended before), `passed` (how often its routers "
     "passed on a packet from before: a packet counts at each node of the unit), `detoured`, "
     "`withheld`, `lost`",
     FIGURE_SECTION},
    {"busiest_link_utilisation", "utilisation of the busiest link", "share of time", RUNS_TRAFFIC,
     "over all living links (on machines of switches, those between switches, as "
     "`link_utilisation`): the most, the least, and Jain's index (1: all alike); on `ideal` with "
     "`run.detail` only, over ports"},
    {"idlest_link_utilisation", "utilisation of the idlest link", "share of time", RUNS_TRAFFIC},
    {"link_fairness", "fairness between links", "Jain's index", RUNS_TRAFFIC},
    {"least_received_bytes_per_node_second", "least payload received by a node", "B/s", RUNS_DETAIL,
     "payload that came to a living node while measuring, whether or not anything was for it: the "
     "least, the most, Jain's index"},
    {"most_received_bytes_per_node_second", "most payload received by a node", "B/s", RUNS_DETAIL},
    {"received_fairness", "fairness of what nodes receive", "Jain's index", RUNS_DETAIL},
    {"least_node_response_cycles", "shortest mean response of a node", "cycles", RUNS_DETAIL,
     "the mean response of packets to a node, the least and the most"},
    {"most_node_response_cycles", "longest mean response of a node", "cycles", RUNS_DETAIL},
    {"nodes", NULL, "", RUNS_SURVEY, "what the machine has"},
    {"hosts", NULL, "", RUNS_SURVEY},
    {"switches", NULL, "", RUNS_SURVEY},
    {"links", NULL, "", RUNS_SURVEY},
    {"links_per_node", NULL, "", RUNS_SURVEY},
    {"io_nodes", NULL, "", RUNS_SURVEY},
    {"diameter", NULL, "hops", RUNS_SURVEY, "the longest of the shortest routes, and their mean"},
    {"mean_distance", NULL, "hops", RUNS_SURVEY},
    {"diameter_any_link_dead", NULL, "hops", RUNS_SURVEY,
     "graphs: the diameter after any one failure; left out where one failure can cut the graph, "
     "and above 4,096 nodes"},
    {"diameter_any_node_dead", NULL, "hops", RUNS_SURVEY},
    {"vcs_needed", NULL, "", RUNS_SURVEY,
     "graphs and switches: virtual channels that the routes need to be free of deadlock"},
    {"decrements_most", NULL, "", RUNS_SURVEY,
     "graphs: how often a packet's virtual channel goes down, at most"},
    {"bisection_bound", NULL, "links", RUNS_SURVEY,
     "Kautz graphs: links that any cut into halves has at least"},
    {"bisection_links", NULL, "", RUNS_SURVEY, "Tofu: links between the halves of the machine"},
    {"disjoint_routes_least", NULL, "", RUNS_SURVEY,
     "graphs: routes between two nodes without a common link or node: the fewest, and their mean "
     "length"},
    {"disjoint_mean_distance", NULL, "hops", RUNS_SURVEY},
    {"paths_between_groups_least", NULL, "", RUNS_SURVEY,
     "Tofu: different paths from a node to the others"},
    {"paths_between_groups_most", NULL, "", RUNS_SURVEY},
    {"paths_within_a_group_least", NULL, "", RUNS_SURVEY},
    {"paths_within_a_group_most", NULL, "", RUNS_SURVEY},
    {"paths_apart_between_groups_least", NULL, "", RUNS_SURVEY,
     "Tofu up to 1,024 nodes: those without a common link"},
    {"paths_apart_between_groups_most", NULL, "", RUNS_SURVEY},
    {"paths_apart_within_a_group_least", NULL, "", RUNS_SURVEY},
    {"paths_apart_within_a_group_most", NULL, "", RUNS_SURVEY},
    {"pairs_cut_by_a_node", NULL, "", RUNS_SURVEY,
     "Tofu up to 108 nodes: ordered pairs without a path, added up over all machines with one such "
     "thing dead"},
    {"pairs_cut_by_a_board", NULL, "", RUNS_SURVEY},
    {"pairs_cut_by_a_group", NULL, "", RUNS_SURVEY},
    {"jobs_submitted", NULL, "", RUNS_JOBS,
     "jobs, and what became of them; `jobs_waiting` never found a place, `jobs_unplaceable` would "
     "not find one in the empty machine"},
    {"jobs_finished", NULL, "", RUNS_JOBS},
    {"jobs_failed", NULL, "", RUNS_JOBS},
    {"jobs_waiting", NULL, "", RUNS_JOBS},
    {"jobs_unplaceable", NULL, "", RUNS_JOBS},
    {"job_runs", NULL, "", RUNS_JOBS, "starts of jobs, and failures of nodes"},
    {"node_failures", NULL, "", RUNS_JOBS},
    {"jobs_own_load", "load of the log", "share of the machine", RUNS_JOBS,
     "the load of the log, and as it was scaled"},
    {"jobs_load", "load", "share of the machine", RUNS_JOBS},
    {"utilisation", NULL, "share of the machine", RUNS_JOBS,
     "where the machine's time went, from the first submission to the last; together 1 "
     "([jobs](jobs.md#what-is-counted))"},
    {"internal_fragmentation", NULL, "share of the machine", RUNS_JOBS},
    {"external_fragmentation", NULL, "share of the machine", RUNS_JOBS},
    {"starved_share", "free, too little for the next job", "share of the machine", RUNS_JOBS},
    {"idle_share", "free, no job waits", "share of the machine", RUNS_JOBS},
    {"closed_share", "closed for repair", "share of the machine", RUNS_JOBS},
    {"lost_share", "lost by failures", "share of the machine", RUNS_JOBS,
     "the part of `utilisation` that was lost by failures"},
    {"wait_seconds_mean", "mean wait", "s", RUNS_JOBS,
     "of finished jobs; the object `jobs` has the same by size"},
    {"wait_seconds_median", "median wait", "s", RUNS_JOBS},
    {"wait_seconds_95", "95 % wait", "s", RUNS_JOBS},
    {"wait_seconds_most", "longest wait", "s", RUNS_JOBS},
    {"slowdown_mean", "mean slowdown", "", RUNS_JOBS},
    {"slowdown_median", "median slowdown", "", RUNS_JOBS},
    {"slowdown_95", "95 % slowdown", "", RUNS_JOBS},
    {"slowdown_most", "largest slowdown", "", RUNS_JOBS},
    {"bounded_slowdown_mean", "mean bounded slowdown", "", RUNS_JOBS},
    {"bounded_slowdown_median", "median bounded slowdown", "", RUNS_JOBS},
    {"bounded_slowdown_95", "95 % bounded slowdown", "", RUNS_JOBS},
    {"bounded_slowdown_most", "largest bounded slowdown", "", RUNS_JOBS},
    {"view_nodes", NULL, "", RUNS_JOBS, "`view`: nodes in it, and not in it"},
    {"view_left_out", NULL, "", RUNS_JOBS},
    {"view_size_*", NULL, "", RUNS_JOBS, "`view`: its sizes along 1, 2 and 3"},
    {"view_neighbours_apart", NULL, "hops", RUNS_JOBS, "`view`: the most hops between neighbours"},
    {"node_x", NULL, "", RUNS_JOBS, "`view`: the machine's node at `jobs.coordinate`"},
    {"node_y", NULL, "", RUNS_JOBS},
    {"node_z", NULL, "", RUNS_JOBS},
    {"node_a", NULL, "", RUNS_JOBS},
    {"node_b", NULL, "", RUNS_JOBS},
    {"node_c", NULL, "", RUNS_JOBS},
    {"view_boxes", NULL, "", RUNS_JOBS, "`view`: boxes with the same view"},

    {"jobs", NULL, "", RUNS_JOBS, "figures of finished jobs by size, and what was found in the log",
     FIGURE_SECTION},
    {"jobs.runs", NULL, "", RUNS_JOBS,
     "who was where: `count` runs, in the order of their ends, on `cells` cells of `cell_nodes` "
     "nodes; packed as [links](#each-link-and-node) are: `job` (its number), `start_seconds`, "
     "`end_seconds` (64 bits), `at`, `size` (three of 16 bits: first cell, cells along x, y, z; 0: "
     "scattered), `held` (32 bits: cells), `lost` (8 bits)",
     FIGURE_SECTION},
    {"jobs.*", NULL, NULL, RUNS_JOBS, NULL, FIGURE_MEMBER},
    {"parts", NULL, "", RUNS_PARTS,
     "`part_1` and so on, each with its `place`, `pattern`, `digest`, `steady` and, under the "
     "names of the whole run, `nodes`, `sim_seconds` (until its last packet came, or its last "
     "process ended), `packets_delivered`, `payload_bytes_delivered`, "
     "`payload_bytes_per_node_second`, `response_cycles` (`mean`, `p99`, `max`; left out if no "
     "packet was measured), `offered_load` and `fraction_of_peak` of its own bound, `processes`, "
     "`messages_received`, `bytes_per_process_second`, `mpi`",
     FIGURE_SECTION},
    {"nodes_left_out", NULL, "", RUNS_PARTS, "of a part: nodes of its place that it does not use",
     FIGURE_MEMBER},
    {"alone.sim_seconds", "alone.sim", "s", RUNS_PARTS,
     "of a part, with `--alone`: what it did when it was alone, and how many times as long it "
     "takes here",
     FIGURE_MEMBER},
    {"alone.response_mean", NULL, "", RUNS_PARTS, NULL, FIGURE_MEMBER},
    {"alone.slowdown", NULL, "", RUNS_PARTS, NULL, FIGURE_MEMBER},
    {"part_of_node", NULL, "", RUNS_PARTS,
     "`count` nodes and, packed, 16 bits of each: its `part` from 1, or 0", FIGURE_SECTION},
    {"mpi", NULL, "", RUNS_MESSAGES,
     "an MPI program: `ranks`, `exit_code`, `seconds` until the last rank's `MPI_Finalize`, "
     "`rank_seconds` (mean, least, most), `time_share` in point-to-point, collective and other "
     "calls and in computation, `messages`, `message_bytes`, `message_sizes`, and `collectives`: "
     "for each operation and algorithm, how many calls and the mean time per rank",
     FIGURE_SECTION},
    {"mpi.ranks", "ranks", "", RUNS_MESSAGES, NULL, FIGURE_MEMBER},
    {"mpi.exit_code", NULL, "", RUNS_MESSAGES, NULL, FIGURE_MEMBER},
    {"mpi.seconds", "time of the program", "s", RUNS_MESSAGES, NULL, FIGURE_MEMBER},
    {"mpi.*", NULL, NULL, RUNS_MESSAGES, NULL, FIGURE_MEMBER},
    {"bypassed_hops", NULL, "", RUNS_TRAFFIC,
     "torus: hops out of the bypass channel; Tofu: hops of packets that had not waited",
     FIELD(measure.bypassed)},
    {"response_cycles.mean", "mean response time", "cycles", RUNS_TRAFFIC,
     "from birth to last byte; open-loop: `mean_95_half_width` from the means of 32 batches; "
     "`histogram` as [lower edge, count]. If no packet was measured, `count` is 0 and there are no "
     "times",
     FIELD(response_mean), has_responses},
    {"response_cycles.p50", "median response time", "cycles", RUNS_TRAFFIC, NULL,
     QUANTILE(FIGURE_MEDIAN, measure.response), has_responses},
    {"response_cycles.p99", "99 % response time", "cycles", RUNS_TRAFFIC, NULL,
     QUANTILE(FIGURE_P99, measure.response), has_responses},
    {"response_cycles.max", "longest response time", "cycles", RUNS_TRAFFIC, NULL,
     FIELD(measure.response.max), has_responses},
    {"response_cycles.count", "packets with a response time", "", RUNS_TRAFFIC, NULL,
     FIELD(measure.response.count)},
    {"response_cycles.mean_95_half_width", "half the 95 % interval of the mean response", "cycles",
     RUNS_TRAFFIC, NULL, FIELD(response_interval), has_responses},
    {"response_cycles.histogram", NULL, "", RUNS_TRAFFIC, NULL, FIGURE_SECTION},
    {"source_queueing_cycles.mean", "mean wait at the source", "cycles", RUNS_TRAFFIC,
     "the first part of the response: from birth until a packet leaves its source, with what the "
     "source itself takes even if nothing is queued there. Left out, as the other part, where the "
     "two do not count the same packets: some were still under way at the end, or left copies on "
     "their way",
     FIELD(waiting_mean), has_split},
    {"source_queueing_cycles.p50", "median wait at the source", "cycles", RUNS_TRAFFIC, NULL,
     QUANTILE(FIGURE_MEDIAN, measure.waiting), has_split},
    {"source_queueing_cycles.p99", "99 % wait at the source", "cycles", RUNS_TRAFFIC, NULL,
     QUANTILE(FIGURE_P99, measure.waiting), has_split},
    {"source_queueing_cycles.max", "longest wait at the source", "cycles", RUNS_TRAFFIC, NULL,
     FIELD(measure.waiting.max), has_split},
    {"source_queueing_cycles.count", "packets with a wait at the source", "", RUNS_TRAFFIC, NULL,
     FIELD(measure.waiting.count), has_split},
    {"network_cycles.mean", "mean time in the network", "cycles", RUNS_TRAFFIC,
     "the other part of the response: from leaving the source to the last byte",
     FIELD(network_mean), has_split},
    {"link_utilisation_by_direction", NULL, "", RUNS_TRAFFIC,
     "`link_utilisation` for x+, x-, ..., on Tofu also a, b+, b-, c; on `ideal` for the ports "
     "`out` and `in`",
     FIGURE_SECTION},
    {"link_utilisation_by_direction.*", NULL, "share of time", RUNS_TRAFFIC, NULL, FIGURE_MEMBER},
    {"vc_share", NULL, "", RUNS_TRAFFIC, "by virtual channel: share of hops", FIGURE_SECTION},
    {"vc_share.*", NULL, "share of hops", RUNS_TRAFFIC, NULL, FIGURE_MEMBER},
    {"vc_occupancy", NULL, "", RUNS_TRAFFIC, "by virtual channel: mean filling", FIGURE_SECTION},
    {"vc_occupancy.*", NULL, "share of buffers", RUNS_TRAFFIC, NULL, FIGURE_MEMBER},
    {"vc_unavailable_share", NULL, "", RUNS_TRAFFIC,
     "by virtual channel: share of time and links in which a full packet does not fit",
     FIGURE_SECTION},
    {"vc_unavailable_share.*", NULL, "share of time", RUNS_TRAFFIC, NULL, FIGURE_MEMBER},
    {"injection_watermark_crossings", NULL, "", RUNS_TRAFFIC,
     "how often a FIFO filled up to its watermark", FIELD(injection_watermarks)},
    {"reception_watermark_crossings", NULL, "", RUNS_TRAFFIC, NULL, FIELD(reception_watermarks)},
    {"link_protocol.packets_sent", NULL, "", RUNS_TRAFFIC,
     "where [links make errors](#links-that-make-errors): what they did. `differing` and "
     "`links_given_up` name the first links whose CRCs differ at their two ends, and those that "
     "gave up",
     FIELD(measure.link[LINK_PACKETS]), has_protocol},
    LINK_COUNT("acknowledgments_sent", LINK_ACKS),
    LINK_COUNT("bits_flipped", LINK_FLIPPED),
    LINK_COUNT("packets_corrupted", LINK_CORRUPTED),
    LINK_COUNT("detected_by_header_crc", LINK_HEADER_CRC),
    LINK_COUNT("detected_by_packet_crc", LINK_PACKET_CRC),
    LINK_COUNT("undetected", LINK_ESCAPED),
    LINK_COUNT("acknowledgments_corrupted", LINK_ACK_CRC),
    LINK_COUNT("timeouts", LINK_TIMEOUTS),
    LINK_COUNT("retransmissions", LINK_RETRANSMITTED),
    LINK_COUNT("ghosts", LINK_GHOSTS),
    LINK_COUNT("ignored_out_of_order", LINK_OUT_OF_ORDER),
    LINK_COUNT("ignored_duplicates", LINK_DUPLICATES),
    LINK_COUNT("ack_only_packets", LINK_ACK_ONLY),
    LINK_COUNT("recoveries", LINK_RECOVERIES),
    {"link_protocol.links_with_differing_crcs", NULL, "", RUNS_TRAFFIC, NULL,
     FIELD(link_report.differing), has_protocol},
    {"link_protocol.differing", NULL, "", RUNS_TRAFFIC, NULL, FIGURE_SECTION},
    {"link_protocol.links_given_up", NULL, "", RUNS_TRAFFIC, NULL, FIGURE_SECTION},
    {"link_protocol.injection_checksums", NULL, "", RUNS_TRAFFIC,
     "up to 512 nodes: a checksum of each injection FIFO of each node", FIGURE_SECTION},
    {"each_link", NULL, "", RUNS_TRAFFIC, "what [each link and node](#each-link-and-node) did",
     FIGURE_SECTION},
    {"each_node", NULL, "", RUNS_TRAFFIC, NULL, FIGURE_SECTION},
    {"timeline", NULL, "", RUNS_TRAFFIC,
     "with `run.interval_cycles`, one row per interval: `cycle`, `packets_delivered`, "
     "`payload_bytes_per_second`, `link_utilisation`, the same by direction, `hops_by_vc`, "
     "`vc_chunks` (filled at the end of the interval; on a graph, packets that wait), "
     "`unblocking_probability`; with `machine.swap` `units_out`, the units that were out of "
     "service "
     "at some time of the interval",
     FIGURE_SECTION},
    {"config", NULL, "", RUNS_ALL,
     "what ran. The file itself, or its `config` alone, is a study: `weft run r.json` repeats the "
     "run",
     FIGURE_SECTION},
    {"engine.threads", NULL, "", RUNS_ALL, "how the run was computed", FIELD(threads)},
    {"engine.ranks", NULL, "", RUNS_ALL, NULL, FIELD(ranks)},
    {"engine.partitions", NULL, "", RUNS_ALL, NULL, FIELD(partitions)},
    {"engine.window_cycles", "engine.window", "cycles", RUNS_ALL, NULL, FIELD(window_cycles)},
    {"engine.windows", NULL, "", RUNS_ALL, NULL, FIELD(windows)},
    {"engine.events", NULL, "", RUNS_ALL, NULL, FIELD(events)},
    {"engine.cpu_seconds", "CPU time of the simulation", "s", RUNS_ALL,
     "what it took on this computer; no two runs have the same", FIELD(cpu_seconds)},
    {"engine.wall_seconds", "time of the simulation", "s", RUNS_ALL, NULL, FIELD(wall_seconds)},
    {"engine.setup_seconds", "time to build the machine", "s", RUNS_ALL, NULL,
     FIELD(setup_seconds)},
    {"engine.peak_rss_bytes", "memory of the simulation", "bytes", RUNS_ALL, NULL,
     FIELD(peak_rss_bytes)},
    {"engine.packet_hops_per_cpu_second", "packet-hops simulated per CPU second", "", RUNS_ALL,
     NULL, FIELD(hops_per_cpu_second)},
};
const size_t figure_count = sizeof(figures) / sizeof(figures[0]);

const struct run_kind_text run_kind_texts[] = {
    {RUNS_ALL, "", ""},
    {RUNS_TRAFFIC, "runs of traffic", "name another by --metric, as `weft run` prints them"},
    {RUNS_DETAIL, "runs with run.detail", "add -s run.detail=true"},
    {RUNS_MESSAGES, "runs of messages", "use a figure of packets, such as response_cycles.mean"},
    {RUNS_PARTS, "runs of several workloads", "use a figure of the whole run"},
    {RUNS_JOBS, "runs of jobs and views", "use a figure of traffic, such as link_utilisation"},
    {RUNS_SURVEY, "surveys (-w survey)", "use a figure of traffic, such as link_utilisation"},
};
const size_t run_kind_count = sizeof(run_kind_texts) / sizeof(run_kind_texts[0]);

const struct result_figure *figure_find(const char *name)
{
    for (const struct result_figure *f = figures; f < figures + figure_count; f++) {
        size_t stem = strlen(f->name) - 1;
        bool any = f->name[stem] == '*'; /* for any further letters */
        if (any ? strncmp(f->name, name, stem) == 0 && name[stem] : strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

uint64_t figure_counted(const struct result_figure *f, const struct run_result *r)
{
    const char *at = (const char *)r + f->at;
    switch (f->form) {
    case FIGURE_U32:
        return *(const uint32_t *)at;
    case FIGURE_U64:
        return *(const uint64_t *)at;
    default:
        return histogram_quantile((const struct histogram *)at,
                                  f->form == FIGURE_MEDIAN ? 0.5 : 0.99);
    }
}

bool figure_value(const struct result_figure *f, const struct run_result *r, double *value)
{
    if (f->present && !f->present(r))
        return false;
    if (f->form == FIGURE_ADDED)
        *value = run_result_figure(r, f->name);
    else if (f->form == FIGURE_REAL)
        *value = *(const double *)((const char *)r + f->at);
    else
        *value = (double)figure_counted(f, r);
    return *value >= 0;
}

const char *figure_help(const struct result_figure *f)
{
    while (!f->help)
        f--;
    return f->help;
}

const struct run_kind_text *figure_runs(const struct result_figure *f)
{
    const struct run_kind_text *text = run_kind_texts;
    while (f->runs && !(text->kind & f->runs))
        text++;
    return text;
}
