/* Numbers that a program puts into the result. */
#ifndef WEFT_MPI_OBSERVE_FIGURES_H
#define WEFT_MPI_OBSERVE_FIGURES_H

#include <pthread.h>
#include <stdbool.h>

enum { FIGURES_MOST = 16 };

struct figure {
    char name[32];
    double value;
};

struct figures {
    pthread_mutex_t lock;
    struct figure figure[FIGURES_MOST];
    unsigned count;
};

void figures_init(struct figures *f);
void figures_fini(struct figures *f);

/* False: there is no room for another one. */
bool figures_set(struct figures *f, const char *name, double value);

#endif
