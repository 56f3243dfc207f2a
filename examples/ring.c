/*
 * A program for simulated nodes: a token goes once around all processes, and each says when it
 * came.
 *
 *   cc -shared -fPIC -o ring.so ring.c $(pkg-config --cflags weft)
 *   weft run -m bluegene-l -p ./ring.so
 */
#include <stdio.h>
#include <weft_program.h>

void weft_program(weft_task *t)
{
    uint32_t next = (t->rank + 1) % t->size, last = (t->rank + t->size - 1) % t->size;
    uint64_t token = 0;
    if (t->rank > 0)
        weft_receive(t, last, &token, sizeof(token), 0);
    token += t->rank;
    weft_send(t, next, &token, sizeof(token), 0);
    if (t->rank == 0) {
        weft_receive(t, last, &token, sizeof(token), 0);
        printf("%u processes, sum %llu, %.3f us\n", t->size, (unsigned long long)token,
               1e6 * weft_seconds(t));
    }
}
