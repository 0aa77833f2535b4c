/* host.c - execute a plan on host threads, by the same tables, tiles in a core's cache.
 *
 * The table is the caller's memory: perhaps nobody wrote it, or it is another plan's.  So every
 * place and base is held against the arrays before it is used; a table that fails is reported.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/status.h"
#include "offline/bits.h"
#include "offline/plan.h"

#define BLOCK 4096 /* items that a thread takes at a time where there are no tiles */

static inline void move_item(unsigned char *out, uint64_t to, const unsigned char *in,
                             uint64_t from, uint32_t bytes)
{
    switch (bytes) {
    case 4:
        memcpy(out + 4 * to, in + 4 * from, 4);
        break;
    case 8:
        memcpy(out + 8 * to, in + 8 * from, 8);
        break;
    case 16:
        memcpy(out + 16 * to, in + 16 * from, 16);
        break;
    default:
        memcpy(out + to * bytes, in + from * bytes, bytes);
    }
}

/* ---- passes --------------------------------------------------------------------------------- */

struct pass {
    const uint16_t *places;
    const uint32_t *bases; /* NULL in the last pass */
    const struct cw_plan_partition *by;
    const unsigned char *in;
    unsigned char *out;
};

/* Is it the plan's table?  `tile` has room for one. */
static int do_tile(const cw_plan *plan, const struct pass *p, uint32_t t, unsigned char *tile)
{
    const uint64_t begin = (uint64_t)t * plan->tile;
    const uint32_t items = cw_plan_count(plan, t), bytes = plan->bytes;
    const unsigned char *const in = p->in + begin * bytes;
    uint32_t r, at = 0, most = 0;

    for (uint32_t i = 0; i < items; i++)
        most = p->places[begin + i] > most ? p->places[begin + i] : most;
    if (most >= items)
        return 0;
    for (uint32_t i = 0; i < items; i++)
        move_item(tile, p->places[begin + i], in, i, bytes);
    if (!p->bases) {
        memcpy(p->out + begin * bytes, tile, (size_t)items * bytes);
        return 1;
    }
    r = p->by->first[t];
    for (uint32_t b = 0; b < p->by->buckets; b++) {
        const uint32_t count = p->by->counts[(size_t)t * p->by->buckets + b];
        uint64_t to;

        if (!count)
            continue;
        to = (uint32_t)(p->bases[r++] + at);
        if (to > plan->n - count)
            return 0;
        memcpy(p->out + to * bytes, tile + (size_t)at * bytes, (size_t)count * bytes);
        at += count;
    }
    return 1;
}

/* What threads share. */
struct work {
    const cw_plan *plan;
    struct pass pass;
    unsigned char *tiles; /* room for one a thread */
    const uint32_t *index;
    const struct plan_bits *bits;
    const uint32_t *write_from;
    _Atomic int stray; /* the table is not the plan's */
};

static void do_tiles(void *user, size_t t, size_t end, unsigned thread)
{
    struct work *w = (struct work *)user;
    const size_t room = (size_t)w->plan->tile * w->plan->bytes;

    for (; t < end; t++)
        if (!do_tile(w->plan, &w->pass, (uint32_t)t, w->tiles + thread * room))
            atomic_store(&w->stray, 1);
}

static cw_status not_its_table(void)
{
    return cw_fail(CW_ERR_LABEL, "the table is not this plan's: cw_plan_write_table writes it");
}

static cw_status host_passes(const cw_plan *plan, const unsigned char *table, const void *in,
                             void *out, void *workspace, struct cw_team *team)
{
    void *const to[3][3] = {{out}, {workspace, out}, {workspace, out, out}};
    const size_t room = (size_t)plan->tile * plan->bytes;
    const unsigned all = cw_team_threads(team), threads = all < plan->tiles ? all : plan->tiles;
    struct work w = {.plan = plan};
    struct cw_plan_table t;

    w.tiles = (unsigned char *)calloc(threads, room);
    if (!w.tiles)
        return cw_fail(CW_ERR_MEMORY, "%u tiles of %zu bytes", threads, room);
    cw_plan_pieces(plan, &t);
    for (uint32_t k = 0; k <= plan->partitions && !w.stray; k++) {
        struct pass p = {.places =
                             (const uint16_t *)(const void *)(table + t.at[CW_PIECE_PLACES + k]),
                         .in = (const unsigned char *)in,
                         .out = (unsigned char *)to[plan->partitions][k]};

        if (k < plan->partitions) {
            p.bases = (const uint32_t *)(const void *)(table + t.at[CW_PIECE_BASES + k]);
            p.by = &plan->partition[k];
        }
        w.pass = p;
        cw_team_run(team, threads, plan->tiles, 1, do_tiles, &w);
        in = p.out;
    }
    free(w.tiles);
    return w.stray ? not_its_table() : CW_OK;
}

