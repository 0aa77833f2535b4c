/* keys.h - what cw_sort does with keys by the thousand: map them, compare them, find buckets.
 *
 * The body is compiled for keys of 8 bytes (WORD_LOG 3) and of 1, 2 and 4 (2), and for each kind of
 * processor (CPU_AVX2, CPU_AVX512, or neither) by a wrapper in sort/keys/.  No loop has a branch
 * that depends on keys; vectors are left to the compiler.
 */
#include "cpu/sort/cuts.h"
#include "cpu/sort/ties.h"
#include "cpu/words.h"

#if !defined(CPU_AVX2) && !defined(CPU_AVX512)
#define ISA
#define CPU_NAME(log) cw_sort_keys_plain_##log
#elif defined(__x86_64__) && defined(__GNUC__) && defined(CPU_AVX2)
#define ISA           __attribute__((target("avx2")))
#define CPU_NAME(log) cw_sort_keys_avx2_##log
#elif defined(__x86_64__) && defined(__GNUC__)
#define ISA           __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define CPU_NAME(log) cw_sort_keys_avx512_##log
#endif

#if defined(ISA)

#define NAME_OF(log) CPU_NAME(log)
#define SORT_KEYS    NAME_OF(WORD_LOG)
#define TOGETHER     8u /* keys that go down a tree side by side */

/* ---- keys and words ------------------------------------------------------------------------- */

/* `bytes` is a constant wherever the next three are called, so the loops become vectors. */
ISA CW_INLINE void map_of(const struct cw_sorter *s, const void *keys, uint32_t n, void *to,
                          size_t bytes)
{
    const struct form f = form_of_map(&s->map);

    CW_SIMD
    for (uint32_t x = 0; x < n; x++) {
        const bits key = (bits)item_get(keys, x, bytes);

        item_put(to, x, bytes, CW_KEY_TO_WORD(&f, key));
    }
}

ISA CW_INLINE void unmap_of(const struct cw_sorter *s, const void *mapped, uint32_t n, void *to,
                            size_t bytes)
{
    const struct form f = form_of_map(&s->map);

    CW_SIMD
    for (uint32_t x = 0; x < n; x++) {
        const bits key = (bits)item_get(mapped, x, bytes), flipped = CW_WORD_FLIPPED(&f, key);

        item_put(to, x, bytes, CW_FLIPPED_TO_KEY(&f, flipped));
    }
}

ISA CW_INLINE void words_of(const struct cw_sorter *s, const void *mapped, uint32_t n, bits *to,
                            size_t bytes)
{
    const uint32_t first = s->first;
    const bits range = (bits)s->range;

    if (s->map.tied) {
        const struct form f = form_of_map(&s->map);

        CW_SIMD
        for (uint32_t x = 0; x < n; x++) {
            const bits word = (bits)item_get(mapped, x, bytes);

            to[x] = CW_WORD_TO_RANK(&f, word) >> first & range;
        }
        return;
    }
    CW_SIMD
    for (uint32_t x = 0; x < n; x++)
        to[x] = (bits)item_get(mapped, x, bytes) >> first & range;
}

ISA static void map(const struct cw_sorter *s, const void *keys, uint32_t n, void *to)
{
    if (WORD_LOG == 3)
        map_of(s, keys, n, to, 8);
    else if (s->bytes[0] == 4)
        map_of(s, keys, n, to, 4);
    else if (s->bytes[0] == 2)
        map_of(s, keys, n, to, 2);
    else
        map_of(s, keys, n, to, 1);
}

ISA static void unmap(const struct cw_sorter *s, const void *mapped, uint32_t n, void *to)
{
    if (WORD_LOG == 3)
        unmap_of(s, mapped, n, to, 8);
    else if (s->bytes[0] == 4)
        unmap_of(s, mapped, n, to, 4);
    else if (s->bytes[0] == 2)
        unmap_of(s, mapped, n, to, 2);
    else
        unmap_of(s, mapped, n, to, 1);
}

