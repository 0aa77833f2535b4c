/* sort.c - which kernels sort an array, and where they keep what.
 *
 *      keys alone, all of their bits    of 1 or 2 bytes: counted (counting/small_keys.h)
 *                                       of 4 or 8 bytes: sorted
 *      keys of 4 bytes, all bits, and values of 4, no index: sorted as pairs
 *      keys of 1 or 2 bytes with values, an index or a range of bits: by digits from the lowest up
 *                (lsd/pass.h)
 *      all else: pairs of a word and the key's place are sorted, and what is wanted is gathered
 *                by place (index/gather.h); by digits, if that would need more workspace than another
 *                array of all that is moved and 64 MiB, or if there are more than 2^32 places
 *
 * Of places the word is the key, if it has 4 bytes and all of its bits count, else those of
 * its bits that count, as a number.  If they are more than 32, the lower 32 are sorted first, then
 * the others, in a stable way.
 *
 * An index says of equal keys which was first, so it makes a sort stable.
 *
 * Workspace of sorts by places, each part on 256 bytes, for n items, besides what a sort of words needs
 * (radix/plan.c: its words once more, values too, and up to 62 MiB):
 *
 *      places    4n      unless index_out has them, of 4 bytes
 *      words     4n      unless they are the keys, and these are wanted
 *
 * Keys and values that are gathered into the array that they come from go through the room of the
 * words and of their sort, which is not needed any more then.
 */
#include "sort/sort.h"

#include <string.h>

#include "sort/index/job.h"
#include "sort/lsd/plan.h"
#include "sort/radix/plan.h"
#include "base/arena.h"

enum way { WAY_KEYS, WAY_TALLY, WAY_PAIRS, WAY_PLACES, WAY_DIGITS };

struct sort {
    const cw_array *job;
    struct cw_queue *q;
    enum way way;
    struct cw_key_map map;
    uint32_t key_bytes;
    int raw;   /* words are keys */
    int exact; /* stable */
    struct radix_table table;
    uint64_t moved; /* bytes of all that the caller wants in order */

    uint32_t *places, *words;
    uint64_t *counts, *starts;
    void *rest;  /* for the sort of words */
    void *spare; /* from the words on: for gathered keys and values */
};

/* ---- what is to be done --------------------------------------------------------------------- */

/* Small shapes have no radix sort.  The large table says how much workspace a sort may take. */
static void table_of(struct radix_table *t, int engine, enum cw_shapes shapes)
{
    typedef void (*fill)(struct radix_table *);
#define TINY(type)  {cw_sort_radix_##type##_passes_tiny, cw_sort_radix_##type##_rows_tiny},
#define LARGE(type) {cw_sort_radix_##type##_passes_large, cw_sort_radix_##type##_rows_large},
    static const fill tiny[][2] = {CW_RADIX_ENGINES(TINY)}, large[][2] = {CW_RADIX_ENGINES(LARGE)};
    const int is_tiny = shapes == CW_SHAPES_TINY;
    const fill *const f = (is_tiny ? tiny : large)[engine];

    memset(t, 0, sizeof *t);
    f[0](t);
    f[1](t);
    if (t->turn_threads)
        (is_tiny ? cw_sort_radix_p32_turns_tiny : cw_sort_radix_p32_turns_large)(t);
}

#define MOST_PLACES ((uint64_t)1 << 32)

static int all_bits(const cw_array *job)
{
    return job->bits == 8u * cw_type_bytes(job->type);
}

static enum way way_of(const cw_array *job, enum cw_shapes shapes)
{
    const size_t bytes = cw_type_bytes(job->type);

    if (shapes == CW_SHAPES_SMALL)
        return WAY_DIGITS;
    if (all_bits(job) && !job->index_bytes) {
        if (!job->value_bytes)
            return bytes <= 2 ? WAY_TALLY : WAY_KEYS;
        if (bytes == 4 && job->value_bytes == 4)
            return WAY_PAIRS;
    }
    return bytes <= 2 || (uint64_t)job->n > MOST_PLACES ? WAY_DIGITS : WAY_PLACES;
}

int cw_sort_engine(const cw_array *job)
{
    return way_of(job, CW_SHAPES_LARGE) >= WAY_PAIRS ? 2 : cw_type_bytes(job->type) == 8;
}

