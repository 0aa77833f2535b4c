/* sort.c - cw_sort on threads of the host: what is to be done, and memory for it. */
#include "cpu/sort/sort.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/sort/count.h"
#include "cpu/sort/bucket.h"
#include "cpu/sort/leaf/leaf.h"
#include "cpu/sort/buckets.h"
#include "cpu/sort/direct.h"
#include "cpu/sort/leaf/digits.h"
#include "cpu/sort/sample.h"
#include "cpu/sort/ties.h"
#include "cpu/sort/vectors/vectors.h"
#include "base/threads.h"
#include "base/status.h"

#define ALIGNMENT  256u
#define CACHED     (512u << 10) /* bytes of keys that are sorted in cache */
#define LEAVES     128u         /* of a long array, at least */
#define BAD_PIVOTS 12u          /* below each other, before quicksort gives up */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t cw_cpu_sort_workspace(const cw_array *job)
{
    return aligned(job->n * cw_type_bytes(job->type)) + aligned(job->n * job->value_bytes) +
           aligned(job->n * (job->index_out ? job->index_bytes : 0));
}

/* ---- what is to be done --------------------------------------------------------------------- */

static void set_sides(struct cw_sorter *s, char *workspace)
{
    const cw_array *job = s->job;
    struct cw_side_arrays *in = &s->side[CW_SIDE_IN], *work = &s->side[CW_SIDE_WORK];
    struct cw_side_arrays *out = &s->side[CW_SIDE_OUT];

    in->keys = (char *)(uintptr_t)job->keys_in; /* read only */
    in->values = (char *)(uintptr_t)job->values_in;
    work->keys = workspace;
    work->values = work->keys + aligned(job->n * s->bytes[0]);
    work->index = work->values + aligned(job->n * s->bytes[1]);
    out->keys = (char *)job->keys_out;
    out->values = (char *)job->values_out;
    out->index = (char *)job->index_out;
}

/* Items of a leaf.  Buffers of a thread are 5 or 6 of them: so 5 % of the items from CW_SORT_LONG on.  Below, smaller
 * leaves would take up to 1.7 times as long where a quarter of the keys are equal (docs/cpu.md). */
static size_t leaf_of(const struct cw_sorter *s)
{
    const size_t most = s->placed ? CW_SORT_PLACES : CACHED / s->bytes[0];
    const size_t n = s->job->n;

    return n < CW_SORT_LONG || n / LEAVES > most ? most : n / LEAVES;
}

/* `tied`: equal keys may have other bits, if the map says so. */
static struct cw_sorter sorter_of(const cw_array *job, char *workspace, struct cw_team *team,
                                  const struct cw_sort_ways *ways, int tied)
{
    const unsigned threads = cw_team_threads(team);
    const struct cw_columns *columns = ways->columns;
    struct cw_sorter s = {0};

    s.job = job;
    s.work.columns = columns;
    s.map = cw_key_map_of_array(job);
    s.map.tied = s.map.tied && tied;
    s.bytes[0] = cw_type_bytes(job->type);
    s.bytes[1] = job->value_bytes;
    s.bytes[2] = job->index_out ? job->index_bytes : 0;
    s.keys = cw_sort_keys_of(columns, s.bytes[0]);
    s.first = job->bits ? job->first_bit : 0;
    s.range = job->bits ? UINT64_MAX >> (64u - job->bits) : s.map.mask;
    s.vectors[0] = cw_vectors_of(columns, 0);
    s.vectors[1] = cw_vectors_of(columns, 1);
    s.vectors[2] = cw_vectors2_of(columns);
    s.compare = (job->flags & CW_CONFLICT_FREE) != 0;
    s.placed = s.bytes[1] || s.bytes[2] || s.range != s.map.mask || s.bytes[0] < 4 || s.map.tied;
    s.pivots = ways->pivots;
    s.seed = ways->seed;
    s.foreseen = ways->foreseen;
    s.team = team;
    s.leaf = ways->leaf ? ways->leaf : leaf_of(&s);
    s.threads = job->n / s.leaf < threads ? (unsigned)(job->n / s.leaf) + 1 : threads;
    set_sides(&s, workspace);
    return s;
}

