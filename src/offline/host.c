/* host.c - execute a plan on host threads, by the same tables, tiles in a core's cache. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "cpu/transpose/transpose.h"
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
    const struct cw_plan_level *level;
    const unsigned char *in;
    unsigned char *out;
};

/* `tile` has room for one. */
static void do_tile(const cw_plan *plan, const struct pass *p, uint32_t t, unsigned char *tile)
{
    const uint64_t begin = (uint64_t)t * plan->tile;
    const uint32_t items = cw_plan_count(plan, t), bytes = plan->bytes;
    const unsigned char *const in = p->in + begin * bytes;
    uint32_t r, at = 0;

    for (uint32_t i = 0; i < items; i++)
        move_item(tile, p->places[begin + i], in, i, bytes);
    if (!p->bases) {
        memcpy(p->out + begin * bytes, tile, (size_t)items * bytes);
        return;
    }
    r = p->level->first[t];
    for (uint32_t b = 0; b < p->level->buckets; b++) {
        const uint32_t count = p->level->counts[(size_t)t * p->level->buckets + b];

        if (!count)
            continue;
        memcpy(p->out + (uint64_t)(uint32_t)(p->bases[r++] + at) * bytes, tile + (size_t)at * bytes,
               (size_t)count * bytes);
        at += count;
    }
}

static cw_status host_passes(const cw_plan *plan, const unsigned char *table, const void *in,
                             void *out, void *workspace, unsigned threads)
{
    void *const to[3][3] = {{out}, {workspace, out}, {workspace, out, out}};
    const size_t room = (size_t)plan->tile * plan->bytes;
    unsigned char *const tiles = (unsigned char *)malloc(threads * room);
    const int64_t count = plan->tiles;
    struct cw_plan_table t;

    if (!tiles)
        return cw_fail(CW_ERR_MEMORY, "%u tiles of %zu bytes", threads, room);
    cw_plan_pieces(plan, &t);
    for (uint32_t k = 0; k <= plan->parts; k++) {
        struct pass p = {.places =
                             (const uint16_t *)(const void *)(table + t.at[CW_PIECE_PLACES + k]),
                         .in = (const unsigned char *)in,
                         .out = (unsigned char *)to[plan->parts][k]};

        if (k < plan->parts) {
            p.bases = (const uint32_t *)(const void *)(table + t.at[CW_PIECE_BASES + k]);
            p.level = &plan->level[k];
        }
        CW_OMP(omp parallel for num_threads(threads) schedule(dynamic, 1))
        for (int64_t x = 0; x < count; x++)
            do_tile(plan, &p, (uint32_t)x, tiles + cw_thread() * room);
        in = p.out;
    }
    free(tiles);
    return CW_OK;
}

/* ---- maps ----------------------------------------------------------------------------------- */

static void host_bits(const cw_plan *plan, const unsigned char *in, unsigned char *out,
                      unsigned threads)
{
    const uint32_t word = cw_plan_word(plan->bytes), size = cw_bits_least(word);
    struct plan_bits p;
    uint32_t inverse[32], write_from[PLAN_TILE_BITS];
    int64_t blocks;

    cw_bits_tiles(plan->column, plan->bits, plan->start, word, &p);
    (void)cw_bits_invert(plan->column, plan->bits, inverse);
    for (uint32_t k = 0; k < size; k++)
        write_from[k] = cw_bits_apply(inverse, p.write_to[k]);
    blocks = (int64_t)1 << p.block_bits;
    CW_OMP(omp parallel for num_threads(threads) schedule(static))
    for (int64_t b = 0; b < blocks; b++) {
        uint32_t to = plan->start, from = 0;

        for (uint32_t k = 0; k < p.block_bits; k++) {
            from ^= b >> k & 1 ? p.block_from[k] : 0u;
            to ^= b >> k & 1 ? p.block_to[k] : 0u;
        }
        for (uint32_t x = 0; x < 1u << size; x++) { /* in Gray code's order: one bit changes */
            uint32_t k = 0;

            move_item(out, to, in, from, plan->bytes);
            while (k + 1 < size && !((x + 1) >> k & 1u))
                k++;
            to ^= p.write_to[k];
            from ^= write_from[k];
        }
    }
    (void)threads;
}

static uint64_t source_of(const cw_plan *plan, const uint32_t *index, uint64_t i)
{
    if (plan->way == CW_PLAN_GATHER)
        return index[i];
    if (plan->back)
        return plan->first >= i ? plan->first - i : plan->first + plan->n - i;
    return plan->first + i - (plan->first + i >= plan->n ? plan->n : 0);
}

cw_status cw_plan_host(const cw_plan *plan, const unsigned char *table, const void *in, void *out,
                       void *workspace, unsigned threads)
{
    const uint32_t *const index = (const uint32_t *)(const void *)table;
    const int64_t n = (int64_t)cw_plan_blocks(plan);
    const uint32_t bytes = (uint32_t)cw_plan_block(plan) * plan->bytes;

    threads = cw_threads(threads);
    if (plan->way == CW_PLAN_PASSES)
        return host_passes(plan, table, in, out, workspace, threads);
    if (plan->way == CW_PLAN_BITS) {
        host_bits(plan, (const unsigned char *)in, (unsigned char *)out, threads);
        return CW_OK;
    }
    if (plan->way == CW_PLAN_TRANSPOSE) {
        const cw_transpose_job job = {.rows = plan->rows,
                                      .columns = plan->columns,
                                      .batch = 1,
                                      .bytes = plan->bytes,
                                      .in = in,
                                      .out = out};

        return cw_cpu_transpose(&job, NULL, threads);
    }
    CW_OMP(omp parallel for num_threads(threads) schedule(static, BLOCK))
    for (int64_t i = 0; i < n; i++)
        move_item((unsigned char *)out, (uint64_t)i, (const unsigned char *)in,
                  source_of(plan, index, (uint64_t)i), bytes);
    return CW_OK;
}
