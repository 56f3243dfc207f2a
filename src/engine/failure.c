/* Keeping the failure that counts. */
#include "engine/failure.h"

void failures_init(struct failures *f)
{
    pthread_mutex_init(&f->lock, NULL);
}

void failures_fini(struct failures *f)
{
    pthread_mutex_destroy(&f->lock);
}

void failures_add(struct failures *f, fine_t when, uint32_t number, int code)
{
    pthread_mutex_lock(&f->lock);
    bool again = number == f->number && number != FAILURE_OF_NOBODY; /* more is known of it */
    if (!f->any || when < f->when || (when == f->when && (number < f->number || again))) {
        f->when = when;
        f->number = number;
        f->code = code;
        f->error = *error_last();
    }
    atomic_store_explicit(&f->any, true, memory_order_release);
    pthread_mutex_unlock(&f->lock);
}

static _Thread_local struct failures *here;

/* Never inlined: a fiber may be on another thread than when it last asked. */
__attribute__((noinline)) static struct failures *find_here(void)
{
    __asm__ volatile("");
    return here;
}

void failures_enter(struct failures *f)
{
    here = f;
}

bool failures_add_here(fine_t when, uint32_t number, int code)
{
    struct failures *f = find_here();
    if (f)
        failures_add(f, when, number, code);
    return f;
}
