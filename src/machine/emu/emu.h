/* emu.h - a streaming multiprocessor: grids of blocks, warps of 32 lanes, shared memory.
 *
 * The same lanes as the model's (lanes.h), another rule.  A lane stops at every access to
 * shared memory, and the access waits.  When all lanes of a warp have stopped, those that
 * stand at one place in the source (file, line, kind and size of the access) are served
 * together: a request, whose price in wavefronts is in wavefronts.h.  Lanes that stand
 * elsewhere wait.
 *
 * Which place is served first is told by emu_order.h: lanes in an earlier round of a loop go
 * before those in a later one, and then lanes further up in a file before those further down.  So
 * lanes inside an `if` or a loop go before those that are past it, as on a GPU, where both meet
 * again behind it.  Across files there is no telling; warp_sync brings lanes together where that
 * matters.
 *
 * A lane may also let a request pass (sh_skip), as in a branch that has an access less than the
 * other.  Each lane counts the requests that it made or let pass; where lanes meet, all take the
 * highest count among them, since who waits lets requests pass.  As long as a lane of the warp
 * has let one pass since it last met others, only the lanes with the lowest count are served: those
 * that make as many steps in every branch stay at one step, as on the model.
 *
 * Words of the whole warp (shuffles, votes, match, warp_sync) and of the whole block
 * (block_sync) are served when all its threads have come to one place in the source; a
 * thread that ends or stands at another one is an error.  warp_sync_mask is the same for some
 * lanes of a warp: they go on as soon as all of the mask wait at one place with that mask,
 * whatever the other lanes do.  (A GPU would let them come to several places, too.)
 *
 * Two threads that ask for one word of shared memory, one of them to write, with no barrier
 * between them, are an error too (emu_races.h), although here the outcome is certain: of a
 * launch with the same order and seed, blocks, warps and lanes run in the same order.
 * Global memory is asked at once, atomics are carried out in that order.
 *
 * Of some blocks that have begun one runs, until it ends, waits for another or has had its turn
 * (emu_blocks.c).
 */
#ifndef CW_MACHINE_EMU_EMU_H
#define CW_MACHINE_EMU_EMU_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "clearway.h"
#include "base/buffer.h"

#define CW_EMU_THREADS 1024u          /* the most of a block */
#define CW_EMU_SHARED  (227u * 1024u) /* the most bytes of shared memory */
#define CW_EMU_JUNK    0xa5           /* every byte of it, before anybody writes */

struct cw_emu;

struct cw_emu_config {
    uint32_t threads; /* of a block, the last warp may be part of one */
    uint32_t shared;  /* bytes of shared memory, a multiple of 16 */
};

typedef void (*cw_emu_kernel)(struct cw_emu *e, const void *arg);

/* In which order blocks begin, and which of those that have begun goes on.
 *
 *   SEQUENTIAL    by number; a block goes on until it ends or waits
 *   REVERSED      the same from the last block on
 *   RANDOM        in a random order, a random one for a random number of steps
 *   ADVERSARIAL   the same with few steps, and stops at the words that blocks speak by; a relaxed
 *                 read may find what was there before the last store of another block
 */
enum cw_emu_order_by {
    CW_EMU_SEQUENTIAL,
    CW_EMU_REVERSED,
    CW_EMU_RANDOM,
    CW_EMU_ADVERSARIAL,
    CW_EMU_ORDERS
};

/* A mistake made on purpose: tests see by it that it would be found.  Asked at every word of these
 * kinds; where it applies, an atomic is a read and a write, a barrier or a fence is not there, and a
 * release or an acquire is relaxed. */
enum cw_emu_fault_kind {
    CW_EMU_FAULT_ATOMIC,
    CW_EMU_FAULT_BLOCK_SYNC,
    CW_EMU_FAULT_WARP_SYNC,
    CW_EMU_FAULT_FENCE,
    CW_EMU_FAULT_ORDER,
    CW_EMU_FAULTS
};

struct cw_emu_fault {
    int (*applies)(void *user, enum cw_emu_fault_kind kind, const char *site);
    void *user;
};