ISA static const void *words(const struct cw_sorter *s, const void *mapped, uint32_t n, void *room)
{
    bits *to = (bits *)room;

    if (s->bytes[0] == sizeof(bits) && s->range == s->map.mask && !s->map.tied)
        return mapped;
    if (WORD_LOG == 3)
        words_of(s, mapped, n, to, 8);
    else if (s->bytes[0] == 4)
        words_of(s, mapped, n, to, 4);
    else if (s->bytes[0] == 2)
        words_of(s, mapped, n, to, 2);
    else
        words_of(s, mapped, n, to, 1);
    return room;
}

/* ---- ties ----------------------------------------------------------------------------------- */

/* NaN's words stand together at one end (key_map.h). */
ISA CW_INLINE void ties_of(const struct cw_key_map *map, const void *keys, uint32_t n,
                           struct cw_ties *t, size_t bytes)
{
    const struct form f = form_of_map(map);
    const bits first = f.nan == f.low ? 0 : f.high, span = f.nan == f.low ? f.low : f.mask - f.high;
    bits minus = 0, plus = 0, ones = 0, zeros = 0;

    CW_SIMD_OR(minus, plus, ones, zeros)
    for (uint32_t x = 0; x < n; x++) {
        const bits key = (bits)item_get(keys, x, bytes), word = CW_KEY_TO_WORD(&f, key);
        const bits nan = word - first <= span ? f.mask : 0;

        minus |= word == f.minus;
        plus |= word == f.plus;
        ones |= word & nan;
        zeros |= ~word & nan;
    }
    t->minus |= minus;
    t->plus |= plus;
    t->ones |= ones;
    t->zeros |= zeros;
}

ISA static void ties(const struct cw_key_map *map, const void *keys, uint32_t n, struct cw_ties *t)
{
    if (WORD_LOG == 3)
        ties_of(map, keys, n, t, 8);
    else if (map->bits == 32)
        ties_of(map, keys, n, t, 4);
    else
        ties_of(map, keys, n, t, 2);
}

/* ---- buckets -------------------------------------------------------------------------------- */

/* y of sort/cuts.h. */
ISA CW_INLINE bits offset(bits x, bits least, bits most)
{
    const bits up = x < least ? least : x;

    return (up > most ? most : up) - least;
}

ISA static void by_digits(const struct cw_cuts *c, const word *x, uint32_t n, uint16_t *to)
{
    const bits least = (bits)c->least, most = (bits)c->most;
    const uint32_t shift = c->shift;

    CW_SIMD
    for (uint32_t k = 0; k < n; k++) {
        const bits y = offset(x[k], least, most);
        const cw_cell cell = c->cell[y >> shift];

        to[k] = (uint16_t)(cell + (uint32_t)(y >> (cell >> 16)));
    }
}

ISA static void by_even_digits(const struct cw_cuts *c, const word *x, uint32_t n, uint16_t *to)
{
    const bits least = (bits)c->least, most = (bits)c->most;
    const uint32_t shift = c->even;

    CW_SIMD
    for (uint32_t k = 0; k < n; k++)
        to[k] = (uint16_t)(offset(x[k], least, most) >> shift);
}

/* Down the tree with TOGETHER keys side by side, so that the processor need not wait for one's
 * comparisons.  Words are loaded one by one: a gather of vectors is slower. */
ISA static void down_tree(const struct cw_cuts *c, const word *x, uint16_t *to)
{
    const bits *tree = WORD_LOG == 2 ? (const bits *)c->tree.of4 : (const bits *)c->tree.of8;
    const bits *all = WORD_LOG == 2 ? (const bits *)c->splitter.of4 : (const bits *)c->splitter.of8;
    const uint32_t levels = c->levels, leaves = 1u << levels;
    uint32_t at0 = 1, at1 = 1, at2 = 1, at3 = 1, at4 = 1, at5 = 1, at6 = 1, at7 = 1;

    for (uint32_t l = 0; l < levels; l++) {
        at0 += at0 + (tree[at0] < x[0]);
        at1 += at1 + (tree[at1] < x[1]);
        at2 += at2 + (tree[at2] < x[2]);
        at3 += at3 + (tree[at3] < x[3]);
        at4 += at4 + (tree[at4] < x[4]);
        at5 += at5 + (tree[at5] < x[5]);
        at6 += at6 + (tree[at6] < x[6]);
        at7 += at7 + (tree[at7] < x[7]);
    }
    to[0] = (uint16_t)(2 * (at0 - leaves) + (x[0] == all[at0 - leaves]));
    to[1] = (uint16_t)(2 * (at1 - leaves) + (x[1] == all[at1 - leaves]));
    to[2] = (uint16_t)(2 * (at2 - leaves) + (x[2] == all[at2 - leaves]));
    to[3] = (uint16_t)(2 * (at3 - leaves) + (x[3] == all[at3 - leaves]));
    to[4] = (uint16_t)(2 * (at4 - leaves) + (x[4] == all[at4 - leaves]));
    to[5] = (uint16_t)(2 * (at5 - leaves) + (x[5] == all[at5 - leaves]));
    to[6] = (uint16_t)(2 * (at6 - leaves) + (x[6] == all[at6 - leaves]));
    to[7] = (uint16_t)(2 * (at7 - leaves) + (x[7] == all[at7 - leaves]));
}

