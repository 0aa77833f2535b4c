/* piece.h - the pieces of a pass (partition/job.h says how they are numbered). */
#ifndef CW_PARTITION_PIECE_H
#define CW_PARTITION_PIECE_H

#include "partition/job.h"

struct partition_piece {
    uint64_t from, to;
    uint32_t range;
};

/* Whether pass 0's counting found bad labels; it does not ask itself. */
DEV int partition_stopped(const struct partition_job *a)
{
    return a->pass && gm_ld4(&a->state->bad);
}

DEV void piece_of(struct partition_piece *p, const struct partition_job *a, uint32_t i)
{
    if (a->ranges == 1) {
        p->from = i * a->chunk;
        p->to = a->n - p->from < a->chunk ? a->n : p->from + a->chunk;
        p->range = 0;
    } else {
        p->from = gm_ld8(a->bounds + i);
        p->to = gm_ld8(a->bounds + i + 1u);
        p->range = gm_ld4(a->range + i);
    }
}

/* The first piece of range p; of the number of ranges, that of pieces. */
DEV uint32_t first_piece(const struct partition_job *a, uint32_t p)
{
    uint64_t c;

    if (a->ranges == 1)
        return p ? a->pieces : 0u;
    if (p == a->ranges)
        return a->pieces;
    c = gm_ld8(a->starts + p) / a->chunk + 1u;
    return p + (uint32_t)(c < a->chunks ? c : a->chunks);
}

/* How many ranges begin before `at`. */
DEV uint32_t parts_before(const struct partition_job *a, uint64_t at)
{
    uint32_t low = 0;
    uint32_t high = a->ranges;

    ROLL while (low < high)
    {
        const uint32_t mid = (low + high) / 2u;

        if (gm_ld8(a->starts + mid) < at)
            low = mid + 1u;
        else
            high = mid;
    }
    return low;
}

#endif
