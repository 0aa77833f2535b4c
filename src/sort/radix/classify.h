/* classify.h - what becomes of the bins of a bucket that is split.
 *
 *      empty, or equal keys in the output    nothing is left to do
 *      keys alone, of few values             counted and written (counting/narrow_buckets.h)
 *      at most row_most[0] items             a row for the local sort; neighbours join as long as
 *                                            they fit in one
 *      at most row_most[1]                   a row of the longer class
 *      more                                  a bucket for the next pass, or a medium bucket for one
 *                                            block
 *
 * A thread has a bin.  SH_BASE holds where each bin starts, SH_BINS what becomes of it.
 *
 * How long the lists can get.  Let m be row_most[0].  Of the rows of one split, two neighbours have
 * more than m items together, unless a bin longer than m / 2 stands between them.  So a split makes
 * at most two rows for every m items that become rows, one more for each longer bin, and one more.
 * A longer bin is done (more than m / 2 items), a long row (more than m), a medium bucket (more
 * than 2m), or one of the most_buckets of the next pass.  All passes together make at most
 *
 *      2n/m + 2 most_buckets * passes rows,     n/m long rows,     n/2m medium buckets.
 *
 * If all items were in medium buckets that are split once, these would make 2.5n/m rows.  There is
 * room for 2.75n/m.  In arrays of less than 2^30 pairs, bins of equal keys are done from m / 4
 * items on, which can make 2n/m rows more; there is room for these, too.  Keys that are laid out
 * for it can make still more rows of medium buckets.  A row that finds no room is a bucket again,
 * and its block sorts it.
 *
 * For very long arrays that would be too much room (`drains`).  Their lists are as long as one pass
 * can make them.  They are worked off after every pass, medium buckets in several rounds
 * (radix/medium_buckets.h).
 */
#ifndef CW_SORT_RADIX_CLASSIFY_H
#define CW_SORT_RADIX_CLASSIFY_H

#include "sort/counting/narrow_buckets.h"
#include "sort/radix/counts.h"
#include "sort/radix/leave.h"
#include "sort/radix/scatter_tile.h"

enum { BIN_DONE, BIN_ROW, BIN_WIDE_ROW, BIN_BUCKET };

DEV void bucket_of_bin(const struct radix_job *j, struct radix_bucket *q,
                       const struct radix_bucket *p, uint32_t b, uint64_t len)
{
    uint64_t first, last;

    if (RADIX_COUNTS && p->tree) {
        first = b ? gm_ld8(&j->tree_ends[b - 1u]) + 1u : 0u;
        last = gm_ld8(&j->tree_ends[b]);
    } else {
        first = bin_first(p, b - (p->open != 0));
        last = bin_last(p, b - (p->open != 0));
    }
    q->start = sh_ld8(SH_BASE + 8u * b);
    q->len = len;
    q->lo = p->lo + first;
    q->last = last - first;
    if (p->open && b == 0) {
        q->lo = 0;
        q->last = p->lo - 1u;
    }
    if (p->open && b + 1u == p->bins) {
        q->lo = p->lo + p->last + 1u;
        q->last = KEY_MAX - q->lo;
    }
    q->tree = 0;
    q->open = 0;
    q->at = moved_to(p->at);
    q->action = BUCKET_SPLIT;
    q->first = 0;
    q->chunks = 0;
    q->bin = 0;
    q->count = 0;
}

DEV uint32_t bin_code(const struct radix_job *j, const struct radix_bucket *q)
{
    if (q->len == 0 || q->action == BUCKET_WRITTEN ||
        (q->last == 0 && q->at == AT_OUT && q->len > j->done_most))
        return BIN_DONE; /* short ones may join others */
    if (q->len <= j->row_most[0])
        return BIN_ROW;
    return q->len <= j->row_most[1] ? BIN_WIDE_ROW : BIN_BUCKET;
}

