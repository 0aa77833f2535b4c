/* short.h - a stable partition of a short array in one launch, by blocks that never meet.
 *
 * Every block puts all items into order in its own shared memory, and writes its share of what is
 * wanted.  So no block waits for another, nothing need be cleared before the launch, and the offsets
 * of 65536 buckets are written by many blocks.
 *
 * What moves in shared memory is a *tag*: the bucket of an item, 16 bits, and where it stands, 16
 * bits.  Tags are sorted by the bucket's digits of up to 8 bits, the lowest first (prim/radix_tile.h),
 * in one pass or two.  Items that go nowhere have no place.  A tag in order tells where the key,
 * the payload and the number of the item at that place come from.  Bucket b begins behind the tags of
 * smaller buckets, which a search finds.
 *
 * A block of pad_to places begins with each item whose number in its bucket is a multiple of pad_to:
 * a *lead*.  How many leads stand before an item says which block it begins, and how many blocks
 * the buckets before its own have.
 *
 * Time: that of one block, and of its share of writing.  Space: 4 bytes an item, 1 KiB a warp.
 *
 * Ranks by votes: Merrill and Grimshaw (2011), as prim/radix_tile.h has them.  It departs in that every
 * block does all of the work, so that none waits.
 */
#ifndef CW_PARTITION_STABLE_SHORT_H
#define CW_PARTITION_STABLE_SHORT_H

#include "partition/stable/copy.h"
#include "partition/stable/rule.h"
#include "prim/radix_tile.h"

/* Shared memory: that of a tile, but for its buffer. */
struct short_shared {
    uint32_t sums[32], more[32];
    uint64_t delta[TILE_BUCKETS];
    uint32_t counts[TILE_WARPS][TILE_BUCKETS]; /* then: leads before each item */
    uint32_t tags[TILE_SIZE];
    key cuts[PARTITION_CUTS + 1u]; /* splitters */
};

#define SHORT_TAGS   SHARED_AT(short_shared, tags)
#define SHORT_CUTS   SHARED_AT(short_shared, cuts)
#define SHORT_LEADS  SHARED_AT(short_shared, counts)
#define SHORT_LIVE   TILE_MORE(0)                   /* items that go somewhere */
#define SHORT_ALL    TILE_MORE(1)                   /* leads */
#define SHORT_WARP   SHARED_AT(short_shared, delta) /* a word a warp: its last bucket's begin */
#define SHORT_SHARED ((uint32_t)sizeof(struct short_shared))

STATIC_ASSERT(SHARED_AT(short_shared, counts) == TILE_COUNTS, "not a tile");
STATIC_ASSERT(TILE_SIZE <= TILE_WARPS * TILE_BUCKETS, "leads need more room than counters");
STATIC_ASSERT(TILE_SIZE <= 1u << 16, "a tag has 16 bits for a place");

struct short_items {
    uint32_t tag[TILE_ITEMS];
    uint32_t live; /* bit i: item i goes somewhere */
    uint32_t n, rounds;
};

DEV uint32_t short_tag(uint32_t place)
{
    return sh_ld4(SHORT_TAGS + 4u * tile_swizzle(place));
}

/* ---- items in order -------------------------------------------------------------------------- */

/* `bytes`, of a key, is a constant. */
DEV void short_load_of(const struct stable_job *a, struct short_items *x, uint32_t bytes)
{
    key k[TILE_ITEMS];

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, x->rounds);

        k[i] = i < x->rounds && at < x->n ? (key)load_bits(a->keys, at, bytes) : 0u;
    }
    x->live = 0;
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, x->rounds);

        if (i >= x->rounds)
            break;
        x->tag[i] = (a->rule.plain ? (uint32_t)(k[i] >> a->rule.first) & a->rule.mask
                                   : stable_bucket(&a->rule, k[i], SHORT_CUTS))
                        << 16 |
                    at;
        x->live |= (at < x->n && k[i] <= a->rule.most ? 1u : 0u) << i;
    }
}

DEV void short_load(const struct stable_job *a, struct short_items *x)
{
    if (a->key_bytes == 4u)
        short_load_of(a, x, 4u);
    else if (a->key_bytes == 8u)
        short_load_of(a, x, 8u);
    else if (a->key_bytes == 2u)
        short_load_of(a, x, 2u);
    else
        short_load_of(a, x, 1u);
}

/* Ranks among the warp's items of the same digit, which is (tag >> shift) & mask. */
DEV void short_rank(const struct short_items *x, uint32_t *ranks, uint32_t shift, uint32_t mask)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;
    const uint32_t below = (1u << LANE_ID) - 1u;

    tile_clear_counts(counts);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t b = x->tag[i] >> shift & mask, lives = x->live >> i & 1u;
        uint32_t peers;

        if (i >= x->rounds)
            break;
        peers = ballot(lives);
        UNROLL for (uint32_t k = 0; k < 8u; k++)
        {
            uint32_t one;

            peers &= same_bit(b, k, &one);
        }
        ranks[i] = sh_ld4(counts + 4u * b) + bit_count(peers & below);
        warp_sync();
        if (lives && !(peers & ~below & ~(below + 1u))) /* the last of them */
            sh_st4(counts + 4u * b, ranks[i] + 1u);
        warp_sync();
    }
}

