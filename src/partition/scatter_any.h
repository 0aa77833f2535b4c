/* scatter_any.h - move the items of a piece to where they belong, in any order: by
 * write-combining queues (prim/scatter_combining.h), with the partition's digits. */
#ifndef CW_PARTITION_SCATTER_ANY_H
#define CW_PARTITION_SCATTER_ANY_H

#include "partition/rule.h"
#include "partition/piece.h"
#include "prim/block_take.h"
#include "prim/key.h"

/* Shared memory: offsets and size follow from this. */
struct combining_shared {
    struct {
        uint32_t taken, flag;
        uint32_t unused[62];
    } misc;
    uint32_t bins[RADIX_BINS]; /* the queue of each: its head above, how many wait below */
    union {
        uint64_t base[RADIX_BINS];     /* where the next item of each bin goes */
        uint32_t lines[RADIX_BINS][4]; /* later: lines to be written */
    } u;
    uint8_t queues[RADIX_QUEUES];
    uint32_t cuts[PARTITION_CUTS + 1u]; /* splitters */
};

#define COMBINING_AT(field) SHARED_AT(combining_shared, field)
#define SH_MISC             COMBINING_AT(misc)
#define SH_BINS             COMBINING_AT(bins)
#define SH_BASE             COMBINING_AT(u)
#define MISC_TAKEN          (COMBINING_AT(misc.taken) - SH_MISC)
#define MISC_FLAG           (COMBINING_AT(misc.flag) - SH_MISC)

/* What the write-combining scatter asks for. */
enum { MOVE_IN, MOVE_OUT };
#define COMBINING_JOB          struct partition_move
#define COMBINING_TREE         0
#define load_value(values, at) ((values) ? gm_ld4((values) + (at)) : (uint32_t)(at))

DEV const key *keys_at(const struct partition_move *m, uint32_t at)
{
    return (const key *)(at == MOVE_IN ? m->in : m->out);
}

DEV const uint32_t *values_at(const struct partition_move *m, uint32_t at)
{
    return (const uint32_t *)(at == MOVE_IN ? m->in_values : m->out_values);
}

DEV uint32_t moved_to(uint32_t at)
{
    (void)at;
    return MOVE_OUT;
}

#include "prim/scatter_combining.h"

STATIC_ASSERT(QUEUE_AT == COMBINING_AT(queues) && QUEUE_BYTES == COMBINING_AT(cuts),
              "prim/scatter_combining.h has another layout");
FITS(sizeof(struct combining_shared));

/* Piece i, and where its items of each bin go: to SH_BASE. */
DEV void piece_bases(struct partition_piece *p, const struct partition_job *a, uint32_t i)
{
    piece_of(p, a, i);
    ROLL for (uint32_t b = THREAD_ID; b < 1u << a->width; b += BLOCK_DIM)
    {
        sh_st8(SH_BASE + 8u * b, gm_ld8(a->next + ((uint64_t)p->range << a->width) + b) +
                                     gm_ld8(a->counts + ((uint64_t)i << a->width) + b));
    }
    block_sync();
}

/* Take pieces that go by queues, one after another. */
DEV void combine_pieces(const struct partition_job *a, int plain)
{
    const uint32_t bins = 1u << a->width;
    struct digit d;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, plain, COMBINING_AT(cuts));
    ROLL for (;;)
    {
        const uint32_t i = block_take(&a->state->taken[a->pass][0], SH_MISC + MISC_TAKEN);
        struct partition_piece p;

        if (i >= a->pieces)
            return;
        if (gm_ld4(a->way + i))
            continue;
        piece_bases(&p, a, i);
        queue_range(&a->move, MOVE_IN, p.from, p.to, d, bins, RADIX_QUEUES);
        block_sync();
    }
}

#endif
