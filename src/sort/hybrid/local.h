/* local.h - a block sorts a group of items, stably, in shared memory: the last step of the hybrid sort, and all of the
 * sort of a short array.
 *
 * Items are sorted by a *prefix* of their words: 24 bits, or 16 in a short group, from the highest one in which
 * words of the group differ.  That nearly always tells them apart.  It takes up to three passes over 8 bits
 * (prim/radix_tile.h), in which only prefix and tag move: a tag is the item's first place in the group.  A pass needs no
 * bits of the passes before it, so both fit in 32 bits from the first exchange on:
 *
 *      prefix, 24 bits   rank by bits 0 - 7     ->  bits 8 - 23, tag
 *                        rank by bits 8 - 15    ->  the same
 *                        rank by bits 16 - 23   ->  tags in order
 *
 * Then words, which are read again, go to their places.  Where neighbours of one prefix are out of order, short
 * runs are sorted by insertion, a thread each.  If a run is long, all bits are sorted by, 24 at a time from the lowest
 * up.  So a group costs at most four times what random words cost.  Payloads move once, at the end.
 *
 * The includer defines LOCAL_KEY_LOG: 3, or 2 for keys of 1, 2 and 4 bytes.  KEY_LOG is 2, for what moves in passes.
 * Shared memory: radix_tile.h's, and behind its buffer a word a place.
 */
#ifndef CW_SORT_HYBRID_LOCAL_H
#define CW_SORT_HYBRID_LOCAL_H

#include "prim/radix_tile.h"
#include "sort/hybrid/job.h"

#if LOCAL_KEY_LOG == 3
typedef uint64_t local_key;
#define sh_ld_word(at)    sh_ld8(at)
#define sh_st_word(at, x) sh_st8(at, x)
#define shfl_xor_word     shfl_xor8
#else
typedef uint32_t local_key;
#define sh_ld_word(at)    sh_ld4(at)
#define sh_st_word(at, x) sh_st4(at, x)
#define shfl_xor_word     shfl_xor4
#endif
#define LOCAL_KEY_BYTES (1u << LOCAL_KEY_LOG)

#define LOCAL_PREFIX 24u  /* bits */
#define LOCAL_SHORT  512u /* items of a group for which 16 bits are enough */
#define LOCAL_RUN    32u  /* items that are sorted by insertion, at most */

/* Shared memory: a tile of tags, and a word a place behind it.  Payloads take the place of both. */
struct local_narrow {
    uint8_t tile[TILE_BUFFER];
    uint32_t tag[TILE_SIZE];
    local_key word[TILE_SIZE]; /* before: the place of a tag */
};

struct local_range { /* of each warp, where the tile has its delta later */
    local_key least[32], most[32];
};

#define LOCAL_UNORDERED TILE_MORE(0) /* neighbours are out of order */
#define LOCAL_LONG      TILE_MORE(1) /* .. in a long run */
#define LOCAL_LEAST     (TILE_DELTA + SHARED_AT(local_range, least))
#define LOCAL_MOST      (TILE_DELTA + SHARED_AT(local_range, most))
#define LOCAL_WORDS     SHARED_AT(local_narrow, word)
#define LOCAL_NARROW    ((uint32_t)sizeof(struct local_narrow))
#define LOCAL_SHARED    (TILE_SHARED > LOCAL_NARROW ? TILE_SHARED : LOCAL_NARROW)

STATIC_ASSERT(sizeof(struct local_range) <= TILE_COUNTS - TILE_DELTA, "no room for the range");
STATIC_ASSERT(SHARED_AT(local_narrow, tag) == TILE_BUFFER, "tags are not the tile");

struct local {
    const struct cw_key_map *map;
    const void *keys;   /* the group's */
    local_key mask, lo; /* of a word: the bits that count, and the group's least */
    uint32_t from, count, rounds, first_bit;
};

/* Words and tags of a thread's items, where they are in registers. */
struct local_words {
    local_key w[TILE_ITEMS];
};

struct local_tags {
    uint32_t two[TILE_ITEMS / 2u]; /* two in a word */
};

/* The bits of a word, or of its rank, that count. */
DEV local_key local_counted(const struct local *l, local_key w)
{
    const struct cw_key_map *const m = l->map;
    const local_key low = (local_key)m->low, high = (local_key)m->high;

    if (m->tied)
        w = w == (local_key)m->minus ? (local_key)m->plus : w < low ? low : w > high ? high : w;
    return w >> l->first_bit & l->mask;
}

/* .. above those of the group's least. */
DEV local_key local_value(const struct local *l, local_key w)
{
    return local_counted(l, w) - l->lo;
}

DEV local_key local_word(uint32_t place)
{
    return sh_ld_word(LOCAL_WORDS + LOCAL_KEY_BYTES * tile_swizzle(place));
}

