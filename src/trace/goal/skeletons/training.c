/*
 * Steps of training a network of equal layers, spread over ranks in up to three directions
 * (Narayanan et al. 2021). Ranks of one layer's tensors are next to each other, then come replicas
 * of the data, then stages of the pipeline.
 *
 *   tensor     after each half of a layer, activations are combined for all that share it
 *   pipeline   microbatches pass the stages one forward, one backward (1F1B): a stage begins as
 *              many forwards as there are stages after it, then a backward follows each forward
 *   data       gradients of a layer are combined as soon as its last backward is done, while those
 *              before it go on
 */
#include "trace/goal/skeletons/skeleton.h"

#define AT SKELETON_AT

static const char *const algorithms[] = {"ring", "doubling", "halving", NULL};

/* clang-format off */
#define LAYERS {"layers", KEY_U32, AT(layers), "", "8", 1, KEY_U32_TOP, .help = "of the network"}
#define MICROBATCHES(DEFAULT) \
    {"microbatches", KEY_U32, AT(microbatches), "", DEFAULT, 1, KEY_U32_TOP, .help = "of a step"}
#define ACTIVATIONS \
    {"activations", KEY_U64, AT(activation_bytes), "B", "4194304", 0, KEY_U64_TOP, \
     .help = "bytes of a microbatch between layers"}
#define GRADIENTS \
    {"gradients", KEY_U64, AT(gradient_bytes), "B", "16777216", 0, KEY_U64_TOP, \
     .help = "bytes of a layer, on one rank"}
#define TIMES \
    {"forward", KEY_U64, AT(compute_ns), "ns", "200000", 0, KEY_U64_TOP, \
     .help = "time of a layer for a microbatch"}, \
    {"backward", KEY_U64, AT(backward_ns), "ns", "400000", 0, KEY_U64_TOP, \
     .help = "the same, backwards"}, \
    {"update", KEY_U64, AT(update_ns), "ns", "100000", 0, KEY_U64_TOP, \
     .help = "time of the optimizer at the end"}, \
    {"iterations", KEY_U32, AT(iterations), "", "1", 1, KEY_U32_TOP, .help = "steps"}
#define COMBINING \
    {"algorithm", KEY_CHOICE, AT(algorithm), "", "ring", .choices = algorithms, \
     .help = "how vectors are combined for all"}, \
    {"combine", KEY_REAL, AT(combine_mb_per_s), "MB/s", "100000", 1, 1e9, \
     .help = "rate at which a rank combines two vectors"}
/* clang-format on */

static const struct key data_rows[] = {LAYERS, MICROBATCHES("1"), GRADIENTS, TIMES, COMBINING};
static const struct key tensor_rows[] = {LAYERS, MICROBATCHES("1"), ACTIVATIONS, TIMES, COMBINING};
static const struct key pipeline_rows[] = {LAYERS, MICROBATCHES("8"), ACTIVATIONS, TIMES};
static const struct key training_rows[] = {
    {"data", KEY_U32, AT(data), "", "0", 0, KEY_U32_TOP,
     .help = "replicas of the data; 0: as many as there are ranks for"},
    {"tensor", KEY_U32, AT(tensor), "", "4", 1, KEY_U32_TOP, .help = "ranks that share a layer"},
    {"pipeline", KEY_U32, AT(pipeline), "", "4", 1, KEY_U32_TOP, .help = "stages"},
    LAYERS,
    MICROBATCHES("8"),
    ACTIVATIONS,
    GRADIENTS,
    TIMES,
    COMBINING};

/* ---- a rank's place ---- */

struct member {
    const struct skeleton_params *p;
    uint32_t stage, rank, layers;
    uint32_t plane; /* ranks of a stage */
    uint64_t share; /* of the activations, that each rank passes on */
    struct process_group tensor, data;
    struct strand *main, gradients; /* gradients: beside what else it does */
};

static struct member member_of(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    struct torus grid = {.dims = 3, .size = {p->tensor, p->data, p->pipeline}};
    struct member m = {.p = p,
                       .stage = group_along(&grid, rank, 2).me,
                       .rank = rank,
                       .layers = p->layers / p->pipeline,
                       .plane = p->tensor * p->data,
                       .share = p->activation_bytes / p->tensor,
                       .tensor = group_along(&grid, rank, 0),
                       .data = group_along(&grid, rank, 1),
                       .main = s};
    strand_init(&m.gradients, s->w);
    return m;
}

/* ---- a microbatch on a stage ---- */

/* Half of a layer, and what those that share it tell each other. */
static void half_layer(struct member *m, uint64_t ns)
{
    const struct skeleton_params *p = m->p;
    strand_calc(m->main, ns);
    group_allreduce(m->main, &m->tensor, p->activation_bytes, p->algorithm, p->combine_mb_per_s);
}

