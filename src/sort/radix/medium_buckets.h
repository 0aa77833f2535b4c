/* medium_buckets.h - a block takes a bucket of medium size and splits it until rows are left.
 *
 * Buckets that wait stand on a stack in shared memory.  All of them lie in the one bucket that the
 * block took, and have more than row_most[1] items each, so the stack is seldom high.  If it is,
 * buckets are split into fewer bins, at least three.  That halves their ranges, so at most two more
 * buckets are stacked for each bit of the key.
 *
 * Keys may be laid out so that nearly all of a bucket fall into one bin, and a few into others, at every level
 * of the key.  Then items are not moved for the sake of those few: the digit looks at the full bin alone
 * (zoom_in), until it tells items apart.  To count again takes a tenth of the time.  A move so leaves no
 * bucket with more than three quarters of the items, unless they are equal.
 *
 * Narrow buckets that are still to be counted (counting/narrow_buckets.h) are counted here, too,
 * which saves a launch.  Blocks without a bucket begin with these.
 *
 * A row that found no room in its list (radix/classify.h) comes to the stack as well.  It is sorted
 * by counting, for each item, how many go before it: that is slow, but such rows are short.
 *
 * In very long arrays (`drains`) lists are shorter than the array could need.  Medium buckets are
 * then worked off in rounds, and the rows of a round are sorted after it.  A bucket claims room for
 * the rows that it may make.  If there is not enough, its block ends, and begins the next round
 * with that bucket.
 *
 * A stack of buckets that wait: McIlroy, Bostic and McIlroy (Engineering Radix Sort, 1993).
 */
#ifndef CW_SORT_RADIX_MEDIUM_BUCKETS_H
#define CW_SORT_RADIX_MEDIUM_BUCKETS_H

#include "sort/counting/write_out.h"
#include "sort/radix/pass.h"

#define STACK_MANY 256u /* from here on, few bins */
#define STACK_MOST (STACK_MANY + 16u * KEY_BYTES)

struct stack_entry {
    uint64_t start, len, lo, last;
    uint32_t at;
    uint32_t unused;
};

struct medium_shared {
    union {
        struct queues_shared queues;
        struct tile_medium tile;
    } u; /* how a bucket is moved */
    struct stack_entry stack[STACK_MOST];
};

#define STACK_AT(i, field)                                                          \
    (SHARED_AT(medium_shared, stack) + (uint32_t)sizeof(struct stack_entry) * (i) + \
     SHARED_AT(stack_entry, field))

DEV void stack_push(const struct radix_bucket *q)
{
    const uint32_t i = sh_add4(SH_MISC + MISC_TOP, 1u);
    const uint32_t k = i < STACK_MOST ? i : STACK_MOST - 1u;

    sh_st8(STACK_AT(k, start), q->start);
    sh_st8(STACK_AT(k, len), q->len);
    sh_st8(STACK_AT(k, lo), q->lo);
    sh_st8(STACK_AT(k, last), q->last);
    sh_st4(STACK_AT(k, at), q->at);
}

/* Take the bucket on top of the stack, whose height is `top`.  There is a barrier before and
 * after. */
DEV void stack_pop(struct radix_bucket *p, uint32_t top)
{
    const uint32_t i = top - 1u;

    p->start = sh_ld8(STACK_AT(i, start));
    p->len = sh_ld8(STACK_AT(i, len));
    p->lo = sh_ld8(STACK_AT(i, lo));
    p->last = sh_ld8(STACK_AT(i, last));
    p->at = sh_ld4(STACK_AT(i, at));
    p->tree = 0;
    p->open = 0;
    block_sync();
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_TOP, top - 1u);
    block_sync();
}

/* Sort a bucket that should have been a row. */
DEV void sort_short(const struct radix_job *j, const struct radix_bucket *p)
{
    const uint32_t from = p->at == AT_OUT ? (uint32_t)AT_TMP : p->at;
    const key *const keys = keys_at(j, from) + p->start;
    struct digit d;

    digit_map(&d, j);
    if (p->at == AT_OUT)
        copy_items(j, p->at, from, p->start, p->start + p->len);
    block_sync();
    ROLL for (uint64_t i = THREAD_ID; i < p->len; i += RADIX_THREADS)
    {
        const item x = load_item(keys, values_at(j, from) + p->start, i);
        const key w = word_of((key)x, d);
        uint64_t rank = p->start;

        ROLL for (uint64_t k = 0; k < p->len; k++)
        {
            const key y = word_of(gm_ld_key(keys + k), d);

            rank += y < w || (y == w && k < i);
        }
        store_item((key *)j->out, (uint32_t *)j->out_values, rank, x);
    }
}

/* Does one bin have more than three quarters of p's items, and several keys?  Then its range becomes p's, and keys beyond have two
 * bins.  They were counted just before. */
DEV int zoom_in(struct radix_bucket *p)
{
    uint32_t b;
    uint64_t first, last;

    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_FLAG, 0u);
    block_sync();
    if (THREAD_ID < p->bins && sh_ld4(SH_BINS + 4u * THREAD_ID) > p->len - p->len / 4u)
        sh_st4(SH_MISC + MISC_FLAG, THREAD_ID + 1u);
    block_sync();
    b = sh_ld4(SH_MISC + MISC_FLAG);
    if (b == 0 || (p->open && (b == 1u || b == p->bins)))
        return 0;
    b -= 1u + p->open;
    first = bin_first(p, b);
    last = bin_last(p, b);
    if (first == last)
        return 0;
    p->lo += first;
    p->last = last - first;
    p->open = 1;
    return 1;
}

