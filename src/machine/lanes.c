#define _GNU_SOURCE
#include "machine/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/status.h"

#if defined(__SANITIZE_ADDRESS__)
#define LANES_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANES_ASAN 1
#endif
#endif

#ifdef LANES_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)128 << 10)
#else
#define STACK_BYTES ((size_t)16 << 10)
#endif

#define CANARY          UINT64_C(0xc1ea5a11c1ea5a11)
#define HUGE_PAGE_LANES 8192u /* up to here the stacks may sit in huge pages: fewer TLB misses */

#if defined(__x86_64__) || defined(__aarch64__)
#define LANES_ASM 1
#else
#include <ucontext.h>
#endif

struct cw_lanes {
    void **sp; /* [count + 1]: where each lane stopped; the last is the host's */
    unsigned char *stacks;
    struct cw_lane_entry entry;
    uint32_t count;
#ifndef LANES_ASM
    ucontext_t *context; /* [count + 1] */
#endif
#ifdef LANES_ASAN
    void **fake; /* [count + 1] */
    const void *host_bottom;
    size_t host_size;
#endif
};

static size_t slot_of(const struct cw_lanes *lanes, uint32_t lane)
{
    return lane == CW_LANE_HOST ? lanes->count : lane;
}

static unsigned char *bottom_of(const struct cw_lanes *lanes, uint32_t lane)
{
    return lanes->stacks + (size_t)lane * STACK_BYTES;
}

/* 64 places, 64 bytes apart, in an order that sends neighbours far from each other. */
static size_t stagger(uint32_t lane)
{
    return (size_t)(lane * 37 % 64) * 64;
}

/* ---- the switch ---------------------------------------------------------- */

#ifdef LANES_ASM
void cw_lane_swap(void **save, void *load);
void cw_lane_begin(void);

#if defined(__x86_64__)
/* Callee-saved registers only; `jmp` rather than `ret`, because a return to
 * another stack is one that the return predictor always misses. */
__asm__(".text\n"
        ".globl cw_lane_swap\n"
        ".hidden cw_lane_swap\n"
        ".type cw_lane_swap,@function\n"
        "cw_lane_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n"
        "    jmp *%rcx\n"
        ".size cw_lane_swap,.-cw_lane_swap\n"
        ".globl cw_lane_begin\n"
        ".hidden cw_lane_begin\n"
        ".type cw_lane_begin,@function\n"
        "cw_lane_begin:\n"
        "    movq %r12, %rdi\n"
        "    movq %r13, %rsi\n"
        "    xorl %ebp, %ebp\n"
        "    call *%r14\n"
        "    ud2\n"
        ".size cw_lane_begin,.-cw_lane_begin\n");

static void *fresh_stack(void *top, struct cw_lanes *lanes, uint32_t lane,
                         void (*run)(struct cw_lanes *, uint64_t))
{
    void **sp = (void **)top;

    sp -= 2;                                  /* a call begins 16-byte aligned */
    *--sp = (void *)(uintptr_t)cw_lane_begin; /* popped into rcx */
    *--sp = NULL;                             /* rbp */
    *--sp = NULL;                             /* rbx */
    *--sp = lanes;                            /* r12 */
    *--sp = (void *)(uintptr_t)lane;          /* r13 */
    *--sp = (void *)(uintptr_t)run;           /* r14 */
    *--sp = NULL;                             /* r15 */
    return sp;
}
#else /* aarch64 */
__asm__(".text\n"
        ".globl cw_lane_swap\n"
        ".hidden cw_lane_swap\n"
        ".type cw_lane_swap,%function\n"
        "cw_lane_swap:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    br x30\n"
        ".size cw_lane_swap,.-cw_lane_swap\n"
        ".globl cw_lane_begin\n"
        ".hidden cw_lane_begin\n"
        ".type cw_lane_begin,%function\n"
        "cw_lane_begin:\n"
        "    mov x0, x19\n"
        "    mov x1, x20\n"
        "    blr x21\n"
        "    brk #1\n"
        ".size cw_lane_begin,.-cw_lane_begin\n");

static void *fresh_stack(void *top, struct cw_lanes *lanes, uint32_t lane,
                         void (*run)(struct cw_lanes *, uint64_t))
{
    void **sp = (void **)top - 20;

    memset(sp, 0, 20 * sizeof *sp);
    sp[0] = lanes;                             /* x19 */
    sp[1] = (void *)(uintptr_t)lane;           /* x20 */
    sp[2] = (void *)(uintptr_t)run;            /* x21 */
    sp[11] = (void *)(uintptr_t)cw_lane_begin; /* x30 */
    return sp;
}
#endif
#endif /* LANES_ASM */

