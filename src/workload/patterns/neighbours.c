/*
 * Messages between neighbours.
 *
 *   ring       every process sends to both neighbours in a random ring (HPCC)
 *   exchange   each exchanges with the neighbours behind some of its links, with all at once
 *   grid       each exchanges with its four neighbours in a grid of processes, with all at once
 */
#include "base/memory.h"
#include "base/random.h"
#include "workload/workload.h"

/* Message `number` of a process that exchanges `count` in each round; `at_once`: it waits only
 * after the last of them. False: it has exchanged all. */
static bool exchange(const struct workload *w, uint32_t number, uint32_t count, bool at_once,
                     struct step *step)
{
    uint64_t bytes = w->params.message_bytes;
    if (w->params.messages && number / count >= w->params.messages)
        return false;
    step->bytes = step->from_bytes = bytes;
    if (at_once && (number + 1) % count)
        step->sends_left = step->receives_left = ANY_NUMBER;
    return true;
}

/* ---- ring ---- */

/* [process]: its position in the ring; [position]: who has it. */
struct ring_seat {
    uint32_t position, taken_by;
};

/* Even steps send forwards, odd ones backwards; each receives from the other side. */
static bool ring_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    const struct ring_seat *seat = w->state;
    uint32_t at = seat[process].position, n = w->processes;
    uint32_t next = seat[(at + 1) % n].taken_by, before = seat[(at + n - 1) % n].taken_by;
    *step = (struct step){.to = number % 2 ? before : next, .from = number % 2 ? next : before};
    return n > 1 && exchange(w, number, 2, false, step);
}

static weft_status ring_messages(struct workload *w)
{
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    struct ring_seat *seat = w->state = memory_alloc(w->processes, sizeof(*seat));
    for (uint32_t i = 0; i < w->processes; i++) {
        seat[i].taken_by = random_permute(key, w->processes, i);
        seat[seat[i].taken_by].position = i;
    }
    w->program.step = ring_step;
    return WEFT_OK;
}

const struct pattern ring_pattern = {.name = "ring",
                                     .messages = ring_messages,
                                     .message_keys = MESSAGE_KEYS,
                                     .message_work =
                                         "random ring of {who}: each sends both neighbours {what}"};

/* ---- exchange ---- */

struct exchange_params {
    uint32_t links; /* over which a process exchanges messages; 0: all */
};

static const struct key exchange_rows[] = {
    {"workload.links", KEY_U32, offsetof(struct exchange_params, links), "", "0", 0, 12,
     .help = "exchange: links over which each process exchanges messages; 0: all",
     .before = "workload.hot_share"},
};

static const struct key_section exchange_section = {sizeof(struct exchange_params)};
static const struct key_table exchange_keys = {
    exchange_rows, sizeof(exchange_rows) / sizeof(exchange_rows[0]), &exchange_section};

static uint32_t links_of(const struct workload *w)
{
    return ((const struct exchange_params *)w->state)->links;
}

/* Whether a link is the only one of its dimension that is used: nodes pair up along it. */
static bool is_single(const struct workload *w, uint32_t link)
{
    return link % 2 == 0 && link + 1 == links_of(w);
}

static unsigned link_port(const struct workload *w, uint32_t node, uint32_t link)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->site->torus, node, c);
    return link + (is_single(w, link) ? c[link / 2] % 2 : 0);
}

/* The process behind a link, if the link is one of that process's too; else NOBODY. */
static uint32_t process_behind(const struct workload *w, uint32_t process, uint32_t link)
{
    uint32_t processor = w->mapping.processor[process], node = processor / w->per_node;
    unsigned port = link_port(w, node, link), back = port ^ 1;
    uint32_t other = torus_neighbour(w->site->torus, node, port);
    if (other == TORUS_NO_NODE || other == node ||
        link_port(w, other, is_single(w, link) ? link : back) != back)
        return NOBODY;
    uint32_t rank = w->mapping.rank[other * w->per_node + processor % w->per_node];
    return rank == MAPPING_NONE ? NOBODY : rank;
}

