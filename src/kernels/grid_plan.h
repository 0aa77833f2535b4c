/* grid_plan.h - the launches of a whole-device sort, by host arithmetic alone.
 *
 * grid_plan() lays out the workspace from `base` on (which may be 0 to learn its size) and lists
 * the kernels to be launched, in order, on one stream.  Nothing depends on the keys.
 */
#ifndef CW_GRID_PLAN_H
#define CW_GRID_PLAN_H

#include <stddef.h>
#include <string.h>

#include "kernels/grid_job.h"

#ifndef GRID_LONG /* a part of this length is never worked on by more than one block */
#define GRID_LONG 32768u
#endif

enum grid_kernel {
    GRID_BEGIN,
    GRID_COUNT,
    GRID_ORDER,
    GRID_SPLIT,
    GRID_MOVE,
    GRID_TILES,
    GRID_CROWDED,
    GRID_MIDS,
    GRID_ROW_SORT_0,
    GRID_ROW_SORT_1,
    GRID_KERNELS
};

struct grid_step {
    enum grid_kernel kernel;
    uint32_t level;
    uint32_t blocks;
};

struct grid_plan {
    struct grid_job job;
    struct grid_step step[5 + 4 * GRID_LEVELS];
    int steps;
    int row_log;    /* rows are of 2^row_log items, or twice that */
    uint64_t bytes; /* of workspace, the second buffer included */
};

/* What a plan is made for. */
struct grid_task {
    uint64_t n;
    uint32_t key_bytes, value_bytes; /* 0: no values */
    uint32_t stable;
    uint32_t processors; /* multiprocessors of the device */

    uint32_t round_items; /* of a block */
    uint32_t move_blocks; /* a multiprocessor */
    uint32_t row_threads; /* that a multiprocessor holds, of those that sort rows */
};

static inline uint64_t grid_take(uint64_t *at, uint64_t bytes)
{
    const uint64_t here = *at;

    *at += (bytes + 255u) / 256u * 256u;
    return here;
}

static inline void grid_step_add(struct grid_plan *p, enum grid_kernel k, uint32_t level,
                                 uint64_t blocks)
{
    struct grid_step *const s = &p->step[p->steps++];

    s->kernel = k;
    s->level = level;
    s->blocks = (uint32_t)(blocks < 1 ? 1 : blocks);
}

/* Rows as short as two splits can make them, or one if that is enough: short rows are sorted
 * faster, and a split into more bins costs little more. */
static inline int grid_row_log(uint64_t n)
{
    const uint64_t one = n / GRID_BINS;
    const uint64_t items = one <= 3980u ? one : one / GRID_BINS;

    return items <= 970u ? 10 : items <= 1940u ? 11 : 12;
}

static inline uint32_t grid_levels(const struct grid_task *t, uint64_t huge)
{
    if (t->n <= huge)
        return 0;
    if (t->n / GRID_BINS <= 3980u)
        return 1;
    if (t->n <= (uint64_t)1 << 22)
        return 2;
    return t->key_bytes > 4 ? 6 : 5;
}

static inline void grid_sizes(struct grid_job *j, const struct grid_task *t, int log)
{
    const uint64_t slots = (uint64_t)t->processors * t->move_blocks;

    j->n = t->n;
    j->chunk = t->n / slots + 1u; /* to be taken one after another: twice or more as many */
    if (t->n >> 25)
        j->chunk = t->n / ((slots > 200u ? 2u : 4u) * slots) + 1u;
    if (j->chunk < 8192u)
        j->chunk = 8192u;
    j->huge = t->n / (GRID_HUGE - 24) + 1u;
    if (j->huge < GRID_LONG)
        j->huge = GRID_LONG;
    j->most_parts = t->n / j->huge + 1u; /* no more are that long */
    j->levels = grid_levels(t, j->huge);
    j->row_items = log < 12 ? (uint32_t)(915u << (log - 10)) : 3840u;
    for (int i = 0; i < GRID_ROWS; i++)
        j->row_most[i] = 1u << (log + i);
    j->stable = t->stable;
}

