/* leave.h - an array that two passes do not split is left to the LSD sort.
 *
 * A sample sees where the first digit would crowd bins, but keys may be laid out so that the next
 * ones do, at every level.  So the second pass, once it knows how long each bin is and before it
 * moves an item, adds up those that are far from being rows.  If they have a quarter of the array it
 * stops.  A bin that has nearly all of its bucket counts eight times: a thirty-second is enough.
 * Lists are emptied then, and the word is set that the LSD sort's launches wait for.  These begin
 * with the input, which is as it was: only the second pass would write to the output, which may be
 * the same buffer.
 *
 * So keys, whoever made them, take little longer than two thirds of this sort and the LSD sort.
 *
 * To give up a method whose splits are bad is Musser's idea (introsort, 1997).  Here no call
 * returns: the last block of a launch decides for all launches behind it.
 */
#ifndef CW_SORT_RADIX_LEAVE_H
#define CW_SORT_RADIX_LEAVE_H

#include "sort/radix/bucket.h"

#define LEAVE_PASS  1u
#define LEAVE_PART  32u /* of the array, in bins that have nearly all of their bucket; */
#define LEAVE_LIGHT 8u  /* other bins count so much less */

/* May this launch leave the array?  Lists of very long arrays were worked off after the first pass. */
DEV int may_leave(const struct radix_job *j)
{
    return j->gate != NULL && j->pass == LEAVE_PASS && j->pass + 1u < j->passes && !j->drains;
}

/* A bin of `len` items is split further; it is one of a bucket of `of` items.  If it has nearly all
 * of these the digit told nothing, and the next one may not either. */
DEV void leave_count(const struct radix_job *j, uint64_t len, uint64_t of)
{
    if (may_leave(j) && len > 2u * (uint64_t)j->row_most[1])
        (void)gm_add4(&j->state->left, (uint32_t)(len > of - of / 4u ? len : len / LEAVE_LIGHT));
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
    if (gm_add4(&s->classified, 1u) + 1u < GRID_DIM)
        return;
    gm_fence();
    if (gm_ld4(&s->left) <= (uint32_t)(j->n / LEAVE_PART))
        return;
    gm_st4(&s->pass[LEAVE_PASS].chunks, 0u);
    gm_st4(&s->pass[LEAVE_PASS].crowded, 0u);
    gm_st4(&s->pass[LEAVE_PASS].tickets, 0u);
    gm_st4(&s->pass[LEAVE_PASS + 1u].buckets, 0u);
    gm_st4(&s->pass[LEAVE_PASS + 1u].chunks, 0u);
    for (i = 0; i < RADIX_ROWS; i++)
        gm_st4(&s->rows[0][i], 0u);
    gm_st4(&s->medium, 0u);
    gm_st4(&s->write_outs, 0u);
    gm_st4(&s->write_out_chunks, 0u);
    gm_st4(j->gate, 1u);
}

#endif