/* One warp joins neighbouring rows.  Its lanes hold 32 bins at a time and look at them one after
 * another, in order. */
DEV void join_rows(const struct radix_job *j, uint32_t bins)
{
    const uint32_t most = j->row_most[0];
    uint32_t lead = 0;
    uint32_t sum = 0; /* of the row that begins at `lead`; 0: none does */

    ROLL for (uint32_t first = 0; first < bins; first += 32u)
    {
        const uint32_t b = first + LANE_ID;
        const uint64_t len = b < bins ? sh_ld8(CLASSIFY_LENS + 8u * b) : 0u;
        const int row = b < bins && sh_ld4(SH_BINS + 4u * b) == (uint32_t)BIN_ROW;
        const uint32_t rows = ballot(row);
        const uint32_t others = ballot(len != 0 && !row);
        uint32_t joined = 0;

        warp_sync(); /* lengths are read before one of them grows */
        UNROLL4 for (uint32_t k = 0; k < 32u; k++)
        {
            const uint32_t x = shfl4((uint32_t)len, k); /* of a row: at most `most` */

            if (others >> k & 1u)
                sum = 0;
            if ((rows >> k & 1u) == 0)
                continue;
            if (sum && sum + x <= most) {
                sum += x;
                joined |= 1u << k;
                if (LANE_ID == 0)
                    sh_st8(CLASSIFY_LENS + 8u * lead, (uint64_t)sum);
            } else {
                sum = x;
                lead = first + k;
            }
        }
        if (joined >> LANE_ID & 1u)
            sh_st4(SH_BINS + 4u * b, (uint32_t)BIN_DONE);
    }
}

/* Count neighbours that might be joined.  If there are none, join_rows is not called. */
DEV void look_for_joins(const struct radix_job *j, const struct radix_bucket *p, uint32_t code,
                        uint64_t len)
{
    if (THREAD_ID + 1u < p->bins && code == BIN_ROW) {
        const uint32_t next = sh_ld4(SH_BINS + 4u * (THREAD_ID + 1u));
        const uint64_t more = sh_ld8(CLASSIFY_LENS + 8u * (THREAD_ID + 1u));
        const uint64_t end = sh_ld8(SH_BASE + 8u * THREAD_ID) + len;
        const int beyond =
            p->open && (THREAD_ID == 0 || THREAD_ID + 2u == p->bins); /* not worth it */

        if ((next == BIN_ROW || (more == 0 && end < p->start + p->len)) && !beyond &&
            len + more <= j->row_most[0])
            sh_add4(SH_MISC + MISC_JOIN, 1u);
    }
}

/* Append this thread's row to its list, if its bin is one.  Returns 0 if the list is full. */
DEV int append_rows(const struct radix_job *j, uint32_t code, const struct radix_bucket *q,
                    uint64_t len)
{
    const int row = code == BIN_ROW || code == BIN_WIDE_ROW;
    const uint32_t c = code == BIN_WIDE_ROW;
    int room = 1;
    uint32_t i = 0;

    if (THREAD_ID < RADIX_ROWS)
        sh_st4(SH_MISC + MISC_ROWS + 4u * THREAD_ID, 0u);
    block_sync();
    if (row)
        i = sh_add4(SH_MISC + MISC_ROWS + 4u * c, 1u);
    block_sync();
    if (THREAD_ID < RADIX_ROWS) {
        const uint32_t count = sh_ld4(SH_MISC + MISC_ROWS + 4u * THREAD_ID);

        if (count)
            sh_st4(SH_MISC + MISC_ROW_AT + 4u * THREAD_ID,
                   gm_add4(&j->state->rows[j->half][THREAD_ID], count));
    }
    block_sync();
    if (row) {
        i += sh_ld4(SH_MISC + MISC_ROW_AT + 4u * c);
        room = i < j->row_room[c];
        if (room)
            gm_st8(&j->row_list[c][i], row_entry(q->start, len, q->at));
    }
    block_sync();
    return room;
}