/* ---- threads and their memory --------------------------------------------------------------- */

/* Bytes of one thread's buffers. */
struct sizes {
    size_t words, parts, columns, leaves, cuts, ends; /* there are three of words */
    size_t keys, values, index;                       /* of a leaf, .. */
    size_t places, line;                              /* .. of a pass, two and one an array, .. */
    size_t sample;                                    /* .. and of cuts: */
    size_t shared;                                    /* the largest of the three */
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* `words`, or so many more that a chunk as long as the buffer can give CW_SORT_LEAST of them to a
 * sample half as long (sort/sample.h). */
static size_t words_for_chunks(size_t n, size_t words)
{
    while (n / words >= words / 2 / CW_SORT_LEAST - 1)
        words *= 2;
    return words;
}

/* Columns for leaves of 4 and 8 bytes a word, where `words` bytes are sorted together: merges begin with
 * leaves that fill the lanes (sort/leaf/merge.h), all others have twice the limit at most. */
static size_t columns_bytes(const struct cw_columns *columns, size_t words)
{
    size_t most = 0;

    for (uint32_t kind = 0; kind < 2; kind++) {
        const size_t line = cw_lanes(kind) * ((size_t)4 << kind), full = words / line;
        const size_t longest = full < columns->wide[kind] ? full : columns->wide[kind];

        most = larger(most, (larger(longest, 2 * (size_t)columns->limit[kind]) + 1) * line);
    }
    return most;
}

static size_t arrays(const struct cw_sorter *s)
{
    return 1u + (s->bytes[1] != 0) + (s->bytes[2] != 0);
}

static struct sizes sizes_of(const struct cw_sorter *s)
{
    const size_t n = s->job->n, items = n < s->leaf ? n : s->leaf;
    const size_t word = s->placed ? (s->bytes[0] < 4 ? 4 : 2 * s->bytes[0]) : s->bytes[0];
    struct sizes z = {0};

    z.words = aligned(items * word);
    z.leaves = aligned(2 * CW_LEAVES * sizeof(struct cw_leaf));
    if (s->placed) {
        z.keys = aligned(items * s->bytes[0]);
        z.values = aligned(items * s->bytes[1]);
        z.index = aligned(items * s->bytes[2]);
    }
    if (n > s->leaf) {
        const uint32_t buckets = cw_sort_most_buckets(s, n);

        z.words = larger(z.words, aligned(cw_sort_sample(n, n) * sizeof(uint64_t)));
        z.words = aligned(words_for_chunks(n, z.words / sizeof(uint64_t)) * sizeof(uint64_t));
        z.sample = z.words / 2;
        z.ends = aligned(cw_sort_ends(s, n) * sizeof(size_t));
        z.places = aligned(buckets * sizeof(size_t));
        z.line = aligned(buckets * CW_SORT_LINE);
        z.cuts = aligned(sizeof(struct cw_cuts));
    }
    if (!s->compare)
        z.parts = aligned(z.words / 4 * sizeof(uint16_t)); /* words of 4 bytes, at least */
    z.columns = aligned(columns_bytes(s->work.columns, z.words));
    z.shared = larger(z.keys + z.values + z.index, 2 * z.places + arrays(s) * z.line);
    z.shared = larger(z.shared, z.sample);
    return z;
}

/* The next `bytes` of *memory. */
static void *next(char **memory, size_t bytes)
{
    char *const at = *memory;

    *memory += bytes;
    return at;
}

/* Give a thread its buffers; with *memory of NULL, this only counts. */
static void lay_out(const struct cw_sorter *s, const struct sizes *z, char **memory,
                    struct cw_sort_thread *t)
{
    char *shared;