const char *cw_sort_refuses(const cw_array *job)
{
    return (uint64_t)job->n > RADIX_MOST ? "more than 2^40 keys" : NULL;
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* For a sort by places, from `base` on; returns its size. */
static uint64_t places_layout(struct sort *s, uint8_t *base)
{
    const cw_array *const job = s->job;
    const uint64_t n = job->n;
    uint64_t at = 0, spare, all;

    s->places = (uint32_t *)job->index_out;
    if (job->index_bytes != 4)
        s->places = (uint32_t *)take(base, &at, 4u * n);
    s->words = (uint32_t *)job->keys_out;
    spare = at;
    s->spare = base ? base + spare : NULL;
    if (!s->raw || !job->keys_out) {
        s->words = (uint32_t *)job->index_out;
        if (job->index_bytes != 8)
            s->words = (uint32_t *)take(base, &at, 4u * n);
    }
    s->rest = base ? base + at : NULL;
    all = at + cw_radix_bytes(&s->table, n);
    if (!s->raw && all < spare + n * s->key_bytes)
        all = spare + n * s->key_bytes;
    return all < spare + n * job->value_bytes ? spare + n * job->value_bytes : all;
}

/* By digits.  Not less than shorter arrays need, which may be sorted by places. */
static uint64_t digits_bytes(struct sort *s)
{
    const uint64_t most = s->moved + s->table.spare, digits = cw_lsd_bytes(s->job);
    uint64_t places = s->key_bytes <= 2 ? 0 : places_layout(s, NULL);

    places = places < most ? places : most;
    return digits < places ? places : digits;
}

static void begin(struct sort *s, const cw_array *job, const struct radix_table *table,
                  enum cw_shapes shapes)
{
    memset(s, 0, sizeof *s);
    s->job = job;
    s->way = way_of(job, shapes);
    s->table = *table;
    s->key_bytes = (uint32_t)cw_type_bytes(job->type);
    s->raw = s->key_bytes == 4 && all_bits(job);
    s->exact = job->flags & CW_STABLE || job->index_bytes;
    s->map = cw_key_map_of(job->type, (job->flags & CW_DESCENDING) != 0);
    s->moved = job->n * (s->key_bytes + job->value_bytes + job->index_bytes);
    if (s->way == WAY_PLACES && places_layout(s, NULL) > s->moved + table->spare)
        s->way = WAY_DIGITS;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct sort *s, uint8_t *base)
{
    uint64_t at = 0;

    if (s->way == WAY_TALLY) {
        s->counts = (uint64_t *)take(base, &at, 8u << (8u * s->key_bytes));
        s->starts = (uint64_t *)take(base, &at, (8u << (8u * s->key_bytes)) + 8u);
        return at;
    }
    s->rest = base;
    switch (s->way) {
    case WAY_PLACES:
        return places_layout(s, base);
    case WAY_DIGITS:
        return digits_bytes(s);
    default:
        return cw_radix_bytes(&s->table, s->job->n);
    }
}

size_t cw_sort_bytes_of(const cw_array *job, const struct radix_table *table)
{
    struct sort s;

    begin(&s, job, table, CW_SHAPES_LARGE);
    return (size_t)layout(&s, NULL);
}

size_t cw_sort_bytes(const cw_array *job, enum cw_shapes shapes)
{
    struct radix_table table;

    if (shapes == CW_SHAPES_SMALL)
        return (size_t)cw_lsd_bytes(job);
    table_of(&table, cw_sort_engine(job), shapes);
    return cw_sort_bytes_of(job, &table);
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct sort *s, enum cw_kernel kernel, uint64_t blocks, uint32_t shared,
                        const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)(blocks ? blocks : 1), 256, shared, arg};

    return s->q->launch(s->q, &l);
}

/* A thread for every 4 of n, or as many as may be. */
static uint64_t blocks_for(const struct sort *s, uint64_t n)
{
    const uint64_t blocks = n / 1024u + 1u, most = 16u * (uint64_t)s->q->processors;

    return blocks < most ? blocks : most;
}

