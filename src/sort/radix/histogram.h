/* histogram.h - one block counts the digits of a range of items.
 *
 * Counters stand in shared memory, one word a bin.  Lanes that ask for one counter share the
 * addition.  The least and the greatest key are found as well, for buckets whose keys lie in a
 * small piece of their range.
 */
#ifndef CW_SORT_RADIX_HISTOGRAM_H
#define CW_SORT_RADIX_HISTOGRAM_H

#ifndef RADIX_COUNTED /* keys of a thread in a round of counting, as many as registers hold */
#define RADIX_COUNTED (PAYLOAD_BYTES ? 8u : KEY_BYTES == 4 ? 16u : 4u)
#endif

#include "prim/block_take.h"
#include "prim/least.h"
#include "sort/radix/digit.h"

/* Shared memory of all kernels with RADIX_THREADS threads begins with these 256 bytes.  Fields of a
 * union are used by different kernels, or one after another with a barrier between. */
struct radix_misc {
    uint32_t taken;    /* a number from a global counter, for all threads */
    uint32_t flag;     /* one word that says yes or no, or a number for all threads */
    uint32_t near;     /* how many neighbouring lanes had the same bin */
    uint32_t most;     /* the way to move, or how many bins are crowded */
    uint64_t range[2]; /* the least and the greatest word */
    union {
        uint32_t join;    /* classify.h: how many neighbours might be joined */
        uint32_t entries; /* splitters/: entries of the tree so far, and other sums */
        struct {
            uint32_t equal, rise, same; /* splitters/sample.h: of neighbours in the array */
        } beside;
        struct {
            uint32_t unused[2];
            uint32_t last;      /* scatter_tile.h: the last warp's bin */
            uint32_t others[2]; /* of two tiles in turn: did a warp find another bin? */
        } tile;
    } u;
    uint32_t unused;
    uint32_t top; /* medium_buckets.h: height of the stack */
    uint32_t unused_too;
    uint32_t rows[4];      /* classify.h: rows of each class that this block has */
    uint32_t row_at[4];    /* where they go in the list */
    uint64_t differ;       /* bits in which words differ */
    uint32_t start, count; /* chunks.h: where the chunk's rows of `starts` and `counts` begin */
    uint32_t unused_three[4];
    uint32_t warp[32]; /* a sum of each warp */
};

/* Then a word for each bin, and where the bin's next item goes. */
struct radix_shared {
    struct radix_misc misc;
    uint32_t bins[RADIX_BINS];
    uint64_t base[RADIX_BINS];
};

#define SH_MISC           SHARED_AT(radix_shared, misc)
#define SH_BINS           SHARED_AT(radix_shared, bins)
#define SH_BASE           SHARED_AT(radix_shared, base)
#define SH_ITEMS          ((uint32_t)sizeof(struct radix_shared)) /* what a kernel has besides */
#define MISC_TAKEN        SHARED_AT(radix_misc, taken)
#define MISC_FLAG         SHARED_AT(radix_misc, flag)
#define MISC_NEAR         SHARED_AT(radix_misc, near)
#define MISC_MOST         SHARED_AT(radix_misc, most)
#define MISC_LESS         SHARED_AT(radix_misc, range)
#define MISC_GREATEST     SHARED_AT(radix_misc, range[1])
#define MISC_DIFFER       SHARED_AT(radix_misc, differ)
#define MISC_WARP         SHARED_AT(radix_misc, warp)
#define MISC_TOP          SHARED_AT(radix_misc, top)
#define MISC_JOIN         SHARED_AT(radix_misc, u.join)
#define MISC_ENTRIES      SHARED_AT(radix_misc, u.entries)
#define MISC_BESIDE(what) SHARED_AT(radix_misc, u.beside.what)
#define MISC_START        SHARED_AT(radix_misc, start)
#define MISC_COUNT        SHARED_AT(radix_misc, count)
#define MISC_ROWS         SHARED_AT(radix_misc, rows)
#define MISC_ROW_AT       SHARED_AT(radix_misc, row_at)
#define TILE_LAST         SHARED_AT(radix_misc, u.tile.last)
#define TILE_OTHERS       SHARED_AT(radix_misc, u.tile.others)

STATIC_ASSERT(sizeof(struct radix_misc) == 256u, "radix_misc has a hole");
STATIC_ASSERT(RADIX_THREADS / 32u <= 32u, "a block has more warps than radix_misc has sums");

/* The range of a warp's words, while a block looks for its own. */
struct warp_range {
    uint64_t least, most, differ;
};

/* Shared memory of the kernels that count and classify. */
struct classify_shared {
    struct radix_shared all;
    union {
        uint64_t lens[RADIX_BINS];                    /* how many items each bin has */
        struct warp_range range[RADIX_THREADS / 32u]; /* before that: range_of_block */
    } u;
    uint8_t unused[1024]; /* a tree's table stands behind; without this it was not measured */
};

