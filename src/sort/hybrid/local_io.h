/* local_io.h - the local sort's items: in global memory, in shared memory, in registers.
 *
 * A word is rotated so that the bits that count are its highest ones.  The `drop` bits below them
 * do not count, and are left out where words are compared.
 *
 * A tag says where an item's word and payload are.  It is the item's first place in the group,
 * swizzled.  Otherwise keys that come a fixed number of places apart, and are neighbours in the
 * order, would meet in one bank.
 *
 * Where one block has the multiprocessor to itself payloads are loaded with keys, and stand behind
 * the words.  Otherwise they take the place of tags and words, once keys are written.
 */
#ifndef CW_SORT_HYBRID_LOCAL_IO_H
#define CW_SORT_HYBRID_LOCAL_IO_H

#if LOCAL_KEY_LOG == 3
typedef uint64_t local_key;
#define sh_ld_word(at)    sh_ld8(at)
#define sh_st_word(at, x) sh_st8(at, x)
#define shfl_word         shfl8
#else
typedef uint32_t local_key;
#define sh_ld_word(at)    sh_ld4(at)
#define sh_st_word(at, x) sh_st4(at, x)
#define shfl_word         shfl4
#endif
#define LOCAL_KEY_BYTES (1u << LOCAL_KEY_LOG)
#define LOCAL_KEY_BITS  (8u << LOCAL_KEY_LOG)

/* Shared memory: a tile of tags, and what they stand for. */
struct local_shared {
    uint8_t tile[TILE_BUFFER];
    uint32_t tag[TILE_SIZE];
    local_key word[TILE_SIZE]; /* by tag */
#if defined(PAYLOAD_LOG) && defined(BLOCK_ALONE)
    payload v[TILE_SIZE]; /* by tag */
#endif
};

struct local_range { /* of each warp, where other tiles have their delta */
    local_key least[32], most[32];
};

#define LOCAL_FOUND TILE_MORE(0) /* neighbours that are out of order (local_runs.h) */
#define LOCAL_LONG  TILE_MORE(1) /* .. in a long run */
#define LOCAL_LEAST (TILE_DELTA + SHARED_AT(local_range, least))
#define LOCAL_MOST  (TILE_DELTA + SHARED_AT(local_range, most))
#define LOCAL_WORDS SHARED_AT(local_shared, word)
#define LOCAL_OWN   ((uint32_t)sizeof(struct local_shared))
#if defined(PAYLOAD_LOG) && defined(BLOCK_ALONE)
#define LOCAL_PAYLOAD SHARED_AT(local_shared, v)
#else
#define LOCAL_PAYLOAD TILE_BUFFER
#endif
#define LOCAL_SHARED (TILE_SHARED > LOCAL_OWN ? TILE_SHARED : LOCAL_OWN)

STATIC_ASSERT(sizeof(struct local_range) <= TILE_COUNTS - TILE_DELTA, "no room for the range");
STATIC_ASSERT(SHARED_AT(local_shared, tag) == TILE_BUFFER, "tags are not the tile");

struct local {
    const struct hybrid_job *job;
    uint32_t from, count; /* items of the array */
    uint32_t rounds;      /* items of a thread */
    uint32_t up, drop;    /* bits that a word is rotated by, and that do not count then */
    local_key kept;       /* the bits of a rotated word that count */
    local_key least;      /* least word of the group: those bits of it */
};

/* A thread's items, by their tags.  Item i is at place local_place() + 32 * i: of the group, and of
 * its order in the end. */
struct local_items {
    uint32_t tags[TILE_ITEMS / 2u]; /* two in a word */
};

/* Keys, or words, of all of a thread's items. */
struct local_keys {
    local_key x[TILE_ITEMS];
};

/* Ends a loop over a thread's items.  Where there are many, this is asked before every second item
 * only. */
#define LOCAL_ENDS(l, i) ((i) % TILE_STEP == 0u && (i) >= (l)->rounds)

