/* A list of meetings, of which there are few at a time. */
#include "mpi/object/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void meetings_fini(struct meetings *m)
{
    for (struct meeting *next; m->first; m->first = next) {
        next = m->first->next;
        free(m->first->word);
        free(m->first);
    }
    pthread_mutex_destroy(&m->lock);
}

static struct meeting *find(struct meetings *all, uint64_t key, uint32_t members, unsigned words)
{
    struct meeting *m = all->first;
    while (m && m->key != key)
        m = m->next;
    if (m)
        return m;
    m = memory_alloc(1, sizeof(*m));
    *m = (struct meeting){
        .next = all->first, .key = key, .members = members, .left = members, .words = words};
    m->word = memory_alloc((size_t)members * words, sizeof(*m->word));
    return all->first = m;
}

struct meeting *meeting_come(struct meetings *all, uint64_t key, uint32_t members, uint32_t member,
                             const int64_t *word, unsigned words)
{
    pthread_mutex_lock(&all->lock);
    struct meeting *m = find(all, key, members, words);
    memcpy(m->word + (size_t)member * words, word, words * sizeof(*word));
    pthread_mutex_unlock(&all->lock);
    return m;
}

/* Only the first one's words are kept, with its number behind them. */
void meeting_agree(struct meetings *all, uint64_t key, uint32_t members, uint32_t member,
                   struct agreement *what, uint32_t *first)
{
    enum { WORDS = sizeof(*what) / sizeof(int64_t) };
    pthread_mutex_lock(&all->lock);
    struct meeting *m = find(all, key, 1, WORDS + 1);
    if (m->left == 1 && !m->made) { /* it is new */
        memcpy(m->word, what, sizeof(*what));
        m->word[WORDS] = member;
        m->left = members;
        m->made = m;
    }
    memcpy(what, m->word, sizeof(*what));
    *first = (uint32_t)m->word[WORDS];
    pthread_mutex_unlock(&all->lock);
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

void meeting_go(struct meetings *all, struct meeting *m, void (*drop)(void *made))
{
    pthread_mutex_lock(&all->lock);
    if (--m->left == 0) {
        struct meeting **link = &all->first;
        while (*link != m)
            link = &(*link)->next;
        *link = m->next;
        if (drop && m->made)
            drop(m->made);
        free(m->word);
        free(m);
    }
    pthread_mutex_unlock(&all->lock);
}
