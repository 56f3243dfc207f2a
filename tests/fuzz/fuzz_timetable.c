/* Any bytes as a file of packets and of messages, plain or packed, on a torus with a dead node.
 * What is read is as many packets as were counted, from nodes that live to others, in order of
 * their times, whatever the order in which nodes ask; and each message is sent and received. */
#include "fuzz.h"

#include "workload/patterns/patterns.h"

enum { NODES = 6 };

static const bool dead[NODES] = {[4] = true};
static const struct torus torus = {.dims = 3, .size = {3, 2, 1}, .wrap = {true}, .nodes = NODES};
static const struct site site = {.nodes = NODES,
                                 .endpoints = NODES,
                                 .dead = dead,
                                 .torus = &torus,
                                 .packet_payload = 100,
                                 .cycles_per_second = 1e9};

static uint32_t rank[NODES] = {0, 1, 2, MAPPING_NONE, MAPPING_NONE, 3};
static struct workload workload = {
    .site = &site, .processes = 4, .per_node = 1, .mapping = {.rank = rank}};

static void must(bool condition)
{
    if (!condition)
        abort();
}

/* All packets of a node. */
static void read_node(struct timetable *t, uint32_t node, uint64_t *packets, uint64_t *bytes)
{
    struct step step = {.to = NOBODY};
    cycle_t last = 0;
    for (uint32_t number = 0; timetable_step(t, node, number, &step);) {
        must(step.timed && step.birth >= last && step.birth <= timetable_sums(t)->last);
        last = step.birth;
        if (step.to == NOBODY) {
            must(step.birth > step.now);
            step.now = step.birth;
            continue;
        }
        must(!dead[node] && step.to < NODES && step.to != node && !dead[step.to]);
        must(step.bytes <= site.packet_payload);
        *bytes += step.bytes;
        ++*packets;
        number++;
    }
}

/* All that a process does. */
static void read_process(struct timetable *t, uint32_t process, uint64_t *sent, uint64_t *received)
{
    struct step step = {.to = NOBODY, .from = NOBODY};
    for (uint32_t number = 0; timetable_step(t, process, number, &step);) {
        must(step.timed && step.birth <= timetable_sums(t)->last);
        must(step.to == NOBODY || step.from == NOBODY);
        if (step.to == NOBODY && step.from == NOBODY) {
            must(step.birth > step.now);
            step.now = step.birth;
            continue;
        }
        *sent += step.to != NOBODY ? 1 + step.bytes : 0;
        *received += step.from != NOBODY ? 1 + step.from_bytes : 0;
        number++;
    }
}

static void read_packets(void)
{
    struct timetable *t = NULL;
    uint64_t packets = 0, bytes = 0;
    workload.as = LAYER_PACKETS;
    /* A line may have 4 GB, which are many packets: those are counted only. */
    if (timetable_open(&workload, &t) == WEFT_OK && timetable_sums(t)->packets < 10000) {
        for (uint32_t node = NODES; node-- > 0;)
            read_node(t, node, &packets, &bytes);
        must(packets == timetable_sums(t)->packets && bytes == timetable_sums(t)->bytes);
    }
    timetable_free(t);
}

static void read_messages(void)
{
    struct timetable *t = NULL;
    uint64_t sent = 0, received = 0;
    workload.as = LAYER_MESSAGES;
    if (timetable_open(&workload, &t) == WEFT_OK) {
        for (uint32_t process = 0; process < workload.processes; process++)
            read_process(t, process, &sent, &received);
        must(sent == timetable_sums(t)->bytes + timetable_sums(t)->lines && sent == received);
    }
    timetable_free(t);
}

int fuzz_timetable(const uint8_t *data, size_t size)
{
    int file = fuzz_file(data, size, workload.params.file);
    read_packets();
    read_messages();
    close(file);
    return 0;
}
