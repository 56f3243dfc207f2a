/*
 * The C library as a rank sees it. Ranks of one process share the computer's library; wherever it
 * keeps something between calls, or asks the computer for what a simulated node would answer, a
 * function here stands in for it:
 *
 *   life.c        beginning, exit(), what is to be done then; floating-point exceptions
 *   threads.c     threads of its own, and their data by keys
 *   clocks.c      times, which are simulated, and sleep
 *   timers.c      alarms
 *   random.c      random numbers
 *   options.c     getopt()
 *   streams.c     standard streams
 *   print.c       what is written to and read from them; messages
 *   signals.c     signals that it raises
 *   context.c     environment, dates, tables; names and processors
 *   folder.c      the folder that it is in
 *   children.c    processes that it makes
 *   unwind.c      exceptions
 *   table.c       all of them, by name
 *
 * Everything else is shared: memory, files, mathematics. A rank runs on one thread at a time, and
 * others run there only while it waits in a call of its host; so most state needs no care but to be
 * the rank's.
 */
#ifndef WEFT_POSIX_POSIX_H
#define WEFT_POSIX_POSIX_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "image/image.h"

enum posix_stream { POSIX_OUT, POSIX_ERR, POSIX_IN, POSIX_STREAMS };

/* How a rank ended. */
enum posix_end {
    POSIX_RUNS,
    POSIX_EXITED,  /* with a code */
    POSIX_ABORTED, /* abort(), or raise() of a signal */
    POSIX_STOPPED, /* from outside */
};

enum { POSIX_TICK_MS = 250 };

/* What ranks ask of their simulated node. `owner`: as the rank has it. */
struct posix_host {
    double (*seconds)(void *owner);
    void (*sleep)(void *owner, double seconds);
    void (*write)(void *owner, enum posix_stream stream, const char *text, size_t bytes);
    void (*name)(void *owner, char *name, size_t size); /* of the node */
    void (*aborts)(void *owner, int signal);     /* it is about to end by one; NULL: nobody asks */
    void (*fail)(void *owner, const char *text); /* does not come back */
    /* In a handler of signals, every POSIX_TICK_MS of the computer's time that ranks use on its
     * thread: whether it is in its own code now, and where in the image. NULL: nobody asks. */
    void (*tick)(void *owner, bool inside, uint64_t at);
};

/* Variables of the C library of which each rank has its own. */
enum posix_variable {
    VARIABLE_OPTARG,
    VARIABLE_OPTIND,
    VARIABLE_OPTERR,
    VARIABLE_OPTOPT,
    VARIABLE_STREAM, /* the first of those of enum posix_stream */
    VARIABLE_ENVIRONMENT = VARIABLE_STREAM + POSIX_STREAMS,
    VARIABLE_NAME, /* of the program */
    VARIABLE_NAME_OLD,
    VARIABLE_PATH,
    VARIABLE_PATH_OLD,
    POSIX_VARIABLES
};

/* Their offsets in an image. */
struct posix_places {
    uint64_t at[POSIX_VARIABLES];
};

/* Clocks that show another time at each read, by their ticks (clocks.c). */
enum posix_clock { POSIX_NANOSECONDS, POSIX_MICROSECONDS, POSIX_CLOCKS };

/* A timer that has been set, in simulated seconds (timers.c). */
enum { POSIX_TIMERS = 3 };

struct posix_timer {
    double due, period; /* period 0: it runs out once */
};

struct posix_signal; /* signals.c */
struct posix_key;    /* threads.c */
struct posix_value;

struct posix_handler {
    struct posix_handler *next; /* first: memory_free_list() */
    void (*function)(void *arg);
    void (*function_of_code)(int code, void *arg); /* if there is no other */
    void *arg;
};

/* What a stream of a rank knows. */
struct posix_cookie {
    struct posix_rank *rank;
    enum posix_stream stream;
};

struct posix_rank {
    const struct posix_host *host;
    void *owner;
    const struct image *image;
    unsigned char *copy;
    const struct posix_places *places;
    uint32_t number;
    struct begin_words words;

    void *end; /* where it goes when it ends (way.S) */
    enum posix_end how;
    int code;          /* of its exit, or the signal */
    int process;       /* the simulator's; children that the rank makes have others */
    const void *fault; /* what it must not have touched, if that was a fault */
    uint64_t where;    /* in the image: its instruction that failed; 0: not known */
    int failing;       /* the signal while `where` is looked for */
    struct posix_handler *handlers;
    struct posix_signal *signals;
    uint64_t blocked, pending; /* signals: bit 0 is the first */
    struct posix_key *keys;    /* of all its threads */
    struct posix_value *values;
    struct posix_threads *threads; /* if it has made any */
    unsigned key_count, value_count;
    FILE *stream[POSIX_STREAMS];
    struct posix_cookie cookie[POSIX_STREAMS]; /* of those that are no files of the computer */
    FILE *file[POSIX_STREAMS];                 /* that it has put in a stream's place */
    bool closed[POSIX_STREAMS];
    char **environment; /* its own, once it has changed it; NULL: the process's */
    struct random_data *chance;
    struct drand48_data chance48;
    uint64_t entropy;           /* draws of getrandom() so far */
    struct hsearch_data *table; /* of hsearch() */
    char *rest;                 /* of strtok() */
    struct tm date;
    char date_text[64];
    int option_letter;               /* getopt(): how far in a word of several options; */
    int option_first, option_last;   /* words before it that are none */
    double now;                      /* when it last looked at a clock */
    int64_t next_tick[POSIX_CLOCKS]; /* the first that the next read may show */
    time_t epoch;                    /* the date of its second 0 */
    struct posix_timer timer[POSIX_TIMERS];
    unsigned timers; /* bits: which of them are set */
    pid_t *child;    /* processes that it has made, and not waited for */
    size_t child_count, child_room;
    int folder;           /* that it is in, a file of the computer; 0: the simulator's */
    int error;            /* errno, while it waits */
    bool floats;          /* it looks at floating-point exceptions: */
    unsigned float_flags; /* which it has raised, while it waits */
};

/* The rank that runs on this thread; NULL: none. */
struct posix_rank *posix_current(void);
void posix_switch(struct posix_rank *rank);

/* Runs the program to its end. */
void posix_run(struct posix_rank *rank);

/* In a handler of signals: ends the rank that runs on this thread, whose fault it is; comes back if
 * none does. */
void posix_fault(int signal, const void *address);

/* Likewise: ends the rank that runs on this thread, if this address is in its own code, where it
 * holds nothing of the simulator's; otherwise comes back. */
void posix_stop(const void *at);

/* Likewise: tells the host of the rank that runs on this thread how long it has run. */
void posix_tick(const void *at);

/* Likewise: does what the rank that runs on this thread wants done about a signal, which may end
 * it. False: none runs. */
bool posix_signal(int signal);

/* A thread or a child of a rank, which has no owner, calls its host: ends it, or the program. */
_Noreturn void posix_refuse(const char *call);

/* Raises the signals of timers that have run out. */
void posix_look_at_timers(struct posix_rank *rank, double now);

/* Gives back what a rank has taken. */
void posix_drop(struct posix_rank *rank);

/* What stands in for a function, or NULL; the variables of which each rank has its own. */
void *posix_find(const char *name);
struct image_variable *posix_variables(size_t *count);
struct posix_places posix_places(void);

/* Whether the program looks at floating-point exceptions, so that each rank must have its own. */
bool posix_has_floats(const struct image *image);

/* Whether ranks disturb each other by calling this, and how, "which ..."; NULL: they do not. */
const char *posix_doubt(const char *name);

#endif
