/* emu.h - one block of a streaming multiprocessor: warps of 32 lanes, shared memory.
 *
 * The same lanes as the model's (lanes.h), another rule.  A lane stops at every access to
 * shared memory, and the access waits.  When all lanes of a warp have stopped, those that
 * stand at one place in the source (file, line, kind and size of the access) are served
 * together: a request, whose price in wavefronts is in wavefronts.h.  Lanes that stand
 * elsewhere wait.
 *
 * Which place is served first: begin with that of the lowest lane; a place further up in
 * the same file goes before it.  So lanes inside an `if` or a loop go before those that
 * are past it, as on a GPU, where both meet again behind it.  Across files there is no
 * telling; warp_sync brings lanes together where that matters.
 *
 * Warps run one after another from barrier to barrier, lanes in order, so that a run is
 * deterministic.  Writes of several lanes to one word: the highest lane's stays; atomics:
 * in lane order.
 */
#ifndef CW_MACHINE_EMU_H
#define CW_MACHINE_EMU_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_EMU_THREADS 1024u          /* the most of a block */
#define CW_EMU_SHARED  (227u * 1024u) /* the most bytes of shared memory */
#define CW_EMU_JUNK    0xa5           /* every byte of it, before the host writes */

struct cw_emu;

struct cw_emu_config {
    uint32_t threads; /* of the block, the last warp may be part of one */
    uint32_t shared;  /* bytes of shared memory, a multiple of 16 */
};

enum cw_emu_kind { CW_EMU_READ, CW_EMU_ADD, CW_EMU_WRITE };

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

/* Shared memory, for the host. */
void *cw_emu_shared(struct cw_emu *e);

/* Run the kernel on every thread of the block.  CW_ERR_BOUNDS: an access outside shared
 * memory or not a multiple of its size; CW_ERR_BARRIER: a barrier that not all reach. */
cw_status cw_emu_run(struct cw_emu *e, void (*kernel)(struct cw_emu *e, const void *arg),
                     const void *arg);

/* The places of the last run, in the order in which they were first reached; their sum. */
const struct cw_emu_place *cw_emu_list(const struct cw_emu *e, uint32_t *count);
void cw_emu_total(const struct cw_emu *e, struct cw_emu_place *total);

/* ---- called by lanes, through dev_emu.h; `at` is a byte, `site` "file:line" ------ */

uint32_t cw_emu_thread(const struct cw_emu *e);
uint32_t cw_emu_threads(const struct cw_emu *e);
uint32_t cw_emu_read4(struct cw_emu *e, uint32_t at, const char *site);
uint64_t cw_emu_read8(struct cw_emu *e, uint32_t at, const char *site);
struct cw_quad cw_emu_read16(struct cw_emu *e, uint32_t at, const char *site);
void cw_emu_write4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site);
void cw_emu_write8(struct cw_emu *e, uint32_t at, uint64_t x, const char *site);
void cw_emu_write16(struct cw_emu *e, uint32_t at, struct cw_quad x, const char *site);
uint32_t cw_emu_add4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site); /* the old */
void cw_emu_warp_sync(struct cw_emu *e, const char *site);
void cw_emu_block_sync(struct cw_emu *e, const char *site);

#endif