static void swap(struct cw_lanes *lanes, uint32_t from, uint32_t to, int leaving)
{
    const size_t a = slot_of(lanes, from);
    const size_t b = slot_of(lanes, to);

#ifdef LANES_ASAN
    const void *bottom = to == CW_LANE_HOST ? lanes->host_bottom : bottom_of(lanes, to);
    const size_t size = to == CW_LANE_HOST ? lanes->host_size : STACK_BYTES - stagger(to);

    __sanitizer_start_switch_fiber(leaving ? NULL : &lanes->fake[a], bottom, size);
#else
    (void)leaving;
#endif
#ifdef LANES_ASM
    cw_lane_swap(&lanes->sp[a], lanes->sp[b]);
#else
    swapcontext(&lanes->context[a], &lanes->context[b]);
#endif
#ifdef LANES_ASAN
    __sanitizer_finish_switch_fiber(lanes->fake[a], NULL, NULL);
#endif
}

static void run_lane(struct cw_lanes *lanes, uint64_t lane64)
{
    const uint32_t lane = (uint32_t)lane64;

#ifdef LANES_ASAN
    const void *from;
    size_t size;

    __sanitizer_finish_switch_fiber(NULL, &from, &size);
    if (!lanes->host_bottom) { /* the first lane to start was entered from the host */
        lanes->host_bottom = from;
        lanes->host_size = size;
    }
#endif
    lanes->entry.body(lane, lanes->entry.arg);
    swap(lanes, lane, lanes->entry.done(lane, lanes->entry.arg), 1);
}

#ifndef LANES_ASM
static void run_split(unsigned high, unsigned low, unsigned lane)
{
    run_lane((struct cw_lanes *)(uintptr_t)((uint64_t)high << 32 | low), lane);
}
#endif

/* ---- the lanes ----------------------------------------------------------- */

cw_status cw_lanes_create(uint32_t count, struct cw_lanes **out)
{
    struct cw_lanes *lanes = (struct cw_lanes *)calloc(1, sizeof *lanes);
    const size_t bytes = (size_t)count * STACK_BYTES;
    void *map;

    *out = NULL;
    if (!lanes)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u lanes", count);
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
               0);
    lanes->count = count;
    lanes->stacks = map == MAP_FAILED ? NULL : (unsigned char *)map;
    lanes->sp = (void **)calloc((size_t)count + 1, sizeof *lanes->sp);
#ifndef LANES_ASM
    lanes->context = (ucontext_t *)calloc((size_t)count + 1, sizeof *lanes->context);
    if (!lanes->context)
        goto no_memory;
#endif
#ifdef LANES_ASAN
    lanes->fake = (void **)calloc((size_t)count + 1, sizeof *lanes->fake);
    if (!lanes->fake)
        goto no_memory;
#endif
    if (!lanes->stacks || !lanes->sp)
        goto no_memory;
    (void)madvise(map, bytes, count <= HUGE_PAGE_LANES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    *out = lanes;
    return CW_OK;

no_memory:
    cw_lanes_destroy(lanes);
    return cw_fail(CW_ERR_MEMORY, "out of memory for the stacks of %u lanes", count);
}

void cw_lanes_destroy(struct cw_lanes *lanes)
{
    if (!lanes)
        return;
    if (lanes->stacks)
        munmap(lanes->stacks, (size_t)lanes->count * STACK_BYTES);
    free(lanes->sp);
#ifndef LANES_ASM
    free(lanes->context);
#endif
#ifdef LANES_ASAN
    free(lanes->fake);
#endif
    free(lanes);
}

void cw_lanes_start(struct cw_lanes *lanes, const struct cw_lane_entry *entry)
{
    lanes->entry = *entry;
#ifdef LANES_ASAN
    lanes->host_bottom = NULL;
    __asan_unpoison_memory_region(lanes->stacks, (size_t)lanes->count * STACK_BYTES);
#endif
    for (uint32_t i = 0; i < lanes->count; i++) {
        unsigned char *const bottom = bottom_of(lanes, i);
        const uint64_t canary = CANARY;

        memcpy(bottom, &canary, sizeof canary);
#ifdef LANES_ASM
        lanes->sp[i] = fresh_stack(bottom + STACK_BYTES - stagger(i), lanes, i, run_lane);
#else
        getcontext(&lanes->context[i]);
        lanes->context[i].uc_stack.ss_sp = bottom + sizeof canary;
        lanes->context[i].uc_stack.ss_size = STACK_BYTES - sizeof canary - stagger(i);
        makecontext(&lanes->context[i], (void (*)(void))(uintptr_t)run_split, 3,
                    (unsigned)((uint64_t)(uintptr_t)lanes >> 32), (unsigned)(uintptr_t)lanes, i);
#endif
    }
}

void cw_lanes_enter(struct cw_lanes *lanes, uint32_t lane)
{
    swap(lanes, CW_LANE_HOST, lane, 0);
}

void cw_lanes_switch(struct cw_lanes *lanes, uint32_t from, uint32_t to)
{
    swap(lanes, from, to, 0);
}

uint32_t cw_lanes_overrun(const struct cw_lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->count; i++) {
        uint64_t canary;

        memcpy(&canary, bottom_of(lanes, i), sizeof canary);
        if (canary != CANARY)
            return i;
    }
    return CW_LANE_HOST;
}

size_t cw_lanes_bytes(const struct cw_lanes *lanes)
{
    return (size_t)lanes->count * (STACK_BYTES + sizeof(void *));
}