DEV void local_begin(struct local *l, const struct hybrid_job *a)
{
    l->job = a;
    l->from = a->starts ? gm_ld4(a->starts + BLOCK_ID) : 0u;
    l->count = a->starts ? gm_ld4(a->starts + BLOCK_ID + 1u) - l->from : (uint32_t)a->n;
    l->rounds = (l->count + TILE_STEP * TILE_THREADS - 1u) / (TILE_STEP * TILE_THREADS) * TILE_STEP;
    l->drop = LOCAL_KEY_BITS - a->bits;
    l->up = l->drop - a->first_bit;
    l->kept = (local_key)((local_key) ~(local_key)0 << l->drop);
    l->least = 0;
}

/* The thread's first place.  Item i is 32 * i behind it.  A compiler that knew how it is made would
 * keep the places of all items, and spill them. */
DEV uint32_t local_place(const struct local *l)
{
    uint32_t at = tile_at(0, l->rounds);

    forget(at);
    return at;
}

DEV uint32_t local_tag(const struct local_items *x, uint32_t i)
{
    return i % 2u ? x->tags[i / 2u] >> 16 : x->tags[i / 2u] & 0xffffu;
}

DEV void local_set_tag(struct local_items *x, uint32_t i, uint32_t tag)
{
    x->tags[i / 2u] = i % 2u ? x->tags[i / 2u] | tag << 16 : tag;
}

DEV local_key local_word(uint32_t tag)
{
    return sh_ld_word(LOCAL_WORDS + LOCAL_KEY_BYTES * tag);
}

/* The tag at a place of the buffer. */
DEV uint32_t local_tag_at(uint32_t place)
{
    return sh_ld4(TILE_BUFFER + 4u * tile_swizzle(place)) & 0xffffu;
}

/* The bits of a word that count. */
DEV local_key local_kept(const struct local *l, local_key w)
{
    return w & l->kept;
}

/* ---- keys and words ------------------------------------------------------------------------- */

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

/* The rank of a word, for maps that are tied (key_map.h). */
DEV local_key local_rank(const struct cw_key_map *m, local_key w)
{
    const local_key low = (local_key)m->low, high = (local_key)m->high;

    return w == (local_key)m->minus ? (local_key)m->plus : w < low ? low : w > high ? high : w;
}

/* Rotated to the right.  By 0 and by all bits a word stays what it is. */
DEV local_key local_rotate(local_key w, uint32_t by)
{
    const uint32_t most = LOCAL_KEY_BITS - 1u;

    return w >> (by & most) | w << ((LOCAL_KEY_BITS - by) & most);
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

/* Load the group's keys, and behind them the last one again.  `bytes` is a constant. */
DEV void local_load_keys(const struct local *l, struct local_keys *k, uint32_t bytes)
{
    const uint32_t first = local_place(l);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = first + 32u * i;

        if (LOCAL_ENDS(l, i))
            break;
        k->x[i] = local_load_key(l->job->keys,
                                 (uint64_t)l->from + (at < l->count ? at : l->count - 1u), bytes);
    }
}

/* Is a key its rotated word? */
DEV int local_plain(const struct local *l)
{
    return l->job->map.plain && !l->job->map.tied && !l->up;
}

DEV local_key local_turned(const struct local *l, local_key x)
{
    const struct cw_key_map *const m = &l->job->map;
    const local_key w = local_to_word(m, x);

    return local_rotate(m->tied ? local_rank(m, w) : w, LOCAL_KEY_BITS - l->up);
}

/* The least of a warp's words.  (Of their complements, this is the largest word.) */
DEV local_key local_warp_least(local_key w)
{
#if LOCAL_KEY_LOG == 3
    const uint32_t high = warp_min4((uint32_t)(w >> 32));
    const uint32_t low = warp_min4((uint32_t)(w >> 32) == high ? (uint32_t)w : 0xffffffffu);

    return (uint64_t)high << 32 | low;
#else
    return warp_min4(w);
#endif
}

/* How many bits there are up to the highest one that is set. */
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

struct local_extent {
    local_key least, most;
};