    memset(t, 0, sizeof *t);
    t->worker.work = &s->work;
    t->worker.loaded = next(memory, z->words);
    t->worker.sorted = next(memory, z->words);
    t->ended = next(memory, z->words);
    t->worker.parts = next(memory, z->parts);
    t->worker.columns = next(memory, z->columns);
    t->worker.leaves = (struct cw_leaf *)next(memory, z->leaves);
    t->cuts = (struct cw_cuts *)next(memory, z->cuts);
    t->ends = (size_t *)next(memory, z->ends);
    shared = (char *)next(memory, z->shared);
    t->sample = (uint64_t *)shared;
    t->keys = shared;
    t->values = t->keys + z->keys;
    t->index = t->values + z->values;
    t->at = (size_t *)next(&shared, z->places);
    t->begin = (size_t *)next(&shared, z->places);
    for (uint32_t a = 0; a < CW_SORT_ARRAYS; a++)
        t->lines[a] = (char *)next(&shared, s->bytes[a] ? z->line : 0);
}

/* Memory for all threads. */
static char *allocate(struct cw_sorter *s)
{
    const struct sizes z = sizes_of(s);
    const size_t each = 3 * z.words + z.parts + z.columns + z.leaves + z.cuts + z.ends + z.shared;
    const size_t list = aligned(s->threads * sizeof *s->thread) + aligned(cw_sort_lists_bytes(s));
    char *const memory = (char *)cw_team_buffers(s->team, list + s->threads * each);
    char *at = memory;

    if (!memory) {
        cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, s->threads);
        return NULL;
    }
    s->thread = (struct cw_sort_thread *)at;
    s->lists = (struct cw_sort_lists *)(at + aligned(s->threads * sizeof *s->thread));
    s->room = z.words / sizeof(uint64_t);
    s->ends = (uint32_t)(z.ends / sizeof(size_t));
    at += list;
    for (unsigned t = 0; t < s->threads; t++)
        lay_out(s, &z, &at, &s->thread[t]);
    return memory;
}

/* ---- long arrays that are nearly sorted ------------------------------------------------------- */

/* One thread takes as long as so many take to sort; docs/cpu.md has the figures. */
#define NEARLY_THREADS 4u
#define WINDOWS        16u /* places of the input that are looked at */

/* Words of the whole input: there, or mapped in the workspace. */
static const void *all_words(const struct cw_sorter *s)
{
    const char *in = s->side[CW_SIDE_IN].keys;
    char *work = s->side[CW_SIDE_WORK].keys;
    const size_t bytes = s->bytes[0];

    if (s->map.plain && in != s->side[CW_SIDE_OUT].keys)
        return in;
    for (size_t x = 0; x < s->job->n; x += CW_SORT_BLOCK) {
        const size_t left = s->job->n - x;
        const uint32_t n = left < CW_SORT_BLOCK ? (uint32_t)left : CW_SORT_BLOCK;

        s->keys->map(s, in + x * bytes, n, work + x * bytes);
    }
    return work;
}

/* Whether keys mostly rise, at some places of the input. */
static int may_be_nearly_sorted(const struct cw_sorter *s)
{
    const size_t step = (s->job->n - CW_NEARLY_LOOK) / (WINDOWS - 1u);
    uint64_t room[CW_NEARLY_LOOK], words[CW_NEARLY_LOOK];

    for (size_t k = 0; k < WINDOWS; k++) {
        const void *mapped = cw_side_keys(s, CW_SIDE_IN, k * step, CW_NEARLY_LOOK, room);

        const void *some = s->keys->words(s, mapped, CW_NEARLY_LOOK, words);

        if (s->keys->falls(some, CW_NEARLY_LOOK) > CW_NEARLY_FALLS)
            return 0;
    }
    return 1;
}

/* Keys alone, if all but a few are in order: 1.  Else *all is where they are now. */
static int sort_nearly(const struct cw_sorter *s, struct cw_bucket *all)
{
    const size_t bytes = s->bytes[0];
    char *out = s->side[CW_SIDE_OUT].keys;
    const void *words;

    if (s->placed || s->compare || s->threads > NEARLY_THREADS || s->job->n <= s->leaf ||
        s->job->n < WINDOWS * CW_NEARLY_LOOK || s->job->n > UINT32_MAX || !may_be_nearly_sorted(s))
        return 0;
    words = all_words(s);
    if (words == s->side[CW_SIDE_WORK].keys)
        all->side = CW_SIDE_WORK;
    if (!(bytes == 4 ? cw_sort_nearly4 : cw_sort_nearly8)(s, s->thread, words, out,
                                                          (uint32_t)s->job->n))
        return 0;
    all->side = CW_SIDE_OUT;
    cw_bucket_finish(s, all); /* unmapped */
    return 1;
}

