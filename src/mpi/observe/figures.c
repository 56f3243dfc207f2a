/* A short list, which any rank may add to. */
#include "mpi/observe/figures.h"

#include <stdio.h>
#include <string.h>

void figures_init(struct figures *f)
{
    *f = (struct figures){.count = 0};
    pthread_mutex_init(&f->lock, NULL);
}

void figures_fini(struct figures *f)
{
    pthread_mutex_destroy(&f->lock);
}

bool figures_set(struct figures *f, const char *name, double value)
{
    unsigned i = 0;
    pthread_mutex_lock(&f->lock);
    while (i < f->count && strcmp(f->figure[i].name, name) != 0)
        i++;
    bool room = i < FIGURES_MOST;
    if (room) {
        snprintf(f->figure[i].name, sizeof(f->figure[i].name), "%s", name);
        f->figure[i].value = value;
        f->count += i == f->count;
    }
    pthread_mutex_unlock(&f->lock);
    return room;
}
