/* scatter_any.h - move the items of a piece to where they belong, in any order: by the queues of the
 * whole-device sort (prim/scatter_combining.h), with the partition's digits. */
#ifndef CW_PARTITION_SCATTER_ANY_H
#define CW_PARTITION_SCATTER_ANY_H

#include "partition/rule.h"
#include "partition/piece.h"

#define RADIX_OWN_DIGIT
#define load_value(values, at) ((values) ? gm_ld4((values) + (at)) : (uint32_t)(at))
#include "prim/scatter_combining.h"

#define PARTITION_RING_CUTS   RING_BYTES
#define PARTITION_RING_SHARED (RING_BYTES + 1024u)

/* Piece i, and where its items of each bin go: to SH_BASE. */
DEV void piece_bases(struct partition_piece *p, const struct partition_job *a, uint32_t i)
{
    piece_of(p, a, i);
    ROLL for (uint32_t b = THREAD_ID; b < 1u << a->width; b += BLOCK_DIM)
    {
        sh_st8(SH_BASE + 8u * b, gm_ld8(a->next + ((uint64_t)p->part << a->width) + b) +
                                     gm_ld8(a->counts + ((uint64_t)i << a->width) + b));
    }
    block_sync();
}

/* Take pieces that go by queues, one after another. */
DEV void ring_pieces(const struct partition_job *a, int plain)
{
    const uint32_t bins = 1u << a->width;
    struct digit d;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, plain, PARTITION_RING_CUTS);
    ROLL for (;;)
    {
        const uint32_t i = take_number(&a->state->taken[a->level][0]);
        struct partition_piece p;

        if (i >= a->pieces)
            return;
        if (gm_ld4(a->way + i))
            continue;
        piece_bases(&p, a, i);
        ring_range(&a->j, AT_IN, p.from, p.to, d, bins, WAY_RING, RADIX_RING);
        block_sync();
    }
}

#endif
