/* histogram.h - count the digits of a range of items, by one block.
 *
 * Counters stand in shared memory, one word a bin; lanes that ask for one counter share the
 * addition.  The least and the greatest key come along, for parts whose keys
 * keep to a small piece of their range.
 */
#ifndef CW_SORT_RADIX_HISTOGRAM_H
#define CW_SORT_RADIX_HISTOGRAM_H

#ifndef RADIX_COUNTED /* keys of a thread in a round of counting, as many as registers hold */
#define RADIX_COUNTED (PAYLOAD_BYTES ? 8u : KEY_BYTES == 4 ? 16u : 4u)
#endif

#include "prim/block_take.h"
#include "prim/least.h"
#include "sort/radix/bucket.h"

/* Shared memory of all kernels with RADIX_THREADS threads: */
#define SH_MISC     0u                          /* 64 words */
#define SH_BINS     256u                        /* u32 a bin */
#define SH_BASE     (SH_BINS + 4u * RADIX_BINS) /* u64 a bin: where its next item goes */
#define SH_ITEMS    (SH_BASE + 8u * RADIX_BINS) /* what radix/scatter_tile.h needs */
#define MISC_TAKEN  0u
#define MISC_FLAG   4u
#define MISC_NEAR   8u
#define MISC_MOST   12u
#define MISC_LESS   16u  /* two u64 */
#define MISC_DIFFER 96u  /* u64 */
#define MISC_WARP   128u /* u32 a warp */

/* The next number of a global counter, for the whole block. */
DEV uint32_t take_number(uint32_t *counter)
{
    return block_take(counter, SH_MISC + MISC_TAKEN);
}

struct key_range {
    key least, most;
#if RADIX_COUNTS
    key differ; /* bits in which they differ from some key of the part */
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
    key first; /* word of the part */
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

/* Count a round of keys by a tree, four at a time. */
DEV void count_four(struct counter *c, const key *raw, struct digit d, uint16_t *digits)
{
    key x[4];
    uint32_t b[4];

    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        x[i] = word_of(raw[i], d);
        c->r.least = x[i] < c->r.least ? x[i] : c->r.least;
        c->r.most = x[i] > c->r.most ? x[i] : c->r.most;
    }
    tree_four(x, b, d);
    UNROLL for (uint32_t i = 0; i < 4u; i++) sh_inc4(SH_BINS + 4u * b[i]);
    if (digits) {
        UNROLL for (uint32_t i = 0; i < 4u; i++) gm_st2(digits + i * RADIX_THREADS, b[i]);
    }
    c->bin = b[0];
}

/* The least and the greatest of the block's keys, to MISC_LESS, and the bits in which they differ, to
 * MISC_DIFFER; 24 bytes a warp at `room`. */
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
        sh_st8(room + 24u * WARP_ID, (uint64_t)r.least);
        sh_st8(room + 24u * WARP_ID + 8u, (uint64_t)r.most);
#if RADIX_COUNTS
        sh_st8(room + 24u * WARP_ID + 16u, (uint64_t)r.differ);
#endif
    }
    block_sync();
    if (THREAD_ID == 0) {
        uint64_t least = sh_ld8(room);
        uint64_t most = sh_ld8(room + 8u);

        ROLL for (uint32_t w = 1; w < BLOCK_DIM / 32u; w++)
        {
            const uint64_t a = sh_ld8(room + 24u * w);
            const uint64_t b = sh_ld8(room + 24u * w + 8u);

            least = a < least ? a : least;
            most = b > most ? b : most;
        }
        sh_st8(SH_MISC + MISC_LESS, least);
        sh_st8(SH_MISC + MISC_LESS + 8u, most);
    }
#if RADIX_COUNTS
    if (THREAD_ID == 32u) {
        uint64_t differ = 0;

        ROLL for (uint32_t w = 0; w < BLOCK_DIM / 32u; w++) differ |= sh_ld8(room + 24u * w + 16u);
        sh_st8(SH_MISC + MISC_DIFFER, differ);
    }
#endif
    block_sync();
}

/* Counting rounds: a turn is a multiple of this. */
#define COUNT_ROUND (RADIX_THREADS * RADIX_COUNTED)

/* What was counted before a turn begins, written down for it. */
struct marks {
    uint32_t *to;     /* of the next turn, RADIX_BINS each; NULL: none is wanted */
    uint64_t each;    /* items of a turn */
    uint64_t next;    /* where the next one begins */
    uint16_t *digits; /* of all items; NULL: they are not wanted */
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

/* Count items from .. to - 1, of a part that begins at `first`, into SH_BINS, and their range. */
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
#if PAYLOAD_BYTES
        if (d.tree) {
            UNROLL for (uint32_t i = 0; i < RADIX_COUNTED; i += 4u)
            {
                count_four(&c, x + i, d,
                           m.digits ? m.digits + at + i * RADIX_THREADS + THREAD_ID : NULL);
                if (i % 8u == 0)
                    c.near += c.bin == shfl_xor4(c.bin, 1);
            }
            continue;
        }
#endif
        UNROLL for (uint32_t i = 0; i < RADIX_COUNTED; i++)
        {
            count_key(&c, x[i], d);
#if PAYLOAD_BYTES
            if (d.open && m.digits)
                gm_st2(m.digits + at + i * RADIX_THREADS + THREAD_ID, c.bin);
#endif
            if (i % 8u == 0)
                c.near += c.bin == shfl_xor4(c.bin, 1);
        }
    }
    if (at < to)
        mark(&m, at, bins);
    ROLL for (at += THREAD_ID; at < to; at += RADIX_THREADS)
    {
        count_key(&c, gm_ld_key(keys + at), d);
        if (PAYLOAD_BYTES && m.digits)
            gm_st2(m.digits + at, c.bin);
    }
    sh_add4(SH_MISC + MISC_NEAR, c.near);
    range_of_block(c.r, SH_ITEMS);
}