DEV void local_set_word(uint32_t place, local_key w)
{
    sh_st_word(LOCAL_WORDS + LOCAL_KEY_BYTES * tile_swizzle(place), w);
}

DEV uint32_t local_tag(uint32_t place)
{
    return sh_ld4(TILE_BUFFER + 4u * tile_swizzle(place)) & 0xffffu;
}

DEV int local_has(const struct local *l, uint32_t i)
{
    return i < l->rounds && tile_at(i, l->rounds) < l->count;
}

/* ---- from global memory --------------------------------------------------------------------- */

DEV local_key local_load_key(const void *keys, uint64_t i, uint32_t bytes)
{
#if LOCAL_KEY_LOG == 3
    (void)bytes;
    return gm_ld8((const uint64_t *)keys + i);
#else
    return bytes == 4u   ? gm_ld4((const uint32_t *)keys + i)
           : bytes == 2u ? gm_ld2((const uint16_t *)keys + i)
                         : gm_ld1((const uint8_t *)keys + i);
#endif
}

DEV local_key local_to_word(const struct cw_key_map *m, local_key x)
{
    const local_key flip = (local_key)m->flip, toggle = (local_key)m->toggle;
    const local_key bias = (local_key)m->bias, mask = (local_key)m->mask;

    return ((x ^ (x >> (m->bits - 1u) & 1u ? flip : 0u) ^ toggle) - bias) & mask;
}

DEV local_key local_to_key(const struct cw_key_map *m, local_key w)
{
    const local_key x = ((w + (local_key)m->bias) & (local_key)m->mask) ^ (local_key)m->toggle;

    return x ^ (x >> (m->bits - 1u) & 1u ? (local_key)m->flip : 0u);
}

DEV void local_load(const struct local *l, const struct hybrid_job *a, struct local_words *x)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        x->w[i] = 0;
        if (local_has(l, i))
            x->w[i] =
                local_load_key(l->keys, (uint64_t)l->from + tile_at(i, l->rounds), a->key_bytes);
    }
    if (!a->map.plain) {
        UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++) x->w[i] = local_to_word(&a->map, x->w[i]);
    }
}

/* The least word of the group, to l->lo, and its range, to all threads.  One barrier. */
DEV local_key local_range(struct local *l, const struct local_words *x)
{
    local_key least = (local_key) ~(local_key)0, most = 0;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const local_key w = local_counted(l, x->w[i]);

        if (local_has(l, i)) {
            least = w < least ? w : least;
            most = w > most ? w : most;
        }
    }
    UNROLL for (uint32_t by = 16; by; by /= 2)
    {
        const local_key u = shfl_xor_word(least, by), v = shfl_xor_word(most, by);

        least = u < least ? u : least;
        most = v > most ? v : most;
    }
    if (LANE_ID == 0) {
        sh_st_word(LOCAL_LEAST + LOCAL_KEY_BYTES * WARP_ID, least);
        sh_st_word(LOCAL_MOST + LOCAL_KEY_BYTES * WARP_ID, most);
    }
    if (THREAD_ID == 0) {
        sh_st4(LOCAL_UNORDERED, 0u);
        sh_st4(LOCAL_LONG, 0u);
    }
    block_sync();
    UNROLL for (uint32_t k = 0; k < TILE_WARPS; k++)
    {
        const local_key u = sh_ld_word(LOCAL_LEAST + LOCAL_KEY_BYTES * k);
        const local_key v = sh_ld_word(LOCAL_MOST + LOCAL_KEY_BYTES * k);

        least = u < least ? u : least;
        most = v > most ? v : most;
    }
    l->lo = least;
    return most - least;
}

/* ---- by 24 bits ----------------------------------------------------------------------------- */

DEV void local_prefixes(const struct local *l, const struct local_words *x, struct radix_tile *t,
                        uint32_t shift)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        t->x[i] = (uint32_t)(local_value(l, x->w[i]) >> shift) & ((1u << LOCAL_PREFIX) - 1u);
    }
}

/* Of a thread's item i: from `tags`, or, if that is NULL, the place that it has. */
DEV uint32_t local_own_tag(const struct local *l, const struct local_tags *tags, uint32_t i)
{
    return tags ? tags->two[i / 2u] >> 16u * (i % 2u) & 0xffffu : tile_at(i, l->rounds);
}

DEV void local_count(void)
{
    uint32_t start;

    block_sync();
    start = tile_scan(THREAD_ID < TILE_BUCKETS ? tile_column() : 0u);
    if (THREAD_ID < TILE_BUCKETS)
        tile_starts(start);
    block_sync();
}

