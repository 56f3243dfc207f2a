/*
 * A way back over frames that are given up, as setjmp() and longjmp() have one. Debuggers stop at
 * those to find out where they lead, and fail where the C library has encrypted it; a rank's end
 * must not disturb them.
 *
 *   void way_run(void **way, void (*body)(void *arg), void *arg)
 *                                    calls body(arg)
 *   _Noreturn void way_take(void *way)
 *                                    within: way_run() returns
 */
#include "base/assembly.inc"

    .text
#if defined(__x86_64__)

.macro save register
    pushq \register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
.endm

.macro load register
    popq \register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
.endm

begin way_run
    endbr64
    save %rbp
    save %rbx
    save %r12
    save %r13
    save %r14
    save %r15
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq %rsp, (%rdi)
    movq %rdx, %rdi
    call *%rsi
.Lback:
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    load %r15
    load %r14
    load %r13
    load %r12
    load %rbx
    load %rbp
    ret
end way_run

begin way_take
    endbr64
    movq %rdi, %rsp
    jmp .Lback
end way_take

#elif defined(__aarch64__)

#define FRAME_BYTES 160

.macro save first second at
    stp \first, \second, [sp, \at]
    .cfi_rel_offset \first, \at
    .cfi_rel_offset \second, \at + 8
.endm

.macro load first second at
    ldp \first, \second, [sp, \at]
    .cfi_restore \first
    .cfi_restore \second
.endm

begin way_run
    hint 34 /* bti c */
    sub sp, sp, FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    save x29, x30, 0
    save x19, x20, 16
    save x21, x22, 32
    save x23, x24, 48
    save x25, x26, 64
    save x27, x28, 80
    save d8, d9, 96
    save d10, d11, 112
    save d12, d13, 128
    save d14, d15, 144
    mov x29, sp
    str x29, [x0]
    mov x0, x2
    blr x1
.Lback:
    load x19, x20, 16
    load x21, x22, 32
    load x23, x24, 48
    load x25, x26, 64
    load x27, x28, 80
    load d8, d9, 96
    load d10, d11, 112
    load d12, d13, 128
    load d14, d15, 144
    load x29, x30, 0
    add sp, sp, FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
    ret
end way_run

begin way_take
    hint 34
    mov sp, x0
    b .Lback
end way_take

#endif
    .section .note.GNU-stack, "", %progbits