static void whole_layer(struct member *m, uint64_t ns)
{
    if (m->tensor.count < 2) {
        strand_calc(m->main, ns);
        return;
    }
    half_layer(m, ns / 2);
    half_layer(m, ns - ns / 2);
}

static void forward(struct member *m)
{
    if (m->stage)
        strand_receive(m->main, m->rank - m->plane, m->share);
    strand_join(m->main);
    for (uint32_t i = 0; i < m->layers; i++)
        whole_layer(m, m->p->compute_ns);
    if (m->stage + 1 < m->p->pipeline)
        strand_send_aside(m->main, m->rank + m->plane, m->share);
}

static void backward(struct member *m, bool last)
{
    const struct skeleton_params *p = m->p;
    if (m->stage + 1 < p->pipeline)
        strand_receive(m->main, m->rank + m->plane, m->share);
    strand_join(m->main);
    for (uint32_t i = 0; i < m->layers; i++) {
        whole_layer(m, p->backward_ns);
        if (!last || m->data.count < 2)
            continue;
        /* The gradients of a layer are known: they are combined while the other layers go on. */
        strand_follow(&m->gradients, m->main);
        group_allreduce(&m->gradients, &m->data, p->gradient_bytes, p->algorithm,
                        p->combine_mb_per_s);
    }
    if (m->stage)
        strand_send_aside(m->main, m->rank - m->plane, m->share);
}

/* ---- a step ---- */

static void train(struct member *m)
{
    const struct skeleton_params *p = m->p;
    uint32_t ahead = p->pipeline - 1 - m->stage, batches = p->microbatches;
    uint32_t forwards = 0;
    for (; forwards < ahead && forwards < batches; forwards++)
        forward(m);
    for (uint32_t backwards = 0; backwards < batches; backwards++) {
        if (forwards < batches) {
            forward(m);
            forwards++;
        }
        backward(m, backwards + 1 == batches);
    }
    if (m->data.count > 1)
        strand_follow(m->main, &m->gradients);
    strand_calc(m->main, p->update_ns);
}

static void write_rank(const struct skeleton_params *p, struct strand *s, uint32_t rank)
{
    struct member m = member_of(p, s, rank);
    for (uint32_t i = 0; i < p->iterations; i++) {
        train(&m);
        strand_clear(&m.gradients);
    }
    strand_fini(&m.gradients);
}

/* ---- directions ---- */

static weft_status complete(struct skeleton_params *p)
{
    uint64_t others = (uint64_t)p->tensor * p->pipeline;
    if (!p->ranks && !p->data)
        return BAD_INPUT(NULL, ("no number of ranks"), ("give -n RANKS, or data="));
    if (!p->data && p->ranks % others == 0)
        p->data = (uint32_t)(p->ranks / others);
    uint64_t all = others * p->data;
    if (!all || (p->ranks && all != p->ranks) || all > UINT32_MAX)
        return BAD_INPUT(NULL,
                         ("%u ranks are not data=%u times tensor=%u times pipeline=%u", p->ranks,
                          p->data, p->tensor, p->pipeline),
                         ("use numbers whose product they are"));
    p->ranks = (uint32_t)all;
    if (p->layers % p->pipeline)
        return BAD_INPUT(NULL, ("%u layers do not make %u equal stages", p->layers, p->pipeline),
                         ("use a multiple"));
    return WEFT_OK;
}

static weft_status complete_only(struct skeleton_params *p, uint32_t *direction)
{
    if (!p->ranks)
        return BAD_INPUT(NULL, ("no number of ranks"), ("give -n RANKS"));
    p->data = p->tensor = p->pipeline = 1;
    *direction = p->ranks;
    return complete(p);
}

static weft_status complete_data(struct skeleton_params *p)
{
    return complete_only(p, &p->data);
}

static weft_status complete_tensor(struct skeleton_params *p)
{
    return complete_only(p, &p->tensor);
}

static weft_status complete_pipeline(struct skeleton_params *p)
{
    return complete_only(p, &p->pipeline);
}

const struct skeleton skeleton_data = {.name = "data-parallel",
                                       .help = "training: gradients combined layer by layer",
                                       .keys = SKELETON_KEYS(data_rows),
                                       .complete = complete_data,
                                       .write = write_rank};

const struct skeleton skeleton_tensor = {.name = "tensor-parallel",
                                         .help = "training: activations combined in every layer",
                                         .keys = SKELETON_KEYS(tensor_rows),
                                         .complete = complete_tensor,
                                         .write = write_rank};

const struct skeleton skeleton_pipeline = {.name = "pipeline-parallel",
                                           .help = "training: microbatches through stages, 1F1B",
                                           .keys = SKELETON_KEYS(pipeline_rows),
                                           .complete = complete_pipeline,
                                           .write = write_rank};

const struct skeleton skeleton_training = {.name = "training",
                                           .help = "training: data x tensor x pipeline parallel",
                                           .keys = SKELETON_KEYS(training_rows),
                                           .complete = complete,
                                           .write = write_rank};
