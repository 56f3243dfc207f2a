/* Orders and answers, and the processes of a station. */
#include "study/worker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "config/config.h"
#include "engine/ranks.h"

enum order_kind { ORDER_RUN, ORDER_HALT, ORDER_DISMISS };

struct order {
    uint64_t kind, item, threads; /* the packed configuration follows */
};

/* Sends a head and what follows it; returns the message, which the caller frees once it is sent. */
static char *start_sending(uint32_t rank, const void *head, size_t head_bytes, const void *rest,
                           size_t bytes)
{
    char *message = memory_alloc(1, head_bytes + bytes);
    memcpy(message, head, head_bytes);
    memcpy(message + head_bytes, rest, bytes);
    ranks_send(rank, message, head_bytes + bytes);
    return message;
}

/* ---- the first rank ---- */

/* Answers that came while an order was on its way, in this order. */
static struct station_answer *inbox;
static size_t answers;

static bool receive(struct station_answer *a)
{
    static void *buffer;
    static size_t capacity;
    uint32_t from;
    if (!ranks_has_message(&from))
        return false;
    size_t size = ranks_receive(from, &buffer, &capacity);
    WEFT_CHECK(size >= sizeof(*a), "an answer of %zu bytes from rank %u", size, from);
    memcpy(a, buffer, sizeof(*a));
    WEFT_CHECK(size == sizeof(*a) + a->bytes, "an answer of %zu bytes from rank %u", size, from);
    a->text = memory_alloc(a->bytes + 1, 1);
    memcpy(a->text, (char *)buffer + sizeof(*a), a->bytes);
    return true;
}

/* A station takes no order while it sends an answer: until the order is taken, answers are. */
static void send_order(uint32_t rank, const struct order *order, const char *packed, size_t size)
{
    struct station_answer answer;
    char *message = start_sending(rank, order, sizeof(*order), packed, size);
    while (!ranks_are_sent())
        if (receive(&answer)) {
            inbox = memory_grow(inbox, answers + 1, sizeof(*inbox));
            inbox[answers++] = answer;
        }
    free(message);
}

void station_order(uint32_t rank, uint64_t item, const struct config *config, uint32_t threads)
{
    size_t size;
    char *packed = config_pack(config, &size);
    send_order(rank, &(struct order){ORDER_RUN, item, threads}, packed, size);
    free(packed);
}

bool station_take(struct station_answer *answer)
{
    if (!answers)
        return receive(answer);
    *answer = inbox[0];
    memmove(inbox, inbox + 1, --answers * sizeof(*inbox));
    return true;
}

static void order_all(enum order_kind kind)
{
    for (uint32_t rank = 1; rank < ranks_count(); rank++)
        send_order(rank, &(struct order){.kind = kind}, "", 0);
}

/* Each station confirms, behind the answers that it had sent before. */
void station_halt_all(void)
{
    struct station_answer answer;
    order_all(ORDER_HALT);
    for (uint32_t halted = 0; halted + 1 < ranks_count();) {
        if (!station_take(&answer)) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            continue;
        }
        halted += answer.item == UINT64_MAX;
        free(answer.text);
    }
}

void station_dismiss(void)
{
    order_all(ORDER_DISMISS);
}

/* ---- every other rank ---- */

struct station {
    worker_text text;
    struct worker *worker; /* grows as the first rank asks for more at a time */
    struct config *config; /* of each */
    size_t workers;
};

static void answer_with(uint64_t item, const struct error *error, const char *text, size_t bytes)
{
    struct station_answer answer = {.item = item, .bytes = bytes};
    if (error)
        answer.error = *error;
    char *message = start_sending(0, &answer, sizeof(answer), text, bytes);
    ranks_sent();
    free(message);
}

static size_t free_worker(struct station *s)
{
    size_t i = 0;
    while (i < s->workers && s->worker[i].pid)
        i++;
    if (i == s->workers) {
        s->worker = memory_grow(s->worker, ++s->workers, sizeof(*s->worker));
        s->config = memory_grow(s->config, s->workers, sizeof(*s->config));
    }
    s->worker[i] = (struct worker){.pid = 0};
    return i;
}

static void begin(struct station *s, const struct order *order, const char *packed, size_t size)
{
    size_t i = free_worker(s);
    struct config *c = &s->config[i];
    machine_init(c);
    weft_status status = config_unpack(c, packed, size);
    if (status == WEFT_OK)
        status = config_locate(c, machine_finish(c));
    struct worker_task task = {c, NULL, s->text, (uint32_t)order->threads};
    if (status == WEFT_OK)
        status = worker_start(&s->worker[i], order->item, &task);
    if (status != WEFT_OK) {
        answer_with(order->item, error_last(), "", 0);
        config_fini(c);
    }
}

static void conclude(struct station *s, size_t i)
{
    size_t bytes = 0;
    char *text = NULL;
    uint64_t item = s->worker[i].item;
    weft_status status = worker_finish(&s->worker[i], &text, &bytes);
    answer_with(item, status == WEFT_OK ? NULL : error_last(), text ? text : "", bytes);
    free(text);
    config_fini(&s->config[i]);
}

/* Does what the first rank says; false: it is over. */
static bool obey(struct station *s, const char *message, size_t size)
{
    struct order order;
    WEFT_CHECK(size >= sizeof(order), "an order of %zu bytes", size);
    memcpy(&order, message, sizeof(order));
    if (order.kind == ORDER_RUN)
        begin(s, &order, message + sizeof(order), size - sizeof(order));
    else
        for (size_t i = 0; i < s->workers; i++)
            if (s->worker[i].pid) {
                worker_kill(&s->worker[i]);
                config_fini(&s->config[i]);
            }
    if (order.kind == ORDER_HALT)
        answer_with(UINT64_MAX, NULL, "", 0);
    return order.kind != ORDER_DISMISS;
}

/* Between looks for a message it sleeps: MPI would wait at full speed, on a core of the runs. */
void station_serve(worker_text text)
{
    struct station s = {.text = text};
    void *message = NULL;
    size_t capacity = 0, ended;
    uint32_t from;
    for (bool more = true; more;) {
        if (ranks_has_message(&from)) {
            size_t size = ranks_receive(from, &message, &capacity);
            more = obey(&s, message, size);
        } else if ((ended = worker_wait(s.worker, s.workers, WORKER_GLANCE_MS)) != SIZE_MAX)
            conclude(&s, ended);
    }
    free(message);
    free(s.worker);
    free(s.config);
}
