/* chunks.h - the first step of a pass: blocks count the digits of their chunks (the kernels
 * histogram and scan).
 *
 * A sort that need not be stable adds a chunk's counts to those of its bucket.  What a bin's total
 * was before is the chunk's place in the bin, so chunks stand in the order in which they were
 * counted.  A stable sort adds counts up in order: scan.
 *
 * Histogram, then scan: Merrill and Grimshaw (2011).  It departs where the order is free: there is no
 * scan, and a chunk learns its places when it adds its counts.
 */
#ifndef CW_SORT_RADIX_CHUNKS_H
#define CW_SORT_RADIX_CHUNKS_H

#include "sort/radix/classify.h"
#if RADIX_COUNTS
#include "sort/counting/counted_buckets.h"
#endif

#define COMBINING_JOB  struct radix_job
#define COMBINING_TREE RADIX_COUNTS
#define COMBINING_SKIP BIN_COUNTED /* bins from here on are counted only */
#include "prim/scatter_combining.h"
#if RADIX_COUNTS
#include "sort/splitters/tree_kernel.h"
#endif
#include "sort/splitters/tree_walk.h"

/* Blocks of a counting kernel on a multiprocessor.  With more of them a thread would have fewer
 * than 40 registers, which are too few. */
#define COUNT_BLOCKS (RADIX_THREADS > 512u ? 2 : 1536 / RADIX_THREADS)

/* Where chunk c of a bucket starts.  If chunks are moved by tickets and there are enough of these,
 * a chunk ends where a ticket does. */
DEV uint64_t chunk_start(const struct radix_job *j, const struct radix_bucket *p, uint32_t c)
{
    const uint64_t tickets = j->stable ? p->len / j->ticket_items : 0u;
    const uint64_t unit = tickets >= p->chunks ? j->ticket_items : 1u;
    const uint64_t units = p->len / unit;

    if (c == p->chunks)
        return p->start + p->len;
    return p->start + unit * (units / p->chunks * c + units % p->chunks * c / p->chunks);
}

/* Put the tickets of chunk c, which has items from .. to - 1, on their list.  *m becomes where
 * their counts go. */
DEV void list_tickets(const struct radix_job *j, uint32_t c, uint64_t from, uint64_t to, int wanted,
                      struct marks *m)
{
    const uint32_t tickets = (uint32_t)((to - from + j->ticket_items - 1u) / j->ticket_items);
    uint32_t first;

    m->to = NULL;
    m->each = j->ticket_items;
    m->next = from;
    if (!wanted)
        return;
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_TAKEN, gm_add4(&j->state->pass[j->pass].tickets, tickets));
    block_sync();
    first = sh_ld4(SH_MISC + MISC_TAKEN);
    m->to = j->before + (uint64_t)first * RADIX_BINS;
    ROLL for (uint32_t i = THREAD_ID; i < tickets; i += BLOCK_DIM)
    {
        struct radix_ticket *const t = j->ticket_list + first + i;
        const uint64_t at = from + i * j->ticket_items;

        gm_st8(&t->from, at);
        gm_st4(&t->items, (uint32_t)(to - at < j->ticket_items ? to - at : j->ticket_items));
        gm_st4(&t->chunk, c);
    }
}

