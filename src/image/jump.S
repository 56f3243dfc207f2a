/*
 * begin_jump(stack, entry): enters a program, with the stack on which the system would have put its
 * arguments, and nothing to call when it ends.
 */
    .text
    .globl begin_jump
    .hidden begin_jump
    .type begin_jump, %function
    .p2align 4
begin_jump:
    .cfi_startproc
#if defined(__x86_64__)
    .cfi_undefined %rip
    endbr64
    movq %rdi, %rsp
    xorl %edx, %edx
    xorl %ebp, %ebp
    jmp *%rsi
#elif defined(__aarch64__)
    .cfi_undefined x30
    hint 34 /* bti c */
    mov sp, x0
    mov x16, x1
    mov x0, xzr
    mov x29, xzr
    mov x30, xzr
    br x16
#endif
    .cfi_endproc
    .size begin_jump, . - begin_jump
    .section .note.GNU-stack, "", %progbits