/* Choose the digit of a bucket.  If its range is a part of what it was, it has as many bins as may be: keys were
 * crowded, so these are not as many rows. */
DEV void medium_digit(const struct radix_job *j, struct radix_bucket *p, uint32_t room)
{
    const uint32_t most = least4(room, RADIX_SPLIT_BINS) - 2u * p->open;

    choose_digit(p, p->open ? (uint32_t)(p->len / most) + 1u : j->row_items, most, most);
    p->bins += 2u * p->open;
}

/* Split p.  Its bins become rows, or go to the stack. */
DEV void split_bucket(const struct radix_job *j, struct radix_bucket *p)
{
    const uint32_t top = sh_ld4(SH_MISC + MISC_TOP);
    const uint32_t room = top + 3u < STACK_MANY ? STACK_MANY - top : 3u;
    struct marks none;
    struct radix_bucket q;
    uint64_t least, most, len;
    uint32_t way;

    none.to = NULL;
    none.each = 0;
    none.next = 0;
    do {
        if (p->last == 0) {
            if (p->at != AT_OUT)
                copy_items(j, p->at, (uint32_t)AT_OUT, p->start, p->start + p->len);
            block_sync();
            return;
        }
        medium_digit(j, p, room);
        count_range(keys_at(j, p->at), p->start, p->start, p->start + p->len,
                    digit_of_bucket(j, p, 1), p->bins, none);
        least = sh_ld8(SH_MISC + MISC_LESS);
        most = sh_ld8(SH_MISC + MISC_GREATEST);
    } while (narrow(p, least, most) || (room > 8u && zoom_in(p)));
    way = way_to_move(p->len, p->bins, queue_cap(p->bins, RADIX_QUEUES), RADIX_SPLIT_BINS,
                      RADIX_ITEMS, count_asked(p->len));
    len = THREAD_ID < p->bins ? sh_ld4(SH_BINS + 4u * THREAD_ID) : 0u;
    place_bins(len, p->start, p->bins);
    q.start = 0;
    q.at = 0;
    if (THREAD_ID < p->bins)
        bucket_of_bin(j, &q, p, THREAD_ID, len);
    if (settle_bins(j, p, &q) == BIN_BUCKET)
        stack_push(&q);
    block_sync();
    if (j->stable || way == WAY_TILES)
        tile_range_of(j, p->at, p->start, p->start + p->len, digit_of_bucket(j, p, 1), p->bins,
                      RADIX_THREADS, TILE_PER_MEDIUM, 0);
    else
        queue_range(j, p->at, p->start, p->start + p->len, digit_of_bucket(j, p, 1), p->bins,
                    RADIX_QUEUES);
}

/* How many rows a medium bucket may make: one split makes no more (radix/classify.h). */
DEV uint32_t claim_of(const struct radix_job *j, uint64_t len)
{
    const uint64_t rows = len / j->row_most[0] * 5u / 2u + 4u;

    return rows < j->row_room[0] / 2u ? (uint32_t)rows : j->row_room[0] / 2u;
}

/* One thread asks for the block's next medium bucket.  If the number is not below their count,
 * there is none in this round. */
DEV uint32_t claim_medium(const struct radix_job *j)
{
    struct radix_state *const s = j->state;
    const uint32_t waits = gm_ld4(&s->waiting[BLOCK_ID]);
    const uint32_t i = waits ? waits - 1u : gm_add4(&s->medium_taken, 1u);
    struct radix_bucket p;

    if (i >= gm_ld4(&s->medium))
        return i;
    medium_load(j, i, &p);
    if (!j->forced) {
        const uint32_t rows = claim_of(j, p.len);

        if (gm_add4(&s->claimed[j->half], rows) + rows > j->row_room[0]) {
            gm_st4(&s->waiting[BLOCK_ID], i + 1u);
            return 0xffffffffu;
        }
    }
    if (waits)
        gm_st4(&s->waiting[BLOCK_ID], 0u);
    return i;
}

DEV uint32_t next_medium(const struct radix_job *j)
{
    uint32_t i;

    if (!j->drains)
        return take_number(&j->state->medium_taken);
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_TAKEN, claim_medium(j));
    block_sync();
    i = sh_ld4(SH_MISC + MISC_TAKEN);
    block_sync();
    return i;
}

KERNEL(RADIX_NAME(medium), struct radix_job, RADIX_THREADS, 1024 / RADIX_THREADS)
{
    ROLL for (;;)
    {
        const uint32_t i = next_medium(arg);
        struct radix_bucket p;
        uint32_t top = 0;

        if (i >= gm_ld4(&arg->state->medium))
            break;
        medium_load(arg, i, &p);
        if (THREAD_ID == 0)
            sh_st4(SH_MISC + MISC_TOP, 0u);
        block_sync();
        ROLL for (;;)
        {
            if (p.len <= arg->row_most[0])
                sort_short(arg, &p);
            else
                split_bucket(arg, &p);
            block_sync();
            top = sh_ld4(SH_MISC + MISC_TOP);
            if (top == 0)
                break;
            stack_pop(&p, top);
        }
    }
#if RADIX_COUNTS
    write_out_count(arg);
#endif
}

#if RADIX_COUNTS
STATIC_ASSERT(sizeof(struct write_out_shared) <= sizeof(struct medium_shared),
              "no room to count narrow buckets");

KERNEL(RADIX_NAME(write_out), struct radix_job, RADIX_THREADS, 1024 / RADIX_THREADS)
{
    write_out_all(arg);
}
#endif

#endif