/* Items by their lowest digit: prefixes without it, and tags, to the buffer. */
DEV void local_first(const struct local *l, struct radix_tile *t, const struct local_tags *tags)
{
    const struct radix_digit d = tile_digit_by(l->map, 0, 255u, 0);
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;

    tile_rank(t, d, l->count, l->rounds, 0);
    local_count();
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (local_has(l, i)) {
            const uint32_t place = tile_place(t, i) + sh_ld4(counts + 4u * (t->x[i] & 255u));

            sh_st4(TILE_BUFFER + 4u * tile_swizzle(place),
                   t->x[i] >> 8 << 16 | local_own_tag(l, tags, i));
        }
    }
    block_sync();
}

/* .. and by another one. */
DEV void local_next(const struct local *l, struct radix_tile *t, struct radix_digit d)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, l->rounds);

        if (i >= l->rounds)
            break;
        t->x[i] = at < l->count ? sh_ld4(TILE_BUFFER + 4u * tile_swizzle(at)) : 0u;
    }
    tile_rank(t, d, l->count, l->rounds, 0);
    local_count();
    tile_exchange(t, d, l->count, l->rounds, 0);
    block_sync();
}

/* Tags in the buffer are in order: each thread learns where its own are. */
DEV void local_places(const struct local *l, struct radix_tile *t, const struct local_tags *tags)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_at(i, l->rounds);

        if (local_has(l, i))
            sh_st4(LOCAL_WORDS + 4u * local_tag(at), at);
    }
    block_sync();
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        uint32_t place = 0;

        if (local_has(l, i))
            place = sh_ld4(LOCAL_WORDS + 4u * local_own_tag(l, tags, i));
        tile_set_place(t, i, place);
    }
    block_sync();
}

/* By `passes` times 8 bits: from prefixes in t, tags in order to the buffer, and places to t. */
DEV void local_order(const struct local *l, struct radix_tile *t, const struct local_tags *tags,
                     uint32_t passes)
{
    const struct radix_digit middle = tile_digit_by(l->map, 16, 255u, 0);
    const struct radix_digit high = tile_digit_by(l->map, 24, 255u, 0);

    local_first(l, t, tags);
    if (passes > 1u)
        local_next(l, t, middle);
    if (passes > 2u)
        local_next(l, t, high);
    local_places(l, t, tags);
}

DEV void local_put_words(const struct local *l, const struct radix_tile *t,
                         const struct local_words *x)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (local_has(l, i))
            local_set_word(tile_place(t, i), x->w[i]);
    }
    block_sync();
}

/* ---- what the prefix does not tell ---------------------------------------------------------- */

/* Whether neighbours are out of order. */
DEV uint32_t local_unordered(const struct local *l)
{
    ROLL for (uint32_t i = THREAD_ID; i + 1u < l->count; i += TILE_THREADS)
    {
        const local_key x = local_word(i);
        const local_key y = local_word(i + 1u);

        if (local_value(l, x) > local_value(l, y))
            sh_inc4(LOCAL_UNORDERED);
    }
    block_sync();
    return sh_ld4(LOCAL_UNORDERED);
}

/* Items from .. end - 1 by insertion, with their tags. */
DEV void local_insert(const struct local *l, uint32_t from, uint32_t end)
{
    ROLL for (uint32_t i = from + 1u; i < end; i++)
    {
        const local_key x = local_word(i);
        const uint32_t tag = local_tag(i);
        uint32_t k = i;

        ROLL while (k > from)
        {
            const local_key y = local_word(k - 1u);
            uint32_t other;

            if (local_value(l, y) <= local_value(l, x))
                break;
            other = local_tag(k - 1u);
            local_set_word(k, y);
            sh_st4(TILE_BUFFER + 4u * tile_swizzle(k), other);
            k--;
        }
        local_set_word(k, x);
        sh_st4(TILE_BUFFER + 4u * tile_swizzle(k), tag);
    }
}

DEV local_key local_prefix(const struct local *l, uint32_t place, uint32_t shift)
{
    return local_value(l, local_word(place)) >> shift;
}

/* Runs of one prefix, each by the thread that has its first item.  Returns whether one was too long.  Between barriers
 * runs are only looked for, or only sorted, which leaves their prefixes as they are. */
DEV uint32_t local_runs(const struct local *l, uint32_t shift)
{
    ROLL for (uint32_t base = 0; base < l->count; base += TILE_THREADS)
    {
        const uint32_t i = base + THREAD_ID;
        uint32_t end = 0;

        if (i + 1u < l->count) {
            const local_key own = local_prefix(l, i, shift);

            if (!i || local_prefix(l, i - 1u, shift) != own) {
                end = i + 1u;
                ROLL while (end < l->count && end - i <= LOCAL_RUN &&
                            local_prefix(l, end, shift) == own) end++;
            }
        }
        block_sync();
        if (end > i + LOCAL_RUN)
            sh_inc4(LOCAL_LONG);
        else if (end > i + 1u)
            local_insert(l, i, end);
        block_sync();
    }
    return sh_ld4(LOCAL_LONG);
}

