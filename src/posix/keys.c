/*
 * Data of threads by keys. The computer has about a thousand keys, and ranks share its threads; so
 * each rank has keys of its own, and values are its own and those of the threads that it makes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "posix/parts.h"

struct posix_key {
    bool used;
    unsigned uses; /* how often it was made: older values of its number are not its own */
    void (*destructor)(void *value);
};

struct posix_value {
    unsigned use; /* of the key; 0: none */
    void *value;
};

/* Threads of one rank may make keys at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What a key is now; all zero: there is none of this number. */
static struct posix_key look_up(unsigned number)
{
    const struct posix_rank *r = threads_master(posix_current());
    struct posix_key key = {.used = false};
    pthread_mutex_lock(&lock);
    if (number < r->key_count)
        key = r->keys[number];
    pthread_mutex_unlock(&lock);
    return key.used ? key : (struct posix_key){.used = false};
}

static unsigned find_free(struct posix_rank *r)
{
    unsigned number = 0;
    while (number < r->key_count && r->keys[number].used)
        number++;
    if (number == r->key_count && number < PTHREAD_KEYS_MAX) {
        r->keys = memory_grow(r->keys, number + 1, sizeof(*r->keys));
        r->keys[r->key_count++] = (struct posix_key){.used = false};
    }
    return number;
}

int rank_pthread_key_create(pthread_key_t *key, void (*destructor)(void *value))
{
    struct posix_rank *r = threads_master(posix_current());
    pthread_mutex_lock(&lock);
    unsigned number = find_free(r);
    if (number < PTHREAD_KEYS_MAX)
        r->keys[number] = (struct posix_key){true, r->keys[number].uses + 1, destructor};
    pthread_mutex_unlock(&lock);
    *key = number;
    return number < PTHREAD_KEYS_MAX ? 0 : EAGAIN;
}

int rank_pthread_key_delete(pthread_key_t key)
{
    struct posix_rank *r = threads_master(posix_current());
    if (!look_up(key).used)
        return EINVAL;
    pthread_mutex_lock(&lock);
    r->keys[key].used = false;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *rank_pthread_getspecific(pthread_key_t key)
{
    const struct posix_rank *r = posix_current();
    struct posix_key now = look_up(key);
    return now.used && key < r->value_count && r->values[key].use == now.uses ? r->values[key].value
                                                                              : NULL;
}

int rank_pthread_setspecific(pthread_key_t key, const void *value)
{
    struct posix_rank *r = posix_current();
    struct posix_key now = look_up(key);
    if (!now.used)
        return EINVAL;
    if (key >= r->value_count) {
        r->values = memory_grow(r->values, key + 1, sizeof(*r->values));
        memset(r->values + r->value_count, 0, (key + 1 - r->value_count) * sizeof(*r->values));
        r->value_count = key + 1;
    }
    r->values[key] = (struct posix_value){now.uses, (void *)value};
    return 0;
}

/* ---- the same in C11's words ---- */

int rank_tss_create(tss_t *key, void (*destructor)(void *value))
{
    return rank_pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

void rank_tss_delete(tss_t key)
{
    rank_pthread_key_delete(key);
}

int rank_tss_set(tss_t key, void *value)
{
    return rank_pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

/* ---- the end ---- */

/* One round of destructors, which may set other values; whether there was anything to do. */
static bool destroy_values(const struct posix_rank *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->value_count; i++) {
        struct posix_key key = look_up(i);
        void *value = r->values[i].use == key.uses ? r->values[i].value : NULL;
        r->values[i].value = NULL;
        if (!key.destructor || !value)
            continue;
        key.destructor(value);
        any = true;
    }
    return any;
}

void keys_end_thread(struct posix_rank *helper)
{
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(helper); i++)
        ;
    free(helper->values);
}

void keys_drop(struct posix_rank *r)
{
    free(r->keys);
    free(r->values);
    r->keys = NULL;
    r->values = NULL;
}