#define CLASSIFY_LENS SHARED_AT(classify_shared, u.lens)

/* The same with the table of splitters/tree_build.h.  Keys alone have counters behind
 * (counting/counted_buckets.h). */
struct count_tree_shared {
    struct classify_shared all;
    uint32_t tree[RADIX_TREE_ROOM];
};

#define COUNT_TREE SHARED_AT(count_tree_shared, tree)

/* The next number of a global counter, for the whole block. */
DEV uint32_t take_number(uint32_t *counter)
{
    return block_take(counter, SH_MISC + MISC_TAKEN);
}

struct key_range {
    key least, most;
#if RADIX_COUNTS
    key differ; /* bits in which they differ from some key of the bucket */
#endif
};

DEV void range_begin(struct key_range *r)
{
    r->least = KEY_MAX;
    r->most = 0;
#if RADIX_COUNTS
    r->differ = 0;
#endif
}

struct counter {
    uint32_t bin;  /* of the last key */
    uint32_t near; /* neighbouring lanes that agreed */
    struct key_range r;
    key first; /* word of the bucket */
};

DEV void count_key(struct counter *c, key raw, struct digit d)
{
    const key x = word_of(raw, d);

    c->r.least = x < c->r.least ? x : c->r.least;
    c->r.most = x > c->r.most ? x : c->r.most;
#if RADIX_COUNTS
    c->r.differ |= x ^ c->first;
#endif
    c->bin = digit_of(x, d);
    sh_inc4(SH_BINS + 4u * c->bin);
}

/* The least and the greatest of the block's keys, to MISC_LESS, and the bits in which they differ,
 * to MISC_DIFFER.  There is a struct warp_range for each warp at `room`. */
#define RANGE_AT(room, warp, field) \
    ((room) + (uint32_t)sizeof(struct warp_range) * (warp) + SHARED_AT(warp_range, field))

DEV void range_of_block(struct key_range r, uint32_t room)
{
    UNROLL for (uint32_t d = 16; d; d /= 2)
    {
        const key a = shfl_xor_key(r.least, d);
        const key b = shfl_xor_key(r.most, d);

        r.least = a < r.least ? a : r.least;
        r.most = b > r.most ? b : r.most;
#if RADIX_COUNTS
        r.differ |= shfl_xor_key(r.differ, d);
#endif
    }
    if (LANE_ID == 0) {
        sh_st8(RANGE_AT(room, WARP_ID, least), (uint64_t)r.least);
        sh_st8(RANGE_AT(room, WARP_ID, most), (uint64_t)r.most);
#if RADIX_COUNTS
        sh_st8(RANGE_AT(room, WARP_ID, differ), (uint64_t)r.differ);
#endif
    }
    block_sync();
    if (THREAD_ID == 0) {
        uint64_t least = sh_ld8(RANGE_AT(room, 0u, least));
        uint64_t most = sh_ld8(RANGE_AT(room, 0u, most));

        ROLL for (uint32_t w = 1; w < BLOCK_DIM / 32u; w++)
        {
            const uint64_t a = sh_ld8(RANGE_AT(room, w, least));
            const uint64_t b = sh_ld8(RANGE_AT(room, w, most));

            least = a < least ? a : least;
            most = b > most ? b : most;
        }
        sh_st8(SH_MISC + MISC_LESS, least);
        sh_st8(SH_MISC + MISC_GREATEST, most);
    }
#if RADIX_COUNTS
    if (THREAD_ID == 32u) {
        uint64_t differ = 0;

        ROLL for (uint32_t w = 0; w < BLOCK_DIM / 32u; w++) differ |=
            sh_ld8(RANGE_AT(room, w, differ));
        sh_st8(SH_MISC + MISC_DIFFER, differ);
    }
#endif
    block_sync();
}

/* Counting rounds: a ticket is a multiple of this. */
#define COUNT_ROUND (RADIX_THREADS * RADIX_COUNTED)

/* For each ticket of a chunk: what was counted before it begins. */
struct marks {
    uint32_t *to;  /* of the next ticket, RADIX_BINS each; NULL: none is wanted */
    uint64_t each; /* items of a ticket */
    uint64_t next; /* where the next one begins */
};

DEV void mark(struct marks *m, uint64_t at, uint32_t bins)
{
    if (!m->to || at != m->next)
        return;
    block_sync();
    ROLL for (uint32_t b = THREAD_ID; b < bins; b += BLOCK_DIM)
        gm_st4(m->to + b, sh_ld4(SH_BINS + 4u * b));
    block_sync();
    m->to += RADIX_BINS;
    m->next += m->each;
}