static cw_status tally(struct sort *s)
{
    const uint32_t all = 1u << (8u * s->key_bytes);
    const uint32_t mine = all < SMALL_KEYS_MOST ? all : SMALL_KEYS_MOST;
    const uint64_t blocks = blocks_for(s, s->job->n / 4u);
    const uint64_t some = blocks < s->q->processors ? blocks : s->q->processors;
    const struct small_keys_job arg = {.n = s->job->n,
                                       .in = s->job->keys_in,
                                       .out = s->job->keys_out,
                                       .bytes = s->key_bytes,
                                       .map = s->map,
                                       .counts = s->counts,
                                       .starts = s->starts};
    const struct cw_launch count = {CW_KERNEL_cw_sort_small_histogram,
                                    (uint32_t)some * s->key_bytes, 1024, 4u * mine, &arg};
    cw_status status = s->q->clear(s->q, s->counts, 8u * (size_t)all);

    if (!status)
        status = s->q->launch(s->q, &count);
    if (!status)
        status = launch(s, CW_KERNEL_cw_sort_small_scan, 1, 8u * SMALL_KEYS_THREADS, &arg);
    if (!status)
        status = launch(s, CW_KERNEL_cw_sort_small_write, blocks, 0, &arg);
    return status;
}

static cw_status sort_keys(struct sort *s)
{
    const struct radix_task task = {.n = s->job->n,
                                    .stable = (uint32_t)s->exact,
                                    .map = s->map,
                                    .in = s->job->keys_in,
                                    .in_values = s->job->values_in,
                                    .out = s->job->keys_out,
                                    .out_values = s->job->values_out};

    return cw_radix_enqueue(s->q, &s->table, &task, s->rest);
}

static cw_status sort_words(struct sort *s, uint32_t stable)
{
    const struct radix_task task = {.n = s->job->n,
                                    .stable = stable,
                                    .map = s->raw ? s->map : cw_key_map_of(CW_U32, 0),
                                    .in = s->raw ? s->job->keys_in : s->words,
                                    .in_values = s->places,
                                    .out = s->words,
                                    .out_values = s->places};

    return cw_radix_enqueue(s->q, &s->table, &task, s->rest);
}

/* Bits first .. first + 31 of the range, or fewer, of every key to a word. */
static cw_status make_words(struct sort *s, uint32_t first)
{
    const uint32_t left = s->job->bits - first;
    const struct index_job arg = {.n = s->job->n,
                                  .in = s->job->keys_in,
                                  .places = s->places,
                                  .bytes = s->key_bytes,
                                  .words = s->raw ? NULL : s->words,
                                  .again = first != 0,
                                  .map = s->map,
                                  .shift = s->job->first_bit + first,
                                  .mask = left >= 32u ? 0xffffffffu : (1u << left) - 1u};

    return launch(s, CW_KERNEL_cw_sort_index_words, blocks_for(s, s->job->n), 0, &arg);
}

/* bytes 0: the places themselves, as 8 bytes. */
static cw_status gather(struct sort *s, const void *in, void *out, size_t bytes)
{
    const struct index_job arg = {.n = s->job->n,
                                  .in = in,
                                  .out = in == out ? s->spare : out,
                                  .places = s->places,
                                  .bytes = (uint32_t)bytes};
    const cw_status status =
        launch(s, CW_KERNEL_cw_sort_index_gather, blocks_for(s, s->job->n), 0, &arg);

    return status || in != out ? status : s->q->copy(s->q, out, s->spare, s->job->n * bytes);
}

static cw_status sort_places(struct sort *s)
{
    const cw_array *const job = s->job;
    cw_status status = CW_OK;

    for (uint32_t first = 0; first < job->bits && !status; first += 32u) {
        status = make_words(s, first);
        if (!status)
            status = sort_words(s, s->exact || first);
    }
    if (!status && !s->raw && job->keys_out)
        status = gather(s, job->keys_in, job->keys_out, s->key_bytes);
    if (!status && job->value_bytes)
        status = gather(s, job->values_in, job->values_out, job->value_bytes);
    if (!status && job->index_bytes == 8)
        status = gather(s, NULL, job->index_out, 0);
    return status;
}

cw_status cw_sort_enqueue(struct cw_queue *q, const cw_array *job, enum cw_shapes shapes,
                          void *workspace)
{
    struct radix_table table;
    struct sort s;

    if (!job->n)
        return CW_OK;
    table_of(&table, cw_sort_engine(job), shapes);
    begin(&s, job, &table, shapes);
    s.q = q;
    (void)layout(&s, (uint8_t *)workspace);
    switch (s.way) {
    case WAY_TALLY:
        return tally(&s);
    case WAY_PLACES:
        return sort_places(&s);
    case WAY_DIGITS:
        return cw_lsd_enqueue(q, job, workspace);
    default:
        return sort_keys(&s);
    }
}
