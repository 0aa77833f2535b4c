#define _GNU_SOURCE
#include "machine/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"

#if defined(CW_LANES_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(CW_LANES_TSAN)
#include <sanitizer/tsan_interface.h>
#elif defined(CW_LANES_MSAN)
#include <sanitizer/msan_interface.h>
#endif

#if defined(CW_LANES_ASAN) || defined(CW_LANES_TSAN) || defined(CW_LANES_MSAN)
#define STACK_BYTES(count) ((size_t)128 << 10)
#else
/* Beyond this many lanes stacks are small, so that they fit in half a GiB of huge pages. */
#define FEW_LANES          16384u
#define STACK_BYTES(count) ((count) <= FEW_LANES ? (size_t)16 << 10 : (size_t)8 << 10)
#endif

#define LINE         ((size_t)64)
#define CANARY_BYTES LINE

#if defined(__aarch64__) && !defined(CW_LANES_PORTABLE)
#define LANES_ARM 1
#elif !defined(CW_LANES_X86)
#define LANES_UCONTEXT 1
#include <ucontext.h>
#endif

struct cw_lanes {
    struct cw_lane *table; /* [count + 1]: where each lane stopped; the last is the host's */
    unsigned char *stacks;
    size_t stack, stride; /* bytes of a stack; from one to the next */
    struct cw_lane_entry entry;
    uint32_t count;
#ifdef LANES_UCONTEXT
    ucontext_t *context; /* [count + 1] */
#endif
#ifdef CW_LANES_ASAN
    void **fake; /* [count + 1] */
    const void *host_bottom;
    size_t host_size;
#endif
#ifdef CW_LANES_TSAN
    void **fiber; /* [count + 1]; the host's is known while lanes run */
#endif
};

static size_t slot_of(const struct cw_lanes *lanes, uint32_t lane)
{
    return lane == CW_LANE_HOST ? lanes->count : lane;
}

static unsigned char *bottom_of(const struct cw_lanes *lanes, uint32_t lane)
{
    return lanes->stacks + (size_t)lane * lanes->stride;
}

static void run_lane(struct cw_lanes *lanes, uint64_t lane);

/* ---- the switch: a fresh lane, and from one to another ------------------- */

#if defined(CW_LANES_X86)
/* The first thing that a lane does: take its arguments from its stack. */
void cw_lane_begin(void);

__asm__(".text\n"
        ".globl cw_lane_begin\n"
        ".hidden cw_lane_begin\n"
        ".type cw_lane_begin,@function\n"
        "cw_lane_begin:\n" CW_LANE_LAND "    popq %rdi\n"
        "    popq %rsi\n"
        "    popq %rax\n"
        "    call *%rax\n"
        "    ud2\n"
        ".size cw_lane_begin,.-cw_lane_begin\n");

static void make_fresh(struct cw_lanes *lanes, uint32_t lane)
{
    /* 16-byte aligned where cw_lane_begin calls, three words further up */
    void **const sp = (void **)(bottom_of(lanes, lane) + lanes->stack) - 5;

    sp[0] = lanes;
    sp[1] = (void *)(uintptr_t)lane;
    sp[2] = (void *)(uintptr_t)run_lane;
    sp[3] = NULL; /* where a debugger ends its walk */
    lanes->table[lane].sp = sp;
    lanes->table[lane].bp = NULL;
    lanes->table[lane].ip = (void *)(uintptr_t)cw_lane_begin;
}

static void jump(struct cw_lanes *lanes, size_t from, size_t to)
{
    cw_lane_jump(&lanes->table[from], &lanes->table[to]);
}

#elif defined(LANES_ARM)
void cw_lane_swap(void **save, void *load);
void cw_lane_begin(void);

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

static void make_fresh(struct cw_lanes *lanes, uint32_t lane)
{
    void **const sp = (void **)(bottom_of(lanes, lane) + lanes->stack) - 20;

    memset(sp, 0, 20 * sizeof *sp);
    sp[0] = lanes;                             /* x19 */
    sp[1] = (void *)(uintptr_t)lane;           /* x20 */
    sp[2] = (void *)(uintptr_t)run_lane;       /* x21 */
    sp[11] = (void *)(uintptr_t)cw_lane_begin; /* x30 */
    lanes->table[lane].sp = sp;
}

