/* A list of meetings, of which there are few at a time. */
#include "mpi/object/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void drop(struct meeting *m)
{
    free(m->word);
    free(m->has_come);
    free(m);
}

void meetings_fini(struct meetings *m)
{
    for (struct meeting *next; m->first; m->first = next) {
        next = m->first->next;
        drop(m->first);
    }
    pthread_mutex_destroy(&m->lock);
}

/* The oldest one with this key to which a member has not come yet: members that meet again may come
 * before others have gone. */
static struct meeting *find(struct meetings *all, uint64_t key, uint32_t members, uint32_t member,
                            unsigned words)
{
    struct meeting *m, *found = NULL;
    for (m = all->first; m; m = m->next)
        if (m->key == key && !m->has_come[member])
            found = m;
    if (found)
        return found;
    m = memory_alloc(1, sizeof(*m));
    *m = (struct meeting){
        .next = all->first, .key = key, .members = members, .left = members, .words = words};
    m->word = memory_alloc((size_t)members * words, sizeof(*m->word));
    m->has_come = memory_alloc(members, sizeof(*m->has_come));
    return all->first = m;
}

struct meeting *meeting_come(struct meetings *all, uint64_t key, uint32_t members, uint32_t member,
                             const int64_t *word, unsigned words)
{
    pthread_mutex_lock(&all->lock);
    struct meeting *m = find(all, key, members, member, words);
    m->has_come[member] = true;
    memcpy(m->word + (size_t)member * words, word, words * sizeof(*word));
    pthread_mutex_unlock(&all->lock);
    return m;
}

static bool is_same(const struct agreement *a, const struct agreement *b)
{
    return a->call == b->call && a->context == b->context && a->root == b->root && a->op == b->op &&
           a->empty == b->empty && (a->bytes == b->bytes || a->bytes < 0 || b->bytes < 0);
}

static bool is_before(const struct speaker *a, const struct speaker *b)
{
    return a->when != b->when ? a->when < b->when : a->rank < b->rank;
}

/* Who speaks first, on any thread, changes nothing of what is known once all have spoken. */
static void hear(struct agreed *a, const struct speaker *s)
{
    bool same = is_same(&s->what, &a->first.what), before = is_before(s, &a->first);
    const struct speaker *other = same ? NULL : before ? &a->first : s;
    if (other && (!a->differ || is_before(other, &a->other)))
        a->other = *other;
    a->differ |= !same;
    if (before)
        a->first = *s;
}

/* What members that differ have said is kept until the end of the run, which is near. */
void meeting_agree(struct meetings *all, uint64_t key, uint32_t members, const struct speaker *me,
                   struct agreed *agreed, bool *alone)
{
    pthread_mutex_lock(&all->lock);
    struct meeting *m = find(all, key, 1, 0, sizeof(*agreed) / sizeof(int64_t));
    struct agreed *a = (struct agreed *)m->word;
    if (m->left == 1 && !m->made) { /* it is new */
        *a = (struct agreed){.first = *me};
        m->left = members;
        m->made = m;
    }
    *alone = !is_same(&me->what, &a->first.what);
    hear(a, me);
    *agreed = *a;
    pthread_mutex_unlock(&all->lock);
    if (!agreed->differ)
        meeting_go(all, m, NULL);
}

const int64_t *meeting_words(const struct meeting *m, uint32_t member)
{
    return m->word + (size_t)member * m->words;
}

void *meeting_make(struct meetings *all, struct meeting *m,
                   void *(*make)(const struct meeting *m, void *arg), void *arg)
{
    pthread_mutex_lock(&all->lock);
    if (!m->made)
        m->made = make(m, arg);
    pthread_mutex_unlock(&all->lock);
    return m->made;
}

void meeting_go(struct meetings *all, struct meeting *m, void (*drop_made)(void *made))
{
    pthread_mutex_lock(&all->lock);
    if (--m->left == 0) {
        struct meeting **link = &all->first;
        while (*link != m)
            link = &(*link)->next;
        *link = m->next;
        if (drop_made && m->made)
            drop_made(m->made);
        drop(m);
    }
    pthread_mutex_unlock(&all->lock);
}