/* What is not named is 0: one block after another, the usual limits. */
struct cw_emu_launch {
    cw_emu_kernel kernel;
    const void *arg;
    uint32_t blocks;
    const struct cw_emu_buffer *buffers;
    uint32_t buffer_count;
    int cooperative;            /* all blocks have begun before any ends, as on a GPU */
    enum cw_emu_order_by order; /* of blocks */
    uint64_t seed;
    uint32_t resident; /* blocks that run at a time, if not cooperative; 0: 1, or 4 if random */
    uint64_t steps;    /* the most that threads may stop; 0: CW_EMU_STEPS */
    const struct cw_emu_fault *fault; /* NULL: none */
};

#define CW_EMU_STEPS ((uint64_t)1 << 33)
#define CW_EMU_QUIET ((uint64_t)1 << 24) /* stops in a row with no write: nothing will change */

/* COUNT: an atomic that adds 1 and returns nothing. */
enum cw_emu_kind { CW_EMU_READ, CW_EMU_ADD, CW_EMU_WRITE, CW_EMU_COUNT };

struct cw_quad { /* 16 bytes */
    uint32_t x, y, z, w;
};

/* A place in the source and what it cost in the last run. */
struct cw_emu_place {
    const char *site;
    enum cw_emu_kind kind;
    uint32_t bytes;
    uint32_t worst; /* most wavefronts of one request */
    uint64_t requests, wavefronts, ideal;
};

cw_status cw_emu_create(const struct cw_emu_config *config, struct cw_emu **out);
void cw_emu_destroy(struct cw_emu *e);

/* Run the kernel on every thread of every block; each block finds its shared memory full of junk.
 * A block that waits for another (cw_emu_spin) lets others go on: all blocks of a cooperative
 * launch, otherwise those that have begun.  The first error ends the launch:
 *
 *   CW_ERR_BOUNDS          an access outside shared memory or outside the buffers, one that is
 *                          not at a multiple of its size, a write to a buffer that is not
 *                          writable, a shuffle from a lane that does not exist
 *   CW_ERR_UNWRITTEN       a read of shared memory, or of a byte of a buffer, that nobody wrote
 *   CW_ERR_RACE            two accesses that nothing orders, to shared memory or to a buffer
 *   CW_ERR_BARRIER         a barrier, shuffle, vote or match that not all reach
 *   CW_ERR_STUCK           all blocks wait for each other, or threads go on for ever */
cw_status cw_emu_launch(struct cw_emu *e, const struct cw_emu_launch *launch);

/* The same for one block without buffers, on shared memory as the host or the last run left it:
 * all of it counts as written. */
cw_status cw_emu_run(struct cw_emu *e, cw_emu_kernel kernel, const void *arg);

/* Shared memory, for the host, before and after a run. */
void *cw_emu_shared(struct cw_emu *e);

/* The places of the last run, in the order in which they were first reached; their sum. */
const struct cw_emu_place *cw_emu_list(const struct cw_emu *e, uint32_t *count);
void cw_emu_total(const struct cw_emu *e, struct cw_emu_place *total);

/* A copy of the list (free it) with the largest excess over the ideal first, then by file and
 * line; NULL when out of memory.  The same as a table, one line a place, the sum last. */
struct cw_emu_place *cw_emu_sorted(const struct cw_emu *e, uint32_t *count);
cw_status cw_emu_report(const struct cw_emu *e, FILE *out);

/* A hash of who asked for which address, and when, in the last run: of shared memory and of the
 * buffers, where addresses are counted from the start of each. */
uint64_t cw_emu_trace(const struct cw_emu *e);

/* ---- called by lanes, through dev_emu.h; `at` is a byte, `site` "file:line" ------ */

/* The emulator that this thread of the host runs. */
extern _Thread_local struct cw_emu *cw_emu_now;

uint32_t cw_emu_thread(const struct cw_emu *e);
uint32_t cw_emu_threads(const struct cw_emu *e);
uint32_t cw_emu_block(const struct cw_emu *e);
uint32_t cw_emu_blocks(const struct cw_emu *e);

