/*
 * Leaves one stack and goes on with another (fiber.c). What a function must preserve for its caller
 * is put onto the stack that is left, and taken from the one that was left before:
 *
 *   void fiber_swap(void **sp)       exchanges the stack pointer with *sp
 *   void *fiber_frame(void *top, void (*entry)(void))
 *                                    a stack pointer for fiber_swap(), which then calls entry()
 *
 * The control words of the floating-point unit are preserved too, as start-up code of -ffast-math
 * changes them; writing them is slow, so they are written only if they differ. Stacks of return
 * addresses kept by the processor (SHSTK, GCS) are not switched, and no note claims so.
 *
 * A return would be predicted to go back to the caller, and never does: where it may, fiber_swap()
 * ends with a jump. On a Neoverse V1, a pair of switches then takes 23 ns instead of 30, and with
 * 65,536 fibers in random order 290 instead of 490.
 */
#include "base/assembly.inc"

/* Says which protections of jumps this file keeps to; otherwise the linker turns them off. */
.macro property type bits
    .section .note.gnu.property, "a", %note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long \type, 4, \bits, 0
.endm

    .text
#if defined(__x86_64__) && defined(__LP64__)

/* Offsets in a frame of 64 bytes; 6 bytes of control words come first. */
#define R15    8
#define R14    16
#define R13    24
#define R12    32
#define RBX    40
#define RBP    48
#define RETURN 56

#ifdef __CET__
#define LANDING endbr64
#define JUMP    notrack jmp
#else
#define LANDING
#define JUMP jmp
#endif

begin fiber_swap
    LANDING
    subq $RETURN, %rsp
    .cfi_adjust_cfa_offset RETURN
    movq %r15, R15(%rsp)
    .cfi_rel_offset %r15, R15
    movq %r14, R14(%rsp)
    .cfi_rel_offset %r14, R14
    movq %r13, R13(%rsp)
    .cfi_rel_offset %r13, R13
    movq %r12, R12(%rsp)
    .cfi_rel_offset %r12, R12
    movq %rbx, RBX(%rsp)
    .cfi_rel_offset %rbx, RBX
    movq %rbp, RBP(%rsp)
    .cfi_rel_offset %rbp, RBP
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movl (%rsp), %eax
    movzwl 4(%rsp), %ecx

    movq (%rdi), %rdx
    movq %rsp, (%rdi)
    movq %rdx, %rsp

    cmpl (%rsp), %eax
    je 1f
    ldmxcsr (%rsp)
1:  cmpw 4(%rsp), %cx
    je 2f
    fldcw 4(%rsp)
2:  movq R15(%rsp), %r15
    .cfi_restore %r15
    movq R14(%rsp), %r14
    .cfi_restore %r14
    movq R13(%rsp), %r13
    .cfi_restore %r13
    movq R12(%rsp), %r12
    .cfi_restore %r12
    movq RBX(%rsp), %rbx
    .cfi_restore %rbx
    movq RBP(%rsp), %rbp
    .cfi_restore %rbp
    movq RETURN(%rsp), %rcx
    .cfi_register %rip, %rcx
    addq $64, %rsp
    .cfi_adjust_cfa_offset -64
    JUMP *%rcx
end fiber_swap

begin fiber_frame
    LANDING
    leaq -64(%rdi), %rax
    stmxcsr (%rax)
    fnstcw 4(%rax)
    movq %rsi, RBX(%rax)
    movq $0, RBP(%rax)
    leaq fiber_begin(%rip), %rcx
    movq %rcx, RETURN(%rax)
    ret
end fiber_frame

/* The outermost frame: a back-trace ends here. */
begin fiber_begin
    .cfi_undefined %rip
    call *%rbx
    ud2
end fiber_begin

#ifdef __CET__
property 0xc0000002, 1 /* IBT */
#endif

#elif defined(__aarch64__) && defined(__LP64__)

#define FRAME_BYTES 176
#define FPCR        160

#ifdef __ARM_FEATURE_PAC_DEFAULT
#define LANDING hint 25 /* paciasp, which is a landing pad too */
#define PAC_BIT 2
#else
#define LANDING hint 34 /* bti c */
#define PAC_BIT 0
#endif

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

begin fiber_swap
    LANDING
#ifdef __ARM_FEATURE_PAC_DEFAULT
    .cfi_negate_ra_state
#endif
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
    mrs x9, fpcr
    str x9, [sp, FPCR]

    ldr x10, [x0]
    mov x11, sp
    str x11, [x0]
    mov sp, x10

    ldr x10, [sp, FPCR]
    cmp x9, x10
    b.eq 1f
    msr fpcr, x10
1:  load x29, x30, 0
    load x19, x20, 16
    load x21, x22, 32
    load x23, x24, 48
    load x25, x26, 64
    load x27, x28, 80
    load d8, d9, 96
    load d10, d11, 112
    load d12, d13, 128
    load d14, d15, 144
    add sp, sp, FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
#ifdef __ARM_FEATURE_PAC_DEFAULT
    hint 29 /* autiasp */
    .cfi_negate_ra_state
#endif
#ifdef __ARM_FEATURE_BTI_DEFAULT
    ret
#else
    br x30
#endif
end fiber_swap

begin fiber_frame
    hint 34
    mov x16, x0
    adrp x17, fiber_begin
    add x17, x17, :lo12:fiber_begin
#ifdef __ARM_FEATURE_PAC_DEFAULT
    hint 8 /* pacia1716: signs x17 as fiber_swap() signs its return address */
#endif
    sub x0, x0, FRAME_BYTES
    stp xzr, x17, [x0]
    str x1, [x0, 16]
    mrs x9, fpcr
    str x9, [x0, FPCR]
    ret
end fiber_frame

/* The outermost frame: a back-trace ends here. */
begin fiber_begin
    .cfi_undefined x30
    blr x19
    brk 1
end fiber_begin

#ifdef __ARM_FEATURE_BTI_DEFAULT
property 0xc0000000, 1 + PAC_BIT /* BTI */
#endif

#endif
    .section .note.GNU-stack, "", %progbits
