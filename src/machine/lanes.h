/* lanes.h - coroutines: one stack a lane, and a switch from one to another.
 *
 * A lane runs until it switches away; there are no threads and no preemption,
 * so a scheduler built on this is deterministic.  Lanes hold no resources: a
 * run that fails simply leaves them where they stand, and the next
 * cw_lanes_start puts every lane back at its beginning.
 *
 * Stacks are cut from one mapping, an odd number of cache lines apart: with all
 * of them at one page offset, a thousand lanes would fight for eight cache
 * lines, which costs a factor of five.
 *
 * On x86-64 the switch is inline (cw_lane_jump): three words saved, three
 * loaded, one jump.  The compiler is told that it loses all registers, so it
 * saves those that it needs and no others; and as no call or return crosses the
 * switch, returns stay predictable.  Elsewhere, and under sanitizers that must be
 * told of every switch, it is a call.
 */
#ifndef CW_MACHINE_LANES_H
#define CW_MACHINE_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

/* Sanitizers: those of addresses and of threads must be told of every switch, that of memory of a lane's
 * arguments only. */
#if defined(__SANITIZE_ADDRESS__)
#define CW_LANES_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define CW_LANES_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CW_LANES_ASAN 1
#elif __has_feature(thread_sanitizer)
#define CW_LANES_TSAN 1
#elif __has_feature(memory_sanitizer)
#define CW_LANES_MSAN 1
#endif
#endif

#if defined(__x86_64__) && !defined(CW_LANES_PORTABLE)
#define CW_LANES_X86 1
#if !defined(CW_LANES_ASAN) && !defined(CW_LANES_TSAN)
#define CW_LANES_INLINE 1
#endif
#endif

#define CW_LANE_HOST UINT32_MAX /* the caller of cw_lanes_enter, as a place to switch to */

struct cw_lanes;

/* Where a lane stopped, and room for what it asked its scheduler for. */
struct cw_lane {
    void *sp, *bp, *ip;
    const char *site;
    void *at;
    uint32_t id; /* the host's is the number of lanes */
};

/* What a lane runs; when it returns, `done` is asked which lane runs next. */
struct cw_lane_entry {
    void (*body)(uint32_t lane, void *arg);
    uint32_t (*done)(uint32_t lane, void *arg);
    void *arg;
};

cw_status cw_lanes_create(uint32_t count, struct cw_lanes **out);

/* The same in pages that are taken one by one: for many sets of lanes, of which each needs little. */
cw_status cw_lanes_create_lean(uint32_t count, struct cw_lanes **out);
void cw_lanes_destroy(struct cw_lanes *lanes);

/* Put all lanes at the beginning of entry->body. */
void cw_lanes_start(struct cw_lanes *lanes, const struct cw_lane_entry *entry);

/* From the host: run `lane` until some lane switches to CW_LANE_HOST.  The host may
 * enter that lane again. */
void cw_lanes_enter(struct cw_lanes *lanes, uint32_t lane);

/* From lane `from`: go on with lane `to`; returns when somebody switches back. */
void cw_lanes_switch(struct cw_lanes *lanes, uint32_t from, uint32_t to);

/* After a run: the first lane that overran its stack, or CW_LANE_HOST. */
uint32_t cw_lanes_overrun(struct cw_lanes *lanes);

/* Bytes left on a lane's stack below this address of a local variable of it. */
#define CW_LANES_SPARE 2048 /* less than this, and the lane should not go on */
size_t cw_lanes_room(const struct cw_lanes *lanes, uint32_t lane, const void *here);

/* Bytes of stack that a lane has; bytes of memory that the lanes may come to hold. */
size_t cw_lanes_stack(const struct cw_lanes *lanes);
size_t cw_lanes_bytes(const struct cw_lanes *lanes);

/* The most bytes of its stack that a lane has written to, since the lanes were made. */
size_t cw_lanes_used(const struct cw_lanes *lanes);

/* Where each lane stopped, by lane: for cw_lane_jump. */
struct cw_lane *cw_lanes_table(struct cw_lanes *lanes);

#ifdef CW_LANES_X86
#ifdef __AVX512F__
#define CW_LANE_CLOBBER_512                                                                       \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
        "k7"
#else
#define CW_LANE_CLOBBER_512
#endif

/* With branch protection an indirect jump must land on this. */
#if defined(__CET__) && __CET__ & 1
#define CW_LANE_LAND "endbr64\n\t"
#else
#define CW_LANE_LAND ""
#endif

/* Stop here, and go on where `to` stopped.  The frame pointer cannot be named as lost,
 * so it is saved; nothing is pushed, since a leaf function keeps data below sp. */
static inline __attribute__((always_inline)) void cw_lane_jump(struct cw_lane *from,
                                                               struct cw_lane *to)
{
    __asm__ volatile("movq %%rsp, 0(%0)\n\t"
                     "movq %%rbp, 8(%0)\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rax, 16(%0)\n\t"
                     "movq 0(%1), %%rsp\n\t"
                     "movq 8(%1), %%rbp\n\t"
                     "jmpq *16(%1)\n"
                     "1:\n\t" CW_LANE_LAND
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "memory", "cc" CW_LANE_CLOBBER_512);
}
#endif

#endif