/* ---- maps ----------------------------------------------------------------------------------- */

static void do_blocks(void *user, size_t b, size_t end, unsigned thread)
{
    const struct work *w = (const struct work *)user;
    const struct plan_bits *const p = w->bits;
    const uint32_t size = cw_bits_least(cw_plan_word(w->plan->bytes));

    (void)thread;
    for (; b < end; b++) {
        uint32_t to = w->plan->start, from = 0;

        for (uint32_t k = 0; k < p->block_bits; k++) {
            from ^= b >> k & 1 ? p->block_from[k] : 0u;
            to ^= b >> k & 1 ? p->block_to[k] : 0u;
        }
        for (uint32_t x = 0; x < 1u << size; x++) { /* in Gray code's order: one bit changes */
            uint32_t k = 0;

            move_item(w->pass.out, to, w->pass.in, from, w->plan->bytes);
            while (k + 1 < size && !((x + 1) >> k & 1u))
                k++;
            to ^= p->write_to[k];
            from ^= w->write_from[k];
        }
    }
}

static void host_bits(const cw_plan *plan, const unsigned char *in, unsigned char *out,
                      struct cw_team *team)
{
    struct work w = {.plan = plan, .pass = {.in = in, .out = out}};
    const uint32_t word = cw_plan_word(plan->bytes), size = cw_bits_least(word);
    struct plan_bits p;
    uint32_t inverse[32], write_from[PLAN_TILE_BITS];
    const unsigned threads = cw_team_threads(team);
    size_t blocks;

    cw_bits_tiles(plan->column, plan->bits, plan->start, word, &p);
    (void)cw_bits_invert(plan->column, plan->bits, inverse);
    for (uint32_t k = 0; k < size; k++)
        write_from[k] = cw_bits_apply(inverse, p.write_to[k]);
    w.bits = &p;
    w.write_from = write_from;
    blocks = (size_t)1 << p.block_bits;
    cw_team_run(team, threads, blocks, blocks / (8 * (size_t)threads) + 1, do_blocks, &w);
}

static uint64_t source_of(const cw_plan *plan, const uint32_t *index, uint64_t i)
{
    if (plan->way == CW_PLAN_GATHER)
        return index[i];
    if (plan->back)
        return plan->first >= i ? plan->first - i : plan->first + plan->n - i;
    return plan->first + i - (plan->first + i >= plan->n ? plan->n : 0);
}

static void do_items(void *user, size_t i, size_t end, unsigned thread)
{
    struct work *w = (struct work *)user;
    const cw_plan *const plan = w->plan;
    const uint64_t blocks = cw_plan_blocks(plan);
    const uint32_t bytes = (uint32_t)cw_plan_block(plan) * plan->bytes;
    int stray = 0;

    (void)thread;
    for (; i < end; i++) {
        const uint64_t from = source_of(plan, w->index, i);

        if (from < blocks)
            move_item(w->pass.out, i, w->pass.in, from, bytes);
        else
            stray = 1;
    }
    if (stray)
        atomic_store(&w->stray, 1);
}

cw_status cw_plan_host(const cw_plan *plan, const unsigned char *table, const void *in, void *out,
                       void *workspace, struct cw_team *team)
{
    struct work w = {.plan = plan,
                     .pass = {.in = (const unsigned char *)in, .out = (unsigned char *)out},
                     .index = (const uint32_t *)(const void *)table};

    if (plan->way == CW_PLAN_PASSES)
        return host_passes(plan, table, in, out, workspace, team);
    if (plan->way == CW_PLAN_BITS) {
        host_bits(plan, w.pass.in, w.pass.out, team);
        return CW_OK;
    }
    cw_team_run(team, cw_team_threads(team), (size_t)cw_plan_blocks(plan), BLOCK, do_items, &w);
    return w.stray ? not_its_table() : CW_OK;
}