static inline void grid_layout(struct grid_plan *p, const struct grid_task *t, uint64_t base)
{
    struct grid_job *const j = &p->job;
    const uint64_t chunks = 2u * (t->n / j->chunk) + 2u + j->most_parts;
    uint64_t at = base;

    j->tmp = (void *)grid_take(&at, t->n * t->key_bytes);
    j->tmp_values = (void *)grid_take(&at, t->n * t->value_bytes);
    j->state = (struct grid_state *)grid_take(&at, sizeof *j->state);
    for (int i = 0; i < 2; i++) {
        j->parts[i] = (struct grid_part *)grid_take(&at, j->most_parts * sizeof(struct grid_part));
        j->chunk_part[i] = (uint32_t *)grid_take(&at, 4u * chunks);
    }
    j->starts = (uint64_t *)grid_take(&at, 8u * GRID_BINS * j->most_parts * j->levels);
    j->chunk_keys = (uint64_t *)grid_take(&at, 16u * chunks);
    j->chunk_way = (uint32_t *)grid_take(&at, 4u * chunks);
    j->crowded = (uint32_t *)grid_take(&at, 4u * chunks);
    j->counts = (uint64_t *)grid_take(&at, 8u * GRID_BINS * chunks);
    j->mid = (struct grid_part *)grid_take(&at, (t->n / j->row_most[1] + 64u) *
                                                    sizeof(struct grid_part));
    j->row_list[0] = (uint64_t *)grid_take(&at, 8u * (t->n / j->row_most[0] * 8u + 1024u));
    j->row_list[1] = (uint64_t *)grid_take(&at, 8u * (t->n / j->row_most[0] + 64u));
    p->bytes = at - base;
}

/* The caller sets in, out and their values in the job. */
static inline void grid_plan(struct grid_plan *p, const struct grid_task *t, uint64_t base)
{
    const uint64_t slots = (uint64_t)t->processors * t->move_blocks;
    uint64_t chunks;

    memset(p, 0, sizeof *p);
    p->row_log = grid_row_log(t->n);
    if (t->n <= 8192u) {
        p->row_log = t->n <= 1024u ? 10 : t->n <= 2048u ? 11 : 12;
        grid_sizes(&p->job, t, p->row_log);
        if (t->n)
            grid_step_add(p, t->n <= 4096u ? GRID_ROW_SORT_0 : GRID_ROW_SORT_1, 0, 1);
        return;
    }
    grid_sizes(&p->job, t, p->row_log);
    grid_layout(p, t, base);
    grid_step_add(p, GRID_BEGIN, 0, p->job.levels ? t->processors : 1u);
    chunks = t->n / p->job.chunk + 1u;
    for (uint32_t l = 0; l < p->job.levels; l++) {
        const uint64_t some = chunks < slots ? chunks : slots;

        grid_step_add(p, GRID_COUNT, l, chunks < 4u * t->processors ? chunks : 4u * t->processors);
        if (t->stable)
            grid_step_add(p, GRID_ORDER, l, l ? 2u * t->processors : 1u);
        grid_step_add(p, GRID_SPLIT, l, l ? 2u * t->processors : 1u);
        if (!t->stable)
            grid_step_add(p, GRID_MOVE, l, some);
        grid_step_add(p, t->stable ? GRID_TILES : GRID_CROWDED, l, some);
    }
    grid_step_add(p, GRID_MIDS, 0, p->job.levels ? 2u * t->processors : 1u);
    for (int i = 0; i < GRID_ROWS; i++) {
        const uint64_t rows = t->n / p->job.row_most[0] * 8u + 1u;
        const uint64_t most = (uint64_t)t->processors * (t->row_threads >> (p->row_log + i - 5));

        grid_step_add(p, i ? GRID_ROW_SORT_1 : GRID_ROW_SORT_0, 0, rows < most ? rows : most);
    }
}

#endif