static bool has_partner(const struct workload *w, uint32_t process)
{
    bool any = false;
    for (uint32_t link = 0; link < links_of(w) && !any; link++)
        any = process_behind(w, process, link) != NOBODY;
    return any;
}

/* A process without a partner is done: its steps would take no time, and never end. */
static bool exchange_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t links = links_of(w), other = process_behind(w, process, number % links);
    if (other == NOBODY && !has_partner(w, process))
        return false;
    *step = (struct step){.to = other, .from = other};
    return exchange(w, number, links, true, step);
}

static weft_status exchange_messages(struct workload *w)
{
    struct exchange_params *own = w->state = memory_alloc(1, sizeof(*own));
    uint32_t ports = 2 * w->site->torus->dims;
    workload_own(w, &exchange_section, own);
    own->links = own->links ? own->links : ports;
    if (own->links > ports)
        return BAD_INPUT("workload.links",
                         ("workload.links = %u: a node has %u", own->links, ports),
                         ("use at most that many"));
    w->program.step = exchange_step;
    return WEFT_OK;
}

const struct pattern exchange_pattern = {.name = "exchange",
                                         .needs = SITE_COORDINATES,
                                         .messages = exchange_messages,
                                         .message_keys = MESSAGE_KEYS "links",
                                         .message_work = "exchange of {who} with their "
                                                         "neighbours: {what} over each link",
                                         .coordinate_keys = &exchange_keys};

/* ---- a grid of processes ---- */

/* Columns and rows; dims 0: as square as can be. */
struct grid_params {
    struct torus grid;
};

static const struct key grid_rows[] = {
    {"workload.grid", KEY_OTHER, offsetof(struct grid_params, grid), "", "auto",
     .format = &torus_dims_format,
     .help = "grid: columns and rows of processes, as 16x32; auto: as square as can be",
     .before = "workload.file"},
};

static const struct key_section grid_section = {sizeof(struct grid_params)};
static const struct key_table grid_keys = {grid_rows, sizeof(grid_rows) / sizeof(grid_rows[0]),
                                           &grid_section};

enum { GRID_SIDES = 4 };

/* Right, left, down, up; the grid has no ends. */
static uint32_t grid_neighbour(const struct workload *w, uint32_t process, uint32_t side)
{
    const struct torus *grid = w->state;
    uint32_t columns = grid->size[0], rows = grid->size[1];
    uint32_t x = process % columns, y = process / columns;
    if (side < 2)
        x = (x + (side ? columns - 1 : 1)) % columns;
    else
        y = (y + (side % 2 ? rows - 1 : 1)) % rows;
    return y * columns + x;
}

static bool grid_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t side = number % GRID_SIDES;
    /* What goes to one side comes from the other. */
    *step = (struct step){.to = grid_neighbour(w, process, side),
                          .from = grid_neighbour(w, process, side ^ 1)};
    return exchange(w, number, GRID_SIDES, true, step);
}

static weft_status grid_messages(struct workload *w)
{
    struct grid_params *own = w->state = memory_alloc(1, sizeof(*own));
    struct torus *grid = &own->grid;
    workload_own(w, &grid_section, own);
    if (!grid->dims)
        torus_near(w->processes, 2, grid);
    if (grid->dims != 2 || grid->nodes != w->processes)
        return BAD_INPUT("workload.grid",
                         ("workload.grid is no grid of %u processes", w->processes),
                         ("use columns and rows, as 16x32, or auto"));
    w->program.step = grid_step;
    return WEFT_OK;
}

const struct pattern grid_pattern = {.name = "grid",
                                     .messages = grid_messages,
                                     .message_keys = MESSAGE_KEYS "grid",
                                     .message_work = "grid of {who}: each sends its four "
                                                     "neighbours {what}",
                                     .keys = &grid_keys};