static void jump(struct cw_lanes *lanes, size_t from, size_t to)
{
    cw_lane_swap(&lanes->table[from].sp, lanes->table[to].sp);
}

#else /* ucontext: anywhere, slowly */
static void run_split(unsigned high, unsigned low, unsigned lane)
{
    run_lane((struct cw_lanes *)(uintptr_t)((uint64_t)high << 32 | low), lane);
}

static void make_fresh(struct cw_lanes *lanes, uint32_t lane)
{
    ucontext_t *const c = &lanes->context[lane];

    getcontext(c);
    c->uc_stack.ss_sp = bottom_of(lanes, lane) + CANARY_BYTES;
    c->uc_stack.ss_size = lanes->stack - CANARY_BYTES;
    makecontext(c, (void (*)(void))(uintptr_t)run_split, 3,
                (unsigned)((uint64_t)(uintptr_t)lanes >> 32), (unsigned)(uintptr_t)lanes, lane);
}

static void jump(struct cw_lanes *lanes, size_t from, size_t to)
{
    swapcontext(&lanes->context[from], &lanes->context[to]);
}
#endif

/* A lane that leaves for ever gives its shadow stack back. */
static void swap(struct cw_lanes *lanes, uint32_t from, uint32_t to, int leaving)
{
    const size_t a = slot_of(lanes, from);
    const size_t b = slot_of(lanes, to);

#ifdef CW_LANES_ASAN
    const void *bottom = to == CW_LANE_HOST ? lanes->host_bottom : bottom_of(lanes, to);
    const size_t size = to == CW_LANE_HOST ? lanes->host_size : lanes->stack;

    __sanitizer_start_switch_fiber(leaving ? NULL : &lanes->fake[a], bottom, size);
#else
    (void)leaving;
#endif
#ifdef CW_LANES_TSAN
    if (from == CW_LANE_HOST)
        lanes->fiber[a] = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(lanes->fiber[b], 0);
#endif
    jump(lanes, a, b);
#ifdef CW_LANES_ASAN
    __sanitizer_finish_switch_fiber(lanes->fake[a], NULL, NULL);
#endif
}