/* Tags to their places by one digit.  Returns how many there are.  Ends with a barrier. */
DEV uint32_t short_pass(const struct short_items *x, uint32_t shift, uint32_t mask)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;
    uint32_t ranks[TILE_ITEMS], own;

    short_rank(x, ranks, shift, mask);
    (void)tile_count(SHORT_LIVE, &own);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (i >= x->rounds)
            break;
        if (x->live >> i & 1u) {
            const uint32_t first = sh_ld4(counts + 4u * (x->tag[i] >> shift & mask));

            sh_st4(SHORT_TAGS + 4u * tile_swizzle(first + ranks[i]), x->tag[i]);
        }
    }
    block_sync();
    return sh_ld4(SHORT_LIVE);
}

/* Tags as they stand in shared memory, `live` of them. */
DEV void short_take(struct short_items *x, uint32_t live)
{
    x->live = 0;
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, x->rounds);

        if (i >= x->rounds)
            break;
        x->tag[i] = at < live ? short_tag(at) : 0u;
        x->live |= (at < live ? 1u : 0u) << i;
    }
}

/* All tags in the order of their buckets.  Returns how many there are. */
DEV uint32_t short_order(const struct stable_job *a, struct short_items *x)
{
    uint32_t live = short_pass(x, 16u, (1u << a->width[0]) - 1u);

    if (a->passes > 1u) {
        short_take(x, live);
        live = short_pass(x, 16u + a->width[0], (1u << a->width[1]) - 1u);
    }
    return live;
}

/* ---- what is written ------------------------------------------------------------------------- */

DEV void short_store_index(void *to, uint32_t at, uint64_t x, uint32_t bytes)
{
    if (bytes == 4u)
        gm_st4((uint32_t *)to + at, (uint32_t)x);
    else
        gm_st8((uint64_t *)to + at, x);
}

/* The inverse of items that go nowhere. */
DEV void short_dropped(const struct stable_job *a, const struct short_items *x)
{
    if (!a->dropped || BLOCK_ID)
        return;
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, x->rounds);

        if (i < x->rounds && at < x->n && !(x->live >> i & 1u))
            short_store_index(a->dropped, at, ~(uint64_t)0, a->index_bytes);
    }
}

/* Places of this block's share, one a thread at a time. */
DEV void short_write(const struct stable_job *a, uint32_t live)
{
    ROLL for (uint32_t i = BLOCK_ID * BLOCK_DIM + THREAD_ID; i < live; i += GRID_DIM * BLOCK_DIM)
    {
        const uint32_t at = short_tag(i) & 0xffffu;

        if (a->keys_to)
            copy_store(a->keys_to, i, copy_load(a->keys, at, a->key_bytes), a->key_bytes);
        if (a->values_to)
            copy_store(a->values_to, i, copy_load(a->values, at, a->value_bytes), a->value_bytes);
        if (a->places)
            gm_st4(a->places + i, at);
        if (a->index_to)
            short_store_index(a->index_to, i, a->choices > 1u ? at / (uint32_t)a->choices : at,
                              a->index_bytes);
        if (a->inverse)
            short_store_index(a->inverse, at, i, a->index_bytes);
    }
}

/* How many of the tags are of buckets below b. */
DEV uint32_t short_below(uint32_t b, uint32_t live)
{
    uint32_t low = 0;

    UNROLL for (uint32_t step = TILE_SIZE; step; step /= 2u)
    {
        const uint32_t to = low + step;

        if (to <= live && short_tag(to - 1u) >> 16 < b)
            low = to;
    }
    return low;
}

/* ---- blocks of pad_to places ----------------------------------------------------------------- */

/* The number of the highest one of x, and 1; of 0: 0. */
DEV uint32_t short_high(uint32_t x)
{
    UNROLL for (uint32_t by = 1; by < 32u; by *= 2u) x |= x >> by;
    return bit_count(x);
}