/* Count one chunk, number c of the pass, of bucket i. */
DEV void count_chunk(const struct radix_job *j, uint32_t c, uint32_t i, struct digit d,
                     uint32_t queues)
{
    const struct radix_bucket p = j->buckets[j->pass & 1u][i];
    const uint64_t from = chunk_start(j, &p, c - p.first);
    const uint64_t to = chunk_start(j, &p, c - p.first + 1u);
    const int tickets = PAYLOAD_BYTES && j->stable;
    uint64_t asked = count_asked(to - from);
    struct marks m;
    uint32_t way;

    if (!d.tree) {
        const int mapped = d.mapped, open = d.open != 0;

        d = digit_of_bucket(j, &p, open);
        d.mapped = mapped;
    }
    if (p.last == 0)
        return;
    if (THREAD_ID == 0) { /* written down: counting has no registers for them */
        sh_st4(SH_MISC + MISC_START, starts_of(j, &p));
        sh_st4(SH_MISC + MISC_COUNT, counts_of(&p, c));
    }
    list_tickets(j, c, from, to, tickets, &m);
#if RADIX_COUNTS
    if (d.tree) {
        asked = counted_asked(to - from);
        counted_range(j, keys_at(j, p.at), from, to, d, p.bins);
    } else
#endif
        count_range(keys_at(j, p.at), p.start, from, to, d, p.bins, m);
    way = way_to_move(to - from, p.bins, queue_cap(p.bins, queues),
                      d.tree ? RADIX_BINS : RADIX_ONE_BINS, d.tree ? RADIX_TREE_ITEMS : RADIX_ITEMS,
                      asked);
    if (tickets)
        way = WAY_TICKETS;
    if (sh_ld8(SH_MISC + MISC_LESS) == sh_ld8(SH_MISC + MISC_GREATEST))
        way = WAY_TILES;
    if (THREAD_ID == 0) {
        gm_st8(&j->chunk_keys[RADIX_CHUNK_KEYS * c], sh_ld8(SH_MISC + MISC_LESS));
        gm_st8(&j->chunk_keys[RADIX_CHUNK_KEYS * c + 1u], sh_ld8(SH_MISC + MISC_GREATEST));
#if RADIX_COUNTS
        gm_st8(&j->chunk_keys[RADIX_CHUNK_KEYS * c + 2u], sh_ld8(SH_MISC + MISC_DIFFER));
#endif
        if (RADIX_COUNTS && d.tree && sh_ld4(SH_MISC + MISC_FLAG) == 0)
            gm_st4(&j->chunk_way[c], WAY_NONE); /* no bin has any, so way is WAY_QUEUES */
        else
            gm_st4(&j->chunk_way[c], way);
        if (way != WAY_QUEUES && way != WAY_TICKETS)
            gm_st4(&j->crowded[gm_add4(&j->state->pass[j->pass].crowded, 1u)], c);
    }
    ROLL for (uint32_t b = THREAD_ID; b < p.bins; b += BLOCK_DIM)
    {
        uint64_t count = sh_ld4(SH_BINS + 4u * b);

        /* chunks that go by tiles have items of counted bins too: they end somewhere in their
         * bin */
        if (!j->stable && (count || !RADIX_COUNTS || !d.tree))
            count = count_add(j->starts, sh_ld4(SH_MISC + MISC_START) + b, j->wide, count);
        count_store(j->counts, sh_ld4(SH_MISC + MISC_COUNT) + b, j->wide, count);
    }
}

DEV void count_chunks(const struct radix_job *j, struct digit d, uint32_t queues)
{
    struct radix_pass *const now = &j->state->pass[j->pass];

    ROLL for (;;)
    {
        const uint32_t c = take_number(&now->counted);

        if (c >= gm_ld4(&now->chunks))
            break;
        count_chunk(j, c, gm_ld4(&j->chunk_bucket[j->pass & 1u][c]), d, queues);
    }
}

KERNEL(RADIX_NAME(histogram), struct radix_job, RADIX_THREADS, COUNT_BLOCKS)
{
    struct digit d;

    digit_map(&d, arg);
    if (!tree_takes(arg))
        count_chunks(arg, d, RADIX_QUEUES);
}

KERNEL(RADIX_NAME(histogram_plain), struct radix_job, RADIX_THREADS, COUNT_BLOCKS)
{
    struct digit d;

    digit_map(&d, arg);
    d.mapped = 0;
    if (!tree_takes(arg))
        count_chunks(arg, d, RADIX_QUEUES);
}

#if RADIX_COUNTS
KERNEL(RADIX_NAME(histogram_tree), struct radix_job, RADIX_THREADS, 1536 / RADIX_THREADS)
{
    if (tree_used(arg)) {
        struct digit d = tree_digit(arg, COUNT_TREE);

        counted_begin(arg);
        d.mapped = 0; /* a constant in each */
        if (arg->map.plain) {
            count_chunks(arg, d, RADIX_TREE_QUEUES);
        } else {
            d.mapped = 1;
            count_chunks(arg, d, RADIX_TREE_QUEUES);
        }
        counted_end(arg);
    } else if (tree_takes(arg)) {
        struct digit d;

        digit_map(&d, arg);
        if (pass_open(arg)) { /* a constant in each */
            d.open = 1;
            count_chunks(arg, d, RADIX_TREE_QUEUES);
        } else {
            count_chunks(arg, d, RADIX_TREE_QUEUES);
        }
    }
}
#endif

#if PAYLOAD_BYTES

/* Counts of chunks become sums over the chunks before, in order.  A bucket of many chunks is
 * divided among warps, 32 bins at a time: each warp adds up its own chunks, then learns the sums of
 * the warps before it. */
#define ORDER_MANY   64u /* chunks of a bucket */
#define ORDER_SLICES ((RADIX_BINS + 31u) / 32u)
#define ORDER_BATCH  12u

struct order_shared {
    uint64_t sum[RADIX_THREADS]; /* of the chunks of each thread's warp, in its bin */
};

