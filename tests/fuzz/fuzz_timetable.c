/* Any bytes as a file of packets, plain or packed, on a torus with a dead node. What is read is as
 * many packets as were counted, from nodes that live to others, in order of their times, whatever
 * the order in which nodes ask. */
#include "fuzz.h"

#include "workload/timetable.h"

enum { NODES = 6 };

static const bool dead[NODES] = {[4] = true};
static const struct torus torus = {.dims = 3, .size = {3, 2, 1}, .wrap = {true}, .nodes = NODES};
static const struct site site = {.nodes = NODES,
                                 .places = NODES,
                                 .dead = dead,
                                 .torus = &torus,
                                 .packet_payload = 100,
                                 .cycles_per_second = 1e9};

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    int file = fuzz_file(data, size, path);
    struct timetable *t = NULL;
    uint64_t packets = 0, bytes = 0;
    /* A line may have 4 GB, which are many packets: those are counted only. */
    if (timetable_open(&site, path, &t) == WEFT_OK && timetable_sums(t)->packets < 10000) {
        for (uint32_t node = NODES; node-- > 0;)
            read_node(t, node, &packets, &bytes);
        must(packets == timetable_sums(t)->packets && bytes == timetable_sums(t)->bytes);
    }
    timetable_free(t);
    close(file);
    return 0;
}