/* Decide what becomes of the bins of p.  This thread's bin is q. */
DEV uint32_t settle_bins(const struct radix_job *j, const struct radix_bucket *p,
                         struct radix_bucket *q)
{
    const uint32_t b = THREAD_ID;
    uint32_t code = b < p->bins ? bin_code(j, q) : (uint32_t)BIN_DONE;
    uint64_t len = b < p->bins ? q->len : 0;

    if (b < p->bins) {
        sh_st8(CLASSIFY_LENS + 8u * b, len);
        sh_st4(SH_BINS + 4u * b, code);
    }
    if (b == 0)
        sh_st4(SH_MISC + MISC_JOIN, 0u);
    block_sync();
    look_for_joins(j, p, code, len);
    block_sync();
    if (WARP_ID == 0 && sh_ld4(SH_MISC + MISC_JOIN))
        join_rows(j, p->bins);
    block_sync();
    if (b < p->bins) {
        len = sh_ld8(CLASSIFY_LENS + 8u * b);
        code = sh_ld4(SH_BINS + 4u * b);
    }
    if (!append_rows(j, code, q, len)) {
        q->len = len;
        code = BIN_BUCKET;
    }
    return code;
}

/* Medium buckets on their list. */
#define MEDIUM_WORDS RADIX_MEDIUM_WORDS(KEY_BYTES)

DEV void medium_store(const struct radix_job *j, uint32_t i, const struct radix_bucket *q)
{
    uint64_t *const to = j->medium + (uint64_t)MEDIUM_WORDS * (i % j->medium_room);

    gm_st8(to, q->start | (uint64_t)q->at << 62);
    gm_st8(to + 1, q->len);
#if KEY_BYTES == 4
    gm_st8(to + 2, q->lo | q->last << 32);
#else
    gm_st8(to + 2, q->lo);
    gm_st8(to + 3, q->last);
#endif
}

DEV void medium_load(const struct radix_job *j, uint32_t i, struct radix_bucket *p)
{
    const uint64_t *const from = j->medium + (uint64_t)MEDIUM_WORDS * (i % j->medium_room);
    const uint64_t where = gm_ld8(from);

    p->start = where & ((1ull << 62) - 1u);
    p->at = (uint32_t)(where >> 62);
    p->len = gm_ld8(from + 1);
    p->lo = gm_ld8(from + 2);
#if KEY_BYTES == 4
    p->last = p->lo >> 32;
    p->lo &= 0xffffffffu;
#else
    p->last = gm_ld8(from + 3);
#endif
    p->tree = 0;
    p->open = 0;
}

/* Give a bucket to one block.  A bucket of equal keys is only copied, so it is cut into pieces, one
 * a block.  A piece is longer than 2 row_most[1], so the list has room for it. */
DEV void give_to_block(const struct radix_job *j, const struct radix_bucket *q)
{
    const uint64_t wide = 2u * (uint64_t)j->row_most[1];
    const uint64_t piece = j->chunk > wide ? j->chunk : wide;
    const uint32_t pieces =
        q->last == 0 && q->len > piece && !j->drains ? (uint32_t)(q->len / piece) : 1u;
    const uint32_t first = gm_add4(&j->state->medium, pieces);
    struct radix_bucket p = *q;

    ROLL for (uint32_t k = 0; k < pieces; k++)
    {
        p.start = q->start + k * piece;
        p.len = k + 1u < pieces ? piece : q->len - k * piece;
        medium_store(j, first + k, &p);
    }
}

/* Choose the digit of a bucket of the next pass, and take room for its bins.  Linear digits have at
 * most len / row_items + 2 of them, so there is room for these.  There may not be room for those of
 * all buckets of few values: then one is split like others. */