#define ORDER_SUM(thread) (SHARED_AT(order_shared, sum) + 8u * (thread))

/* Counts of a bin: where the first one stands, and how far they are apart. */
struct order_row {
    void *counts;
    uint64_t at;
    uint32_t bins, wide; /* `wide` is a constant */
};

DEV uint64_t order_load(struct order_row r, uint32_t c)
{
    return count_load(r.counts, r.at + c * r.bins, r.wide);
}

DEV void order_store(struct order_row r, uint32_t c, uint64_t x)
{
    count_store(r.counts, r.at + c * r.bins, r.wide, x);
}

/* The sum of the row's `chunks` counts. */
DEV uint64_t order_sum(struct order_row row, uint32_t chunks)
{
    uint64_t sum = 0;
    uint32_t c = 0;

    ROLL for (; c + ORDER_BATCH <= chunks; c += ORDER_BATCH)
    {
        uint64_t x[ORDER_BATCH];

        UNROLL for (uint32_t k = 0; k < ORDER_BATCH; k++) x[k] = order_load(row, c + k);
        UNROLL for (uint32_t k = 0; k < ORDER_BATCH; k++) sum += x[k];
    }
    ROLL for (; c < chunks; c++) sum += order_load(row, c);
    return sum;
}

/* Each count becomes the sum of `sum` and the counts before it.  Returns the sum of all. */
DEV uint64_t order_write(struct order_row row, uint32_t chunks, uint64_t sum)
{
    uint32_t c = 0;

    ROLL for (; c + ORDER_BATCH <= chunks; c += ORDER_BATCH)
    {
        uint64_t x[ORDER_BATCH];

        UNROLL for (uint32_t k = 0; k < ORDER_BATCH; k++) x[k] = order_load(row, c + k);
        UNROLL for (uint32_t k = 0; k < ORDER_BATCH; k++)
        {
            order_store(row, c + k, sum);
            sum += x[k];
        }
    }
    ROLL for (; c < chunks; c++)
    {
        const uint64_t x = order_load(row, c);

        order_store(row, c, sum);
        sum += x;
    }
    return sum;
}

/* Bins 32 slice .. of bucket p, which has many chunks. */
DEV void order_slice(const struct radix_job *j, const struct radix_bucket *p, uint32_t slice,
                     uint32_t wide)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t b = 32u * slice + LANE_ID;
    const uint32_t from = p->chunks * WARP_ID / warps;
    const uint32_t chunks = p->chunks * (WARP_ID + 1u) / warps - from;
    const struct order_row row = {j->counts, counts_of(p, p->first + from) + b, p->bins, wide};
    uint64_t sum = 0;

    if (b < p->bins)
        sum = order_sum(row, chunks);
    sh_st8(ORDER_SUM(THREAD_ID), sum);
    block_sync();
    sum = 0;
    UNROLL4 for (uint32_t w = 0; w < WARP_ID; w++) sum += sh_ld8(ORDER_SUM(32u * w + LANE_ID));
    block_sync();
    if (b < p->bins) {
        sum = order_write(row, chunks, sum);
        if (WARP_ID == warps - 1u)
            count_store(j->starts, starts_of(j, p) + b, wide, sum);
    }
}

DEV void order_chunks(const struct radix_job *arg, uint32_t wide)
{
    struct radix_pass *const now = &arg->state->pass[arg->pass];
    const uint32_t side = arg->pass & 1u;
    const uint32_t buckets = least4(gm_ld4(&now->buckets), (uint32_t)arg->most_buckets);
    const int first = arg->pass == 0; /* all blocks share its one bucket */

    ROLL for (uint32_t i = first ? 0u : BLOCK_ID; i < buckets; i += first ? 1u : GRID_DIM)
    {
        const struct radix_bucket p = arg->buckets[side][i];

        if (p.last && p.chunks >= ORDER_MANY) {
            ROLL for (uint32_t s = first ? BLOCK_ID : 0u; s < ORDER_SLICES;
                      s += first ? GRID_DIM : 1u) order_slice(arg, &p, s, wide);
        } else if (p.last && THREAD_ID < p.bins && (!first || BLOCK_ID == 0)) {
            const struct order_row row = {arg->counts, p.count + THREAD_ID, p.bins, wide};

            count_store(arg->starts, starts_of(arg, &p) + THREAD_ID, wide,
                        order_write(row, p.chunks, 0));
        }
    }
}

KERNEL(RADIX_NAME(scan), struct radix_job, RADIX_THREADS, 1)
{
    if (arg->wide) /* a constant in each */
        order_chunks(arg, 1);
    else
        order_chunks(arg, 0);
}

#endif

#endif