/* Count items from .. to - 1 of a bucket that begins at `first`: digits to SH_BINS, the range to
 * MISC_LESS. */
DEV void count_range(const key *keys, uint64_t first, uint64_t from, uint64_t to, struct digit d,
                     uint32_t bins, struct marks m)
{
    struct counter c;
    uint64_t at = from;

    ROLL for (uint32_t b = THREAD_ID; b < bins; b += BLOCK_DIM) sh_st4(SH_BINS + 4u * b, 0u);
    if (THREAD_ID == 0) {
        sh_st4(SH_MISC + MISC_NEAR, 0u);
    }
    c.bin = 0;
    c.near = 0;
    c.first = RADIX_COUNTS ? word_of(gm_ld_key(keys + first), d) : 0u;
    range_begin(&c.r);
    block_sync();
    ROLL for (; at + COUNT_ROUND <= to; at += COUNT_ROUND)
    {
        key x[RADIX_COUNTED];

        UNROLL for (uint32_t i = 0; i < RADIX_COUNTED; i++) x[i] =
            gm_ld_key(keys + at + i * RADIX_THREADS + THREAD_ID);
        mark(&m, at, bins); /* while keys are on their way */
        UNROLL for (uint32_t i = 0; i < RADIX_COUNTED; i++)
        {
            count_key(&c, x[i], d);
            if (i % 8u == 0)
                c.near += c.bin == shfl_xor4(c.bin, 1);
        }
    }
    if (at < to)
        mark(&m, at, bins);
    ROLL for (at += THREAD_ID; at < to; at += RADIX_THREADS) count_key(&c, gm_ld_key(keys + at), d);
    sh_add4(SH_MISC + MISC_NEAR, c.near);
    range_of_block(c.r, SH_ITEMS);
}

/* How often count_range compared a lane with its neighbour. */
DEV uint64_t count_asked(uint64_t items)
{
    return items / COUNT_ROUND * RADIX_THREADS * ((RADIX_COUNTED + 7u) / 8u);
}

/* How the counted items should be moved: */
#define WAY_QUEUES  0u
#define WAY_TILES   1u
#define WAY_TICKETS 2u /* tiles, which blocks take as they come (radix/scatter_stable.h) */
#define WAY_NONE    3u /* all are of counted bins (counting/counted_buckets.h) */

/* One warp finds the count of the fullest bin, and the sum of the squares of the bins' shares.  `of`
 * is 1 / all.  There are at most `most_bins` bins, a constant. */
DEV uint32_t fullest_bin(uint32_t bins, float of, uint32_t most_bins, uint32_t *squares)
{
    uint32_t most = 0;
    uint32_t sum = 0;

    UNROLL for (uint32_t i = 0; i < (most_bins + 31u) / 32u; i++)
    {
        const uint32_t b = 32u * i + LANE_ID;
        const uint32_t count = b < bins ? sh_ld4(SH_BINS + 4u * b) : 0u;
        const uint32_t share = (uint32_t)((float)count * of * 4096.0f);

        most = count > most ? count : most;
        sum += share * share;
    }
    UNROLL for (uint32_t d = 16; d; d /= 2)
    {
        const uint32_t other = shfl_xor4(most, d);

        most = other > most ? other : most;
        sum += shfl_xor4(sum, d);
    }
    *squares = sum; /* in units of 2^-24 */
    return most;
}

/* How to move `items` that were just counted.  A bin's queue would hold `cap` of them.  Lanes
 * compared their bin with a neighbour's `asked` times.
 *
 *      queues    if no bin gets much more than a queue's share
 *      tiles     if one does; if neighbours go to one bin more often than chance says (then rounds
 *                differ from the whole, and tiles copy what has one bin); or if there are few bins,
 *                for whose counters lanes would wait
 *
 * Ends with a barrier. */
DEV uint32_t way_to_move(uint64_t items, uint32_t bins, uint32_t cap, uint32_t most_bins,
                         uint32_t per, uint64_t asked)
{
    if (WARP_ID == 0) {
        const uint64_t share = 2u * items * cap / (RADIX_THREADS * per);
        const float near = (float)sh_ld4(SH_MISC + MISC_NEAR) / (float)(asked + !asked);
        uint32_t squares;
        const uint32_t most = fullest_bin(bins, 1.0f / (float)items, most_bins, &squares);
        const float chance = (float)squares / (float)(1u << 24);

        if (LANE_ID == 0)
            sh_st4(SH_MISC + MISC_MOST,
                   most > share || near > 0.125f + 1.25f * chance || squares > (1u << 24) / 24u
                       ? WAY_TILES
                       : WAY_QUEUES);
    }
    block_sync();
    return sh_ld4(SH_MISC + MISC_MOST);
}

#endif