/* By all bits of the range, from the lowest up. */
DEV void local_all(const struct local *l, uint32_t bits)
{
    ROLL for (uint32_t shift = 0; shift < bits; shift += LOCAL_PREFIX)
    {
        const uint32_t left = bits - shift;
        struct local_words x;
        struct local_tags tags;
        struct radix_tile t;

        UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
        {
            const uint32_t at = tile_at(i, l->rounds);
            uint32_t tag = 0;

            x.w[i] = 0;
            if (local_has(l, i)) {
                tag = local_tag(at);
                x.w[i] = local_word(at);
            }
            tags.two[i / 2u] = i % 2u ? tags.two[i / 2u] | tag << 16 : tag;
        }
        local_prefixes(l, &x, &t, shift);
        block_sync();
        local_order(l, &t, &tags, left > 16u ? 3u : left > 8u ? 2u : 1u);
        local_put_words(l, &t, &x);
    }
}

/* ---- to global memory ----------------------------------------------------------------------- */

DEV void local_store_key(void *keys, uint64_t i, local_key x, uint32_t bytes)
{
#if LOCAL_KEY_LOG == 3
    (void)bytes;
    gm_st8((uint64_t *)keys + i, x);
#else
    if (bytes == 4u)
        gm_st4((uint32_t *)keys + i, x);
    else if (bytes == 2u)
        gm_st2((uint16_t *)keys + i, x);
    else
        gm_st1((uint8_t *)keys + i, x);
#endif
}

DEV void local_write_keys(const struct local *l, const struct hybrid_job *a)
{
    if (!a->keys_out)
        return;
    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (k >= l->rounds)
            break;
        if (i < l->count) {
            const local_key w = local_word(i);

            local_store_key(a->keys_out, (uint64_t)l->from + i,
                            a->map.plain ? w : local_to_key(&a->map, w), a->key_bytes);
        }
    }
}

/* `again`: tags have moved since places were learnt. */
DEV void local_write_payload(const struct local *l, const struct hybrid_job *a,
                             struct radix_tile *t, uint32_t again)
{
#if defined(PAYLOAD_LOG)
    struct radix_payload v;

    tile_load_payload(&v, a->values, l->from, l->count, l->rounds, a->value_bytes, 0);
    block_sync();
    if (again)
        local_places(l, t, NULL);
    tile_exchange_payload(t, &v, l->count, l->rounds, 0);
    block_sync();
    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (k >= l->rounds)
            break;
        if (i < l->count)
            payload_store(a->values_out, (uint64_t)l->from + i,
                          sh_ld_payload(TILE_BUFFER + PAYLOAD_BYTES * tile_swizzle(i)),
                          a->last_bytes);
    }
#else
    (void)l;
    (void)a;
    (void)t;
    (void)again;
#endif
}

DEV uint32_t local_bits(local_key range)
{
    uint32_t bits = 0;

    ROLL for (uint32_t by = 4u * LOCAL_KEY_BYTES; by; by /= 2)
    {
        if (range >> by) {
            bits += by;
            range >>= by;
        }
    }
    return bits + (range != 0);
}

/* Which group: one of several, or the whole array. */
DEV void local_begin(struct local *l, const struct hybrid_job *a)
{
    l->map = &a->map;
    l->keys = a->keys;
    l->from = a->starts ? gm_ld4(a->starts + BLOCK_ID) : 0u;
    l->count = a->starts ? gm_ld4(a->starts + BLOCK_ID + 1u) - l->from : (uint32_t)a->n;
    l->rounds = (l->count + TILE_THREADS - 1u) / TILE_THREADS;
    l->first_bit = a->first_bit;
    l->mask = (local_key)(~(uint64_t)0 >> (64u - a->bits));
}

DEV void hybrid_local(const struct hybrid_job *a)
{
    uint32_t bits, prefix, shift, again = 0;
    struct local_words x;
    struct radix_tile t;
    struct local l;

    if (a->gate && gm_ld4(a->gate))
        return;
    local_begin(&l, a);
    if (!l.count)
        return;
    local_load(&l, a, &x);
    bits = local_bits(local_range(&l, &x));
    prefix = l.count <= LOCAL_SHORT ? 16u : LOCAL_PREFIX;
    shift = bits > prefix ? bits - prefix : 0u;
    local_prefixes(&l, &x, &t, shift);
    local_order(&l, &t, NULL, bits - shift > 16u ? 3u : bits - shift > 8u ? 2u : 1u);
    local_load(&l, a, &x);
    local_put_words(&l, &t, &x);
    if (shift && local_unordered(&l)) {
        again = 1;
        if (local_runs(&l, shift))
            local_all(&l, bits);
    }
    local_write_keys(&l, a);
    local_write_payload(&l, a, &t, again);
}

#endif
