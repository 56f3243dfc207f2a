/*
 * Functions for descriptors of thread-local variables: a function and its argument, which says where
 * the variable is. They get the descriptor's address where they return the distance from the
 * thread's pointer, and preserve all other registers.
 *
 *   thread_resolve_fixed    the argument is the distance
 *   thread_resolve_image    the argument is the address
 */
#include "base/assembly.inc"

    .text
#if defined(__x86_64__)

begin thread_resolve_fixed
    endbr64
    movq 8(%rax), %rax
    ret
end thread_resolve_fixed

begin thread_resolve_image
    endbr64
    movq 8(%rax), %rax
    subq %fs:0, %rax
    ret
end thread_resolve_image

#elif defined(__aarch64__)

begin thread_resolve_fixed
    hint 34 /* bti c */
    ldr x0, [x0, 8]
    ret
end thread_resolve_fixed

begin thread_resolve_image
    hint 34
    str x1, [sp, -16]!
    .cfi_adjust_cfa_offset 16
    ldr x0, [x0, 8]
    mrs x1, tpidr_el0
    sub x0, x0, x1
    ldr x1, [sp], 16
    .cfi_adjust_cfa_offset -16
    ret
end thread_resolve_image

#endif
    .section .note.GNU-stack, "", %progbits
