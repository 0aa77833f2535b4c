/* leave.h - an array that passes do not split is left to the LSD sort.
 *
 * A sample sees where the first digit would crowd bins, but keys may be laid out so that the next
 * ones do, at every level.  So each pass but the first, once it knows how long each bin is and before
 * it moves an item, adds up the bins that are far from being rows.  Bins that have an eighth of their
 * bucket or more count whole, as the digit told little of them and the next one may not tell more;
 * others count an eighth.  The array is left if that comes to a thirty-second of it, or if one bin
 * that counts whole is so long that the block which gets it in the end would take longer than the LSD
 * sort takes for all.  Lists are emptied then, and the word is set that the LSD sort's launches wait
 * for.
 *
 * These begin with the input, which must be as it was.  The second pass is the first that writes to
 * the output, and decides before it does.  Later passes decide only if the output is another buffer:
 * buckets that the second pass only narrowed show in the third how they split.
 *
 * So keys, whoever made them, take little longer than two thirds of this sort and the LSD sort.
 *
 * To give up a method whose splits are bad is Musser's idea (introsort, 1997).  Here no call
 * returns: the last block of a launch decides for all launches behind it.
 */
#ifndef CW_SORT_RADIX_LEAVE_H
#define CW_SORT_RADIX_LEAVE_H

#include "sort/radix/bucket.h"

#define LEAVE_PART 32u  /* of the array, in bins that have much of their bucket */
#define LEAVE_MUCH 8u   /* an eighth of it is much; bins that have less count an eighth */
#define LEAVE_LONG 512u /* of the array, in one bin: a block takes some 16 ns a key (H200) */
#define LEAVE_SURE (1u << 31)

/* May this launch leave the array?  Lists of very long arrays were worked off after the first pass. */
DEV int may_leave(const struct radix_job *j)
{
    const int in_place = j->in == j->out || (j->in_values && j->in_values == j->out_values);

    return j->gate != NULL && j->pass && (j->pass == 1u || !in_place) && !j->drains;
}

/* A bin of `len` items is split further; it is one of a bucket of `of` items. */
DEV void leave_count(const struct radix_job *j, uint64_t len, uint64_t of)
{
    const int much = len > of / LEAVE_MUCH;

    if (!may_leave(j) || len <= 2u * (uint64_t)j->row_most[1])
        return;
    if (much && len > j->n / LEAVE_LONG)
        (void)gm_or4(&j->state->left, LEAVE_SURE);
    else
        (void)gm_add4(&j->state->left, (uint32_t)(much ? len : len / LEAVE_MUCH));
}

/* All of the kernel's blocks call it at their end.  The last one decides. */
DEV void leave_decide(const struct radix_job *j)
{
    struct radix_state *const s = j->state;
    uint32_t i;

    if (!may_leave(j))
        return;
    block_sync();
    if (THREAD_ID)
        return;
    gm_fence();
    if (gm_add4(&s->classified, 1u) + 1u < GRID_DIM * j->pass) /* as many in every pass */
        return;
    gm_fence();
    if (gm_ld4(&s->left) <= (uint32_t)(j->n / LEAVE_PART))
        return;
    gm_st4(&s->pass[j->pass].chunks, 0u);
    gm_st4(&s->pass[j->pass].crowded, 0u);
    gm_st4(&s->pass[j->pass].tickets, 0u);
    gm_st4(&s->pass[j->pass + 1u].buckets, 0u);
    gm_st4(&s->pass[j->pass + 1u].chunks, 0u);
    for (i = 0; i < RADIX_ROWS; i++)
        gm_st4(&s->rows[0][i], 0u);
    gm_st4(&s->medium, 0u);
    gm_st4(&s->write_outs, 0u);
    gm_st4(&s->write_out_chunks, 0u);
    gm_st4(j->gate, 1u);
}

#endif