/* Where the bucket of each of this thread's items begins, and 1.  A barrier inside. */
DEV void short_begins(const struct short_items *x, uint32_t *begins)
{
    const uint32_t upto = 0xffffffffu >> (31u - LANE_ID);
    uint32_t last = 0;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, x->rounds), round = at - LANE_ID;
        uint32_t before, firsts;

        begins[i] = 0;
        if (i >= x->rounds)
            break;
        before = at && (x->live >> i & 1u) ? short_tag(at - 1u) : ~x->tag[i];
        firsts = ballot((x->live >> i & 1u) && before >> 16 != x->tag[i] >> 16);
        begins[i] = firsts & upto ? round + short_high(firsts & upto) : last;
        last = firsts ? round + short_high(firsts) : last;
    }
    if (LANE_ID == 0)
        sh_st4(SHORT_WARP + 4u * WARP_ID, last);
    block_sync();
    last = 0;
    ROLL for (uint32_t w = 0; w < WARP_ID; w++)
    {
        const uint32_t y = sh_ld4(SHORT_WARP + 4u * w);

        last = y ? y : last;
    }
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++) begins[i] = begins[i] ? begins[i] : last;
}

/* Leads before each item, to shared memory; behind the last: all of them.  Ends with a barrier. */
DEV void short_leads(const struct stable_job *a, struct short_items *x, uint32_t live)
{
    const uint32_t pad = a->pad_to < TILE_SIZE ? (uint32_t)a->pad_to : TILE_SIZE;
    const uint32_t below = (1u << LANE_ID) - 1u;
    uint32_t before[TILE_ITEMS], sum = 0;

    short_take(x, live);
    short_begins(x, before);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t number = tile_at(i, x->rounds) + 1u - before[i];
        uint32_t leads;

        if (i >= x->rounds)
            break;
        leads = ballot((x->live >> i & 1u) && number % pad == 0);
        before[i] = sum + bit_count(leads & below);
        sum += bit_count(leads);
    }
    if (LANE_ID == 0)
        sh_st4(TILE_SUMS + 4u * WARP_ID, sum);
    block_sync();
    sum = 0;
    ROLL for (uint32_t w = 0; w < TILE_WARPS; w++)
    {
        const uint32_t y = sh_ld4(TILE_SUMS + 4u * w);

        UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++) before[i] += w < WARP_ID ? y : 0u;
        sum += y;
    }
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (i < x->rounds)
            sh_st4(SHORT_LEADS + 4u * tile_at(i, x->rounds), before[i]);
    }
    if (THREAD_ID == 0)
        sh_st4(SHORT_ALL, sum);
    block_sync();
}

/* The bucket of each block: a lead tells it; ~0 behind the last. */
DEV void short_blocks(const struct stable_job *a, uint32_t live)
{
    const uint32_t all = sh_ld4(SHORT_ALL), step = GRID_DIM * BLOCK_DIM;
    const uint32_t first = BLOCK_ID * BLOCK_DIM + THREAD_ID;

    ROLL for (uint32_t i = first; i < live; i += step)
    {
        const uint32_t x = sh_ld4(SHORT_LEADS + 4u * i);
        const uint32_t y = sh_ld4(i + 1u < live ? SHORT_LEADS + 4u * (i + 1u) : SHORT_ALL);

        if (x != y && x < a->block_count)
            gm_st4(a->blocks + x, short_tag(i) >> 16);
    }
    ROLL for (uint64_t i = (uint64_t)all + first; i < a->block_count; i += step)
        gm_st4(a->blocks + i, ~0u);
}

/* Where buckets begin, rounded up or not, of this block's share; all ones if labels were bad. */
DEV void short_tell(const struct stable_job *a, uint32_t live, uint32_t bad)
{
    ROLL for (uint32_t b = BLOCK_ID * BLOCK_DIM + THREAD_ID; b <= a->rule.buckets;
              b += GRID_DIM * BLOCK_DIM)
    {
        const uint32_t at = short_below(b, live);

        if (a->offsets)
            gm_st8(a->offsets + b, bad ? ~(uint64_t)0 : at);
        if (a->padded) {
            const uint32_t leads = sh_ld4(at < live ? SHORT_LEADS + 4u * at : SHORT_ALL);

            gm_st8(a->padded + b, bad ? ~(uint64_t)0 : leads * a->pad_to);
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

DEV void stable_short(const struct stable_job *a)
{
    struct short_items x;
    uint32_t live, bad;

    x.n = (uint32_t)stable_count(a);
    x.rounds = (x.n + TILE_THREADS - 1u) / TILE_THREADS;
    stable_load_cuts(&a->rule, SHORT_CUTS);
    short_load(a, &x);
    short_dropped(a, &x);
    live = short_order(a, &x);
    bad = a->drop ? 0u : x.n - live;
    if (BLOCK_ID == 0 && THREAD_ID == 0) {
        gm_st4(&a->state->bad, bad);
        gm_st8(a->total, (uint64_t)x.n);
        gm_st8(a->total + 1, (uint64_t)live);
    }
    if (bad && !a->mark)
        return;
    if (a->padded || a->blocks)
        short_leads(a, &x, bad ? 0u : live);
    if (a->blocks)
        short_blocks(a, bad ? 0u : live);
    if (a->offsets || a->padded)
        short_tell(a, live, bad);
    if (!bad)
        short_write(a, live);
}

#endif