/* ---- the call ------------------------------------------------------------------------------- */

/* What is in order by its words is so by ranks.  Else floats alone are looked at: their bits, which
 * a stable sort keeps, may tell equal ones apart (sort/ties.h). */
static int in_order_or_tied(struct cw_sorter *s, const struct cw_bucket *all, char *workspace,
                            struct cw_team *team, const struct cw_sort_ways *ways)
{
    const cw_array *job = s->job;
    const struct cw_key_map map = cw_key_map_of_array(job);

    /* a count takes less time than to turn an array round */
    if (cw_bucket_finished(s, all, !map.tied && !cw_sort_counts(job, &map)))
        return 1;
    if (!map.tied)
        return 0;
    if (cw_keys_tied(s->keys, &map, job->keys_in, job->n, team, s->threads)) {
        *s = sorter_of(job, workspace, team, ways, 1);
        return 0;
    }
    return !cw_sort_counts(job, &map) && cw_bucket_finished(s, all, 1);
}

/* `direct`: by vectors instead, unless they are nearly in order. */
static cw_status sort_by_buckets(struct cw_sorter *s, struct cw_bucket *all, int direct)
{
    char *memory = allocate(s);

    while (!memory && s->threads > 1) { /* fewer threads need less */
        s->threads /= 2;
        memory = allocate(s);
    }
    if (!memory)
        return CW_ERR_MEMORY;
    if (!sort_nearly(s, all)) {
        if (direct && all->n > s->leaf)
            cw_sort_keys_by_vectors(s, all->side);
        else
            cw_sort_bucket(s, all);
    }
    cw_team_buffers_done(s->team, memory);
    return CW_OK;
}

cw_status cw_cpu_sort_by(const cw_array *job, void *workspace, struct cw_team *team,
                         const struct cw_sort_ways *ways)
{
    const int alone = !job->value_bytes && !job->index_out &&
                      (!job->bits || job->bits == 8 * cw_type_bytes(job->type));
    struct cw_sorter s = sorter_of(job, (char *)workspace, team, ways, !alone);
    struct cw_bucket all = {CW_SIDE_IN, 0, job->n};
    int direct;

    if (!job->n || (alone ? in_order_or_tied(&s, &all, (char *)workspace, team, ways)
                          : cw_bucket_finished(&s, &all, 1)))
        return CW_OK;
    if (!ways->leaf && s.bytes[0] == 2 && cw_sort_takes_vectors(&s) && !cw_sort_looks_sorted(&s)) {
        cw_sort_keys_by_vectors(&s, CW_SIDE_IN);
        return CW_OK;
    }
    if (!ways->leaf && cw_sort_takes_digits(&s)) {
        cw_sort_keys_by_digits(&s);
        return CW_OK;
    }
    if (!ways->leaf && cw_sort_counts(job, &s.map))
        return cw_sort_by_counting(job, &s.map, team, ways->seed);
    direct = !ways->leaf && cw_sort_takes_vectors(&s);
    if (direct && !cw_sort_looks_sorted(&s)) {
        cw_sort_keys_by_vectors(&s, CW_SIDE_IN);
        return CW_OK;
    }
    return sort_by_buckets(&s, &all, direct);
}

cw_status cw_cpu_sort(const cw_array *job, void *workspace, struct cw_team *team, uint64_t seed)
{
    struct cw_sort_ways best = {&cw_columns_list[cw_columns_count - 1], 0, BAD_PIVOTS, seed, 0};

    while (!best.columns->here())
        best.columns--;
    return cw_cpu_sort_by(job, workspace, team, &best);
}