uint32_t cw_emu_read4(struct cw_emu *e, uint32_t at, const char *site);
uint64_t cw_emu_read8(struct cw_emu *e, uint32_t at, const char *site);
struct cw_quad cw_emu_read16(struct cw_emu *e, uint32_t at, const char *site);
void cw_emu_write4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site);
void cw_emu_write8(struct cw_emu *e, uint32_t at, uint64_t x, const char *site);
void cw_emu_write16(struct cw_emu *e, uint32_t at, struct cw_quad x, const char *site);
uint32_t cw_emu_add4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site); /* the old */
void cw_emu_count4(struct cw_emu *e, uint32_t at, const char *site);
void cw_emu_skip(struct cw_emu *e, const char *site);

/* Two words `apart` bytes apart, the low half first: two requests, each with a place. */
uint64_t cw_emu_read_pair(struct cw_emu *e, uint32_t at, uint32_t apart, const char *low,
                          const char *high);
void cw_emu_write_pair(struct cw_emu *e, uint32_t at, uint32_t apart, uint64_t x, const char *low,
                       const char *high);

uint32_t cw_emu_load1(struct cw_emu *e, const void *p, const char *site);
uint32_t cw_emu_load2(struct cw_emu *e, const void *p, const char *site);
uint32_t cw_emu_load4(struct cw_emu *e, const void *p, const char *site);
uint64_t cw_emu_load8(struct cw_emu *e, const void *p, const char *site);
struct cw_quad cw_emu_load16(struct cw_emu *e, const void *p, const char *site);
void cw_emu_store1(struct cw_emu *e, void *p, uint32_t x, const char *site);
void cw_emu_store2(struct cw_emu *e, void *p, uint32_t x, const char *site);
void cw_emu_store4(struct cw_emu *e, void *p, uint32_t x, const char *site);
void cw_emu_store8(struct cw_emu *e, void *p, uint64_t x, const char *site);
void cw_emu_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site);
uint32_t cw_emu_fetch_add4(struct cw_emu *e, void *p, uint32_t x, const char *site);
uint64_t cw_emu_fetch_add8(struct cw_emu *e, void *p, uint64_t x, const char *site);

/* The words that blocks speak to each other by: each is seen by others as a whole, or not yet. */
enum cw_emu_sense { CW_EMU_RELAXED, CW_EMU_ACQUIRE, CW_EMU_RELEASE };

uint32_t cw_emu_strong_load4(struct cw_emu *e, const void *p, enum cw_emu_sense s,
                             const char *site);
uint64_t cw_emu_strong_load8(struct cw_emu *e, const void *p, enum cw_emu_sense s,
                             const char *site);
struct cw_quad cw_emu_strong_load16(struct cw_emu *e, const void *p, const char *site);
void cw_emu_strong_store4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_sense s,
                          const char *site);
void cw_emu_strong_store8(struct cw_emu *e, void *p, uint64_t x, enum cw_emu_sense s,
                          const char *site);
void cw_emu_strong_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site);

enum cw_emu_update { CW_EMU_PLUS, CW_EMU_OR, CW_EMU_MAX, CW_EMU_MIN };

uint32_t cw_emu_update4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_update how,
                        enum cw_emu_sense s, const char *site); /* the old */
void cw_emu_any(struct cw_emu *e, int on); /* plain stores do not race with each other */
void cw_emu_fence(struct cw_emu *e, const char *site);

/* A thread that waits for another block: each time that its condition does not hold, and once
 * when it does. */
void cw_emu_spin(struct cw_emu *e, const char *site);
void cw_emu_spun(struct cw_emu *e);

/* What all lanes of a warp do together: each brings a value, `arg` is a lane, a mask or a
 * distance, and each takes a value away. */
enum cw_emu_meet {
    CW_EMU_SYNC,
    CW_EMU_SHFL,
    CW_EMU_SHFL_XOR,
    CW_EMU_SHFL_UP,
    CW_EMU_BALLOT,
    CW_EMU_ALL,
    CW_EMU_ANY,
    CW_EMU_MATCH,
    CW_EMU_SYNC_MASK
};

uint64_t cw_emu_meet(struct cw_emu *e, enum cw_emu_meet what, uint64_t x, uint32_t arg,
                     const char *site);
void cw_emu_warp_sync(struct cw_emu *e, const char *site);
void cw_emu_warp_sync_mask(struct cw_emu *e, uint32_t mask, const char *site);
void cw_emu_block_sync(struct cw_emu *e, const char *site);

#endif