DEV void next_digit(const struct radix_job *j, struct radix_pass *next, struct radix_bucket *q)
{
    uint32_t few = j->few_bins;

    if (takes_few(q, j->row_items, few) && gm_add4(&next->few, few) + few > j->few_room)
        few = 0;
    choose_digit(q, j->row_items, least4(RADIX_ONE_BINS, j->few_bins), few);
    q->bin = gm_add4(&next->bins, q->bins);
}

/* Cut a bucket of the next pass into chunks of about `chunk` items, and take room for their counts.
 * A chunk has at least count_items for each bin, so that counts take no more than a small part of
 * what the array takes. */
DEV void next_chunks(const struct radix_job *j, struct radix_pass *next, struct radix_bucket *q,
                     uint64_t chunk)
{
    const uint64_t chunks = (q->len + chunk / 2u) / chunk;
    const uint64_t most = q->len / (j->count_items * q->bins);

    q->chunks = (uint32_t)least8(chunks, most);
    q->chunks = q->chunks ? q->chunks : 1u;
    q->first = gm_add4(&next->chunks, q->chunks);
    q->count = gm_add4(&next->counts, q->chunks * q->bins);
}

/* Give a bucket to the next pass, or to one block if it is short or this was the last pass.  A bucket that has nearly all
 * items of the one that was split, `of` of them, goes to a block as well, unless it is very long: a block looks for a
 * digit that tells its keys apart before it moves them (radix/medium_buckets.h), a pass does not. */
DEV void give_to_next(const struct radix_job *j, struct radix_bucket *q, uint64_t of)
{
    const int crowded =
        KEY_LOG == 3 && j->pass && q->len > of - of / 4u && q->len <= 8u * RADIX_LONG;
    struct radix_pass *const next = &j->state->pass[j->pass + 1u];
    const uint32_t side = (j->pass + 1u) & 1u;
    const uint32_t cut = j->pass || q->last == 0 ? 4u : j->tree && gm_ld4(&j->tree->used) ? 2u : 1u;
    const uint64_t chunk = j->chunk / cut; /* where buckets differ in length, chunks are shorter */
    const uint64_t huge = j->both && j->pass == 0 && cut == 1u ? j->huge / 2u : j->huge;
    uint32_t i = 0xffffffffu;

#if RADIX_COUNTS
    if (write_out_bucket(j, q, 0))
        return;
#endif
    if (of != UINT64_MAX) /* one that was only narrowed is cheap */
        leave_count(j, q->len, of);
    if (j->pass + 1u < j->passes && q->len > huge && !crowded)
        i = gm_add4(&next->buckets, 1u);
    if (i < j->most_buckets) {
        next_digit(j, next, q);
        next_chunks(j, next, q, chunk);
        j->buckets[side][i] = *q;
        ROLL for (uint32_t c = 0; c < q->chunks; c++)
            gm_st4(&j->chunk_bucket[side][q->first + c], i);
    } else {
        give_to_block(j, q);
    }
}

/* Exclusive prefix sums of the bins' lengths (this thread's: len) from `start`, to SH_BASE. */
DEV void place_bins(uint64_t len, uint64_t start, uint32_t bins)
{
    const uint64_t sum = warp_scan8(len);

    if (LANE_ID == 31u)
        sh_st8(CLASSIFY_LENS + 8u * WARP_ID, sum);
    block_sync();
    ROLL for (uint32_t w = 0; w < WARP_ID; w++) start += sh_ld8(CLASSIFY_LENS + 8u * w);
    if (THREAD_ID < bins)
        sh_st8(SH_BASE + 8u * THREAD_ID, start + sum - len);
    block_sync();
}

/* If the keys of a bucket lie in less than a 16th of its range, its range becomes theirs. */
DEV int narrow(struct radix_bucket *p, uint64_t least, uint64_t most)
{
    if (p->open || most - least > p->last >> 4)
        return 0;
    p->lo = least;
    p->last = most - least;
    return 1;
}

#endif