/* How often count_range compared a lane with its neighbour. */
DEV uint64_t count_asked(uint64_t items)
{
    return items / COUNT_ROUND * RADIX_THREADS * ((RADIX_COUNTED + 7u) / 8u);
}

/* How the counted items should be moved: */
#define WAY_RING  0u
#define WAY_TILES 1u
#define WAY_TURNS 3u /* tiles, which blocks take as they come (radix/scatter_stable.h) */
#define WAY_HOT   2u /* by queues, but for three bins (10 bits each from bit 2; 1023: none) */
#define WAY_NONE  4u /* all are of exact bins (counting/counted_buckets.h) */
#define NO_BIN    1023u

/* The square of a count's share of all, which is 1 / of, in 2^-24ths. */
DEV uint32_t square_share(uint32_t count, float of)
{
    const uint32_t share = (uint32_t)((float)count * of * 4096.0f);

    return share * share;
}

/* The bins that lead, by one warp: the k-th one's count goes to top[k], its number to bin[k].  There
 * are at most `most` bins, a constant.  Returns the sum of the squares of other bins' shares. */
DEV uint32_t leading_bins(uint32_t bins, uint32_t *top, uint32_t *bin, float of, uint32_t most_bins)
{
    uint32_t x[(RADIX_BINS + 31u) / 32u];
    uint32_t rest = 0;

    UNROLL for (uint32_t i = 0; i < (most_bins + 31u) / 32u; i++) x[i] =
        32u * i + LANE_ID < bins ? sh_ld4(SH_BINS + 4u * (32u * i + LANE_ID)) : 0u;
    UNROLL for (uint32_t k = 0; k < 4u; k++)
    {
        uint32_t most = 0;
        uint32_t who;

        bin[k] = NO_BIN;
        UNROLL for (uint32_t i = 0; i < (most_bins + 31u) / 32u; i++)
        {
            if (x[i] > most) {
                most = x[i];
                bin[k] = 32u * i + LANE_ID;
            }
        }
        top[k] = most;
        UNROLL for (uint32_t d = 16; d; d /= 2)
        {
            const uint32_t other = shfl_xor4(most, d);

            most = other > most ? other : most;
        }
        who = low_bit(ballot(top[k] == most));
        top[k] = most;
        bin[k] = shfl4(bin[k], who);
        UNROLL for (uint32_t i = 0; i < (most_bins + 31u) / 32u; i++) x[i] =
            32u * i + LANE_ID == bin[k] ? 0u : x[i];
    }
    UNROLL for (uint32_t i = 0; i < (most_bins + 31u) / 32u; i++) rest += square_share(x[i], of);
    UNROLL for (uint32_t d = 16; d; d /= 2) rest += shfl_xor4(rest, d);
    return rest;
}

/* The way for `items` that were just counted, whose queues would hold `cap`.  Bins that get much
 * more than a queue's share need a way around the queues; where neighbours go to one bin more often
 * than chance says, rounds differ from the whole, and tiles are better, which copy what has one bin;
 * and so are they where there are few bins, for whose counters lanes would queue.  Lanes were `asked`
 * for their neighbours' bins so often.  Ends with a barrier. */
DEV uint32_t way_to_move(uint64_t items, uint32_t bins, uint32_t cap, uint32_t most_bins,
                         uint32_t per, uint64_t asked)
{
    if (WARP_ID == 0) {
        const uint64_t share = 2u * items * cap / (RADIX_THREADS * per);
        const float of = 1.0f / (float)items;
        const float near = (float)sh_ld4(SH_MISC + MISC_NEAR) / (float)(asked + !asked);
        uint32_t way = WAY_RING;
        float same = 0.125f;
        float chance = 0.0f;
        uint32_t rest;
        uint32_t top[4], bin[4];

        rest = leading_bins(bins, top, bin, of, most_bins);
        UNROLL for (uint32_t k = 0; k < 3u; k++)
        {
            const float p = (float)top[k] * of;

            same += 1.25f * p * p;
            chance += p * p;
            bin[k] = top[k] > share ? bin[k] : NO_BIN;
            rest += top[k] > share ? 0u : square_share(top[k], of);
        }
        rest += square_share(top[3], of);
        if (bin[0] != NO_BIN)
            way = WAY_HOT | bin[0] << 2 | bin[1] << 12 | bin[2] << 22;
        if (top[3] > 2u * share || near > same || 2.0f * near > 1.0f + chance ||
            rest > (1u << 24) / 24u || top[0] == items)
            way = WAY_TILES;
        if (LANE_ID == 0)
            sh_st4(SH_MISC + MISC_MOST, way);
    }
    block_sync();
    return sh_ld4(SH_MISC + MISC_MOST);
}

#endif