/* Write words to shared memory.  `plain` is a constant: keys are words. */
DEV struct local_extent local_put_words(const struct local *l, const struct local_keys *k,
                                        int plain)
{
    const uint32_t first = local_place(l);
    struct local_extent r = {(local_key) ~(local_key)0, 0};

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t tag = tile_swizzle(first + 32u * i);
        local_key w;

        if (LOCAL_ENDS(l, i))
            break;
        w = plain ? k->x[i] : local_turned(l, k->x[i]);
        sh_st_word(LOCAL_WORDS + LOCAL_KEY_BYTES * tag, w);
        r.least = w < r.least ? w : r.least;
        r.most = w > r.most ? w : r.most;
    }
    return r;
}

/* Find the group's least word from all threads' least and most, to l->least.  Returns how many bits
 * tell its words apart.  One barrier. */
DEV uint32_t local_range(struct local *l, struct local_extent r)
{
    r.least = local_warp_least(r.least);
    r.most = local_warp_least((local_key)~r.most);
    if (LANE_ID == 0) {
        sh_st_word(LOCAL_LEAST + LOCAL_KEY_BYTES * WARP_ID, r.least);
        sh_st_word(LOCAL_MOST + LOCAL_KEY_BYTES * WARP_ID, r.most);
    }
    block_sync();
    r.least = sh_ld_word(LOCAL_LEAST + LOCAL_KEY_BYTES * (LANE_ID % TILE_WARPS));
    r.most = sh_ld_word(LOCAL_MOST + LOCAL_KEY_BYTES * (LANE_ID % TILE_WARPS));
    l->least = local_kept(l, local_warp_least(r.least));
    return local_bits((local_key)((local_key)~local_warp_least(r.most) - l->least) >> l->drop);
}

#if defined(PAYLOAD_LOG)
DEV void local_load_payload(const struct local *l, struct radix_payload *v)
{
    if (l->job->values)
        tile_load_payload(v, l->job->values, l->from, l->count, l->rounds, l->job->value_bytes, 0);
    else
        tile_index_payload(v, l->from, l->rounds);
}

/* Write payloads to shared memory, by tags. */
DEV void local_put_payload(const struct local *l, const struct radix_payload *v)
{
    const uint32_t first = local_place(l);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = first + 32u * i;

        if (LOCAL_ENDS(l, i))
            break;
        if (at < l->count)
            sh_st_payload(LOCAL_PAYLOAD + PAYLOAD_BYTES * tile_swizzle(at), v->v[i]);
    }
}
#endif

/* Load the group to shared memory.  Returns how many bits tell words apart. */
DEV uint32_t local_load(struct local *l)
{
    struct local_extent r;
    struct local_keys k;
#if defined(PAYLOAD_LOG) && defined(BLOCK_ALONE)
    struct radix_payload v;
#endif

#if defined(PAYLOAD_LOG) && defined(BLOCK_ALONE)
    local_load_payload(l, &v); /* before keys, since these are waited for */
#endif
#if LOCAL_KEY_LOG == 3
    local_load_keys(l, &k, 8u);
#else
    if (l->job->key_bytes == 4u)
        local_load_keys(l, &k, 4u);
    else if (l->job->key_bytes == 2u)
        local_load_keys(l, &k, 2u);
    else
        local_load_keys(l, &k, 1u);
#endif
    r = local_plain(l) ? local_put_words(l, &k, 1) : local_put_words(l, &k, 0);
#if defined(PAYLOAD_LOG) && defined(BLOCK_ALONE)
    local_put_payload(l, &v);
#endif
    if (THREAD_ID == 0) {
        sh_st4(LOCAL_FOUND, 0u);
        sh_st4(LOCAL_LONG, 0u);
    }
    return l->job->bits > 16u ? local_range(l, r) : l->job->bits;
}

/* The tags of items as they are loaded. */
DEV void local_first_tags(const struct local *l, struct local_items *x)
{
    const uint32_t first = local_place(l);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        local_set_tag(x, i, tile_swizzle(first + 32u * i));
    }
}

#endif
