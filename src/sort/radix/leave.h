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
 * These begin with the input.  The second pass is the first that writes to the output, and decides
 * before it does.  Later passes decide as well: buckets that the second pass only narrowed show in
 * the third how they split.  If the array is sorted in place, its input is gone by then.  But its
 * items are all there: some stand in rows and buckets on lists, which are sorted into the output,
 * and the others in the buckets of this pass.  Those are copied to the output instead of being
 * split, and the LSD sort begins with that.  Equal keys of a stable sort still are in order, since
 * passes keep it.
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

enum { LEAVE_NOT, LEAVE_NOW, LEAVE_COPIES };

/* Does the LSD sort find in its input what this pass has not yet put into the output? */
DEV int input_stays(const struct radix_job *j)
{
    return j->pass == 1u || (j->in != j->out && (!j->in_values || j->in_values != j->out_values));
}

/* Is its input the output, where this pass can copy all? */
DEV int input_is_output(const struct radix_job *j)
{
    return j->in == j->out && (!j->in_values || j->in_values == j->out_values);
}

/* May this launch leave the array?  Lists of very long arrays were worked off after the first pass. */
DEV int may_leave(const struct radix_job *j)
{
    return j->gate != NULL && j->pass && !j->drains && (input_stays(j) || input_is_output(j));
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

/* Nothing more is split. */
DEV void leave_passes(const struct radix_job *j)
{
    struct radix_pass *const now = &j->state->pass[j->pass];

    gm_st4(&now->chunks, 0u);
    gm_st4(&now->crowded, 0u);
    gm_st4(&now->tickets, 0u);
    gm_st4(&now[1].buckets, 0u);
    gm_st4(&now[1].chunks, 0u);
    gm_st4(j->gate, 1u);
}

/* Note how long the lists are, in case the next pass leaves the array. */
DEV void leave_note(struct radix_state *s)
{
    ROLL for (uint32_t i = 0; i < RADIX_ROWS; i++)
        gm_st4(&s->before.rows[i], gm_ld4(&s->rows[0][i]));
    gm_st4(&s->before.medium, gm_ld4(&s->medium));
    gm_st4(&s->before.write_outs, gm_ld4(&s->write_outs));
    gm_st4(&s->before.write_out_chunks, gm_ld4(&s->write_out_chunks));
}

/* Take back what this pass has put on lists (`all`: what all have). */
DEV void leave_lists(struct radix_state *s, int all)
{
    ROLL for (uint32_t i = 0; i < RADIX_ROWS; i++)
        gm_st4(&s->rows[0][i], all ? 0u : gm_ld4(&s->before.rows[i]));
    gm_st4(&s->medium, all ? 0u : gm_ld4(&s->before.medium));
    gm_st4(&s->write_outs, all ? 0u : gm_ld4(&s->before.write_outs));
    gm_st4(&s->write_out_chunks, all ? 0u : gm_ld4(&s->before.write_out_chunks));
}

/* The last block that has classified buckets decides. */
DEV uint32_t leave_how(const struct radix_job *j)
{
    struct radix_state *const s = j->state;

    gm_fence();
    if (gm_add4(&s->classified, 1u) + 1u < GRID_DIM * j->pass) /* as many in every pass */
        return LEAVE_NOT;
    gm_fence();
    if (gm_ld4(&s->left) <= (uint32_t)(j->n / LEAVE_PART)) {
        leave_note(s);
        return LEAVE_NOT;
    }
    leave_passes(j);
    leave_lists(s, input_stays(j));
    return input_stays(j) ? LEAVE_NOW : LEAVE_COPIES;
}

/* Put the chunks of a bucket that was not counted on the list for tiles. */
DEV void list_chunks(const struct radix_job *j, const struct radix_bucket *p)
{
    const uint32_t at = gm_add4(&j->state->pass[j->pass].crowded, p->chunks);

    ROLL for (uint32_t c = 0; c < p->chunks; c++) gm_st4(&j->crowded[at + c], p->first + c);
}

/* Buckets of this pass are copied to the output, unless they stand there. */
DEV void leave_copies(const struct radix_job *j)
{
    const uint32_t buckets =
        least4(gm_ld4(&j->state->pass[j->pass].buckets), (uint32_t)j->most_buckets);

    ROLL for (uint32_t i = THREAD_ID; i < buckets; i += BLOCK_DIM)
    {
        struct radix_bucket *const p = &j->buckets[j->pass & 1u][i];

        gm_st4(&p->action, p->at == AT_TMP ? BUCKET_COPY : BUCKET_STAYS);
        if (p->at == AT_TMP)
            list_chunks(j, p);
    }
}

/* All of the kernel's blocks call it at their end. */
DEV void leave_decide(const struct radix_job *j)
{
    if (!may_leave(j))
        return;
    block_sync();
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_FLAG, leave_how(j));
    block_sync();
    if (sh_ld4(SH_MISC + MISC_FLAG) == LEAVE_COPIES)
        leave_copies(j);
}

#endif