static void run_lane(struct cw_lanes *lanes, uint64_t lane64)
{
    uint32_t lane;

#ifdef CW_LANES_MSAN /* assembly called this, and says nothing of the arguments */
    __msan_unpoison(&lanes, sizeof lanes);
    __msan_unpoison(&lane64, sizeof lane64);
#endif
    lane = (uint32_t)lane64;
#ifdef CW_LANES_ASAN
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

#ifdef CW_LANES_TSAN
#define FIBERS_MOST 4096u /* ThreadSanitizer counts them as threads, of which it has 8128 */

static void drop_fibers(struct cw_lanes *lanes)
{
    for (uint32_t i = 0; lanes->fiber && i < lanes->count; i++) {
        if (lanes->fiber[i])
            __tsan_destroy_fiber(lanes->fiber[i]);
        lanes->fiber[i] = NULL;
    }
}
#endif

/* ---- the lanes ----------------------------------------------------------- */

static cw_status create(uint32_t count, int huge, struct cw_lanes **out)
{
    struct cw_lanes *lanes = (struct cw_lanes *)calloc(1, sizeof *lanes);
    void *map;

    *out = NULL;
    if (!lanes)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u lanes", count);
    lanes->count = count;
    lanes->stack = STACK_BYTES(count);
    lanes->stride = lanes->stack + LINE;
    map = mmap(NULL, count * lanes->stride, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    lanes->stacks = map == MAP_FAILED ? NULL : (unsigned char *)map;
    lanes->table = (struct cw_lane *)calloc((size_t)count + 1, sizeof *lanes->table);
#ifdef LANES_UCONTEXT
    lanes->context = (ucontext_t *)calloc((size_t)count + 1, sizeof *lanes->context);
    if (!lanes->context)
        goto no_memory;
#endif
#ifdef CW_LANES_ASAN
    lanes->fake = (void **)calloc((size_t)count + 1, sizeof *lanes->fake);
    if (!lanes->fake)
        goto no_memory;
#endif
#ifdef CW_LANES_TSAN
    if (count > FIBERS_MOST)
        goto no_memory;
    lanes->fiber = (void **)calloc((size_t)count + 1, sizeof *lanes->fiber);
    if (!lanes->fiber)
        goto no_memory;
#endif
    if (!lanes->stacks || !lanes->table)
        goto no_memory;
    (void)madvise(map, count * lanes->stride, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    *out = lanes;
    return CW_OK;

no_memory:
    cw_lanes_destroy(lanes);
    return cw_fail(CW_ERR_MEMORY, "out of memory for the stacks of %u lanes", count);
}

cw_status cw_lanes_create(uint32_t count, struct cw_lanes **out)
{
    return create(count, 1, out);
}

cw_status cw_lanes_create_lean(uint32_t count, struct cw_lanes **out)
{
    return create(count, 0, out);
}

void cw_lanes_destroy(struct cw_lanes *lanes)
{
    if (!lanes)
        return;
    if (lanes->stacks)
        munmap(lanes->stacks, lanes->count * lanes->stride);
    free(lanes->table);
#ifdef LANES_UCONTEXT
    free(lanes->context);
#endif
#ifdef CW_LANES_ASAN
    free(lanes->fake);
#endif
#ifdef CW_LANES_TSAN
    drop_fibers(lanes);
    free(lanes->fiber);
#endif
    free(lanes);
}

void cw_lanes_start(struct cw_lanes *lanes, const struct cw_lane_entry *entry)
{
    lanes->entry = *entry;
#ifdef CW_LANES_TSAN
    drop_fibers(lanes); /* a lane that stands somewhere has calls that never return */
    for (uint32_t i = 0; i < lanes->count; i++)
        lanes->fiber[i] = __tsan_create_fiber(0);
#endif
#ifdef CW_LANES_ASAN
    lanes->host_bottom = NULL;
    __asan_unpoison_memory_region(lanes->stacks, lanes->count * lanes->stride);
#endif
    for (uint32_t i = 0; i < lanes->count; i++)
        make_fresh(lanes, i);
    for (uint32_t i = 0; i <= lanes->count; i++)
        lanes->table[i].id = i;
}

void cw_lanes_enter(struct cw_lanes *lanes, uint32_t lane)
{
    swap(lanes, CW_LANE_HOST, lane, 0);
}

void cw_lanes_switch(struct cw_lanes *lanes, uint32_t from, uint32_t to)
{
    swap(lanes, from, to, 0);
}

/* The lowest line of a stack is zero, as fresh pages are, until somebody comes that
 * far: so the canary costs no page.  A line that was found dirty is cleaned, for the
 * next run. */
uint32_t cw_lanes_overrun(struct cw_lanes *lanes)
{
    static const unsigned char clean[CANARY_BYTES];
    uint32_t found = CW_LANE_HOST;

    for (uint32_t i = lanes->count; i-- > 0;) {
        if (memcmp(bottom_of(lanes, i), clean, CANARY_BYTES) != 0) {
            memset(bottom_of(lanes, i), 0, CANARY_BYTES);
            found = i;
        }
    }
    return found;
}

size_t cw_lanes_room(const struct cw_lanes *lanes, uint32_t lane, const void *here)
{
    const uintptr_t bottom = (uintptr_t)bottom_of(lanes, lane) + CANARY_BYTES;

    return (uintptr_t)here > bottom ? (uintptr_t)here - bottom : 0;
}

/* Fresh pages are zero, so what is not zero was written to. */
size_t cw_lanes_used(const struct cw_lanes *lanes)
{
    size_t most = 0;

    for (uint32_t i = 0; i < lanes->count; i++) {
        const uint64_t *const word = (const uint64_t *)(const void *)bottom_of(lanes, i);
        size_t low = 0;

        while (low < lanes->stack / sizeof *word && !word[low])
            low++;
        most = lanes->stack - low * sizeof *word > most ? lanes->stack - low * sizeof *word : most;
    }
    return most;
}

size_t cw_lanes_stack(const struct cw_lanes *lanes)
{
    return lanes->stack;
}

size_t cw_lanes_bytes(const struct cw_lanes *lanes)
{
    return lanes->count * (lanes->stride + sizeof *lanes->table);
}

struct cw_lane *cw_lanes_table(struct cw_lanes *lanes)
{
    return lanes->table;
}
