/*
 * Handles of a rank's objects: what programs hold instead of pointers. A handle is a number that
 * fits into an int, so that Fortran's are the same; it says which kind of object it is and, with
 * a few bits that change when a number is used again, whether that object still exists.
 *
 *   | index | turn (6) | kind (4) |     above the numbers of the standard ABI
 */
#ifndef WEFT_MPI_OBJECT_HANDLES_H
#define WEFT_MPI_OBJECT_HANDLES_H

#include <stdint.h>

enum handle_kind {
    HANDLE_NONE,
    HANDLE_COMM,
    HANDLE_GROUP,
    HANDLE_TYPE,
    HANDLE_OP,
    HANDLE_REQUEST,
    HANDLE_MESSAGE,
    HANDLE_INFO,
    HANDLE_ERRHANDLER,
    HANDLE_SESSION,
    HANDLE_WINDOW,
    HANDLE_FILE,
    HANDLES,
};

struct handle_slot {
    void *object; /* free: NULL */
    void *origin; /* what it was made from; NULL: nothing that somebody asks for */
    uint32_t next;
    uint8_t kind, turn;
};

struct handles {
    struct handle_slot *slot;
    uint32_t count, room, free; /* free: the first of a list, or UINT32_MAX */
};

void handles_init(struct handles *h);

/* A handle for an object; what it stands for, NULL: nothing of this kind; and its end. */
uintptr_t handle_new(struct handles *h, enum handle_kind kind, void *object);
void *handle_object(const struct handles *h, enum handle_kind kind, uintptr_t handle);
void handle_drop(struct handles *h, uintptr_t handle);

/* What an object was made from, of handles that exist. */
void handle_set_origin(struct handles *h, uintptr_t handle, void *origin);
void *handle_origin(const struct handles *h, uintptr_t handle);

#endif
