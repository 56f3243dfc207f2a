/*
 * The reserve beside the thread's pointer (thread.h). A program that runs ranks links this file
 * first: on aarch64 thread-local data begin with those of the first object; on x86-64 they end with
 * .tcommon.
 */
#define BYTES 16384

#if defined(__x86_64__)
    .section .tcommon, "awT", @nobits
#else
    .section .tdata, "awT", %progbits
#endif
    .globl thread_room
    .hidden thread_room
    .type thread_room, %object
    .size thread_room, BYTES
    .p2align 6
thread_room:
    .zero BYTES

    .section .rodata
    .globl thread_has_room
    .hidden thread_has_room
    .type thread_has_room, %object
    .size thread_has_room, 1
thread_has_room:
    .byte 1
    .section .note.GNU-stack, "", %progbits