ISA static void by_splitters(const struct cw_cuts *c, const word *x, uint32_t n, uint16_t *to)
{
    word last[TOGETHER] = {0};
    uint16_t bucket[TOGETHER];
    uint32_t k = 0;

    for (; k + TOGETHER <= n; k += TOGETHER)
        down_tree(c, x + k, to + k);
    if (k < n) {
        memcpy(last, x + k, (n - k) * sizeof *x);
        down_tree(c, last, bucket);
        memcpy(to + k, bucket, (n - k) * sizeof *to);
    }
}

ISA static void bucket(const struct cw_cuts *cuts, const void *words, uint32_t n, uint16_t *to)
{
    if (cuts->levels)
        by_splitters(cuts, (const word *)words, n, to);
    else if (cuts->even < 64)
        by_even_digits(cuts, (const word *)words, n, to);
    else
        by_digits(cuts, (const word *)words, n, to);
}

/* ---- order ---------------------------------------------------------------------------------- */

ISA static uint32_t falls(const void *words, uint32_t n)
{
    const word *x = (const word *)words;
    uint32_t fall = 0;

    CW_SIMD_ADD(fall)
    for (uint32_t k = 1; k < n; k++)
        fall += x[k] < x[k - 1];
    return fall;
}

ISA static int rises(const void *words, uint32_t n, int strictly)
{
    const word *x = (const word *)words;
    uint32_t rise = 0;

    if (strictly) {
        CW_SIMD_OR(rise)
        for (uint32_t k = 1; k < n; k++)
            rise |= x[k] > x[k - 1];
    } else {
        CW_SIMD_OR(rise)
        for (uint32_t k = 1; k < n; k++)
            rise |= x[k] >= x[k - 1];
    }
    return (int)rise;
}

ISA static uint64_t difference(const void *words, uint32_t n, uint64_t from)
{
    const word *x = (const word *)words;
    bits differ = 0;

    CW_SIMD_OR(differ)
    for (uint32_t k = 0; k < n; k++)
        differ |= x[k] ^ (bits)from;
    return differ;
}

/* ---- places --------------------------------------------------------------------------------- */

ISA static void put_places(const void *words, size_t bytes, uint32_t n, uint32_t width,
                           uint32_t drop, uint32_t place, void *to)
{
    const uint64_t mask = UINT64_MAX >> (64u - width);
    const uint32_t *of4 = (const uint32_t *)words;
    const uint64_t *of8 = (const uint64_t *)words;
    word *out = (word *)to;

    if (bytes == 4) {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            out[x] = (bits)(of4[x] & (uint32_t)mask) << CW_PLACE_BITS | (place + x);
    } else {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            out[x] = (bits)((of8[x] & mask) >> drop) << CW_PLACE_BITS | (place + x);
    }
}

ISA static int get_places(const void *words, uint32_t n, uint16_t *place)
{
    const word *x = (const word *)words;
    uint32_t agree = 0;

    CW_SIMD
    for (uint32_t k = 0; k < n; k++)
        place[k] = (uint16_t)x[k];
    CW_SIMD_OR(agree)
    for (uint32_t k = 1; k < n; k++)
        agree |= (x[k] ^ x[k - 1]) >> CW_PLACE_BITS == 0;
    return (int)agree;
}

extern const struct cw_sort_keys SORT_KEYS;
const struct cw_sort_keys SORT_KEYS = {map,   unmap, words,      ties,       bucket,
                                       falls, rises, difference, put_places, get_places};

#endif
