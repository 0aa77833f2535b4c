/* group_moves.c - random cases of cw_group_permute and cw_group_partition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group_case.h"
#include "inputs/random.h"
#include "prim/key_map.h"

/* Byte b of the row of item `at`. */
static unsigned char pattern(uint64_t at, size_t b)
{
    return (unsigned char)(cw_mixed(at * 131 + b / 8 + 5) >> 8 * (b % 8));
}

static void fill_rows(char *rows, uint64_t first, uint64_t n, size_t bytes)
{
    for (uint64_t i = 0; i < n; i++) {
        for (size_t b = 0; b < bytes; b++)
            rows[i * bytes + b] = (char)pattern(first + i, b);
    }
}

static int row_is(const char *row, uint64_t at, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        if ((unsigned char)row[b] != pattern(at, b))
            return 0;
    }
    return 1;
}

/* Memory of the context with a copy of the host's; host NULL: as it comes. */
static int given(cw_context *context, size_t bytes, const void *host, void **out)
{
    if (cw_memory_alloc(context, bytes ? bytes : 1, out))
        return 1;
    return host && bytes && cw_memory_write(context, *out, host, bytes);
}

/* ---- permute ---------------------------------------------------------------------------------- */

struct places {
    uint64_t first[65], n;
    uint32_t ranks;
};

static struct places places_of(uint64_t *state, uint32_t ranks, uint64_t most)
{
    struct places p = {.ranks = ranks};
    uint64_t lengths[64];

    group_case_lengths(state, ranks, most, lengths);
    for (uint32_t r = 0; r < ranks; r++)
        p.first[r + 1] = p.first[r] + lengths[r];
    p.n = p.first[ranks];
    return p;
}

static void fill_index(char *index, const struct places *p, uint32_t rank, size_t bytes,
                       uint64_t seed)
{
    for (uint64_t at = p->first[rank]; at < p->first[rank + 1]; at++) {
        const uint64_t to = cw_shuffle_at(p->n, seed, at);

        memcpy(index + (at - p->first[rank]) * bytes, &to, bytes); /* little endian */
    }
}

static int check_places(cw_context *context, const struct places *p, uint32_t rank, const void *out,
                        size_t bytes, uint64_t seed)
{
    uint64_t first, count;
    char *rows;
    int wrong;

    cw_group_share(p->n, p->ranks, rank, &first, &count);
    rows = (char *)malloc(count * bytes + 1);
    wrong = !rows || (count && cw_memory_read(context, rows, out, count * bytes));
    for (uint64_t i = 0; i < count && !wrong; i++)
        wrong = !row_is(rows + i * bytes, cw_shuffle_back(p->n, seed, first + i), bytes);
    free(rows);
    return wrong;
}

int group_permute_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 40};
    uint64_t state = seed;
    const struct places p = places_of(&state, group->ranks, most);
    const uint64_t n = p.first[group->rank + 1] - p.first[group->rank];
    cw_permute_job job = {.n = n, .bytes = sizes[cw_drawn_below(&state, 8)]};
    void *in = NULL, *out = NULL, *index = NULL, *workspace = NULL, *count = NULL;
    uint64_t extra[64], all = p.n;
    char *rows, *numbers;
    size_t need = 0;
    int wrong;

    job.index_bytes = 4u << cw_drawn_below(&state, 2);
    job.index_signed = (int)cw_drawn_below(&state, 2);
    rows = (char *)malloc(n * job.bytes + 1);
    numbers = (char *)malloc(n * job.index_bytes + 1);
    fill_rows(rows, p.first[group->rank], n, job.bytes);
    fill_index(numbers, &p, group->rank, job.index_bytes, seed);
    job.count_bytes = group_case_count(context, seed, p.ranks, n, &count, extra);
    job.count = count;
    job.n = n + extra[group->rank];
    for (uint32_t r = 0; r < p.ranks; r++)
        all += extra[r];
    wrong = job.count_bytes == SIZE_MAX ||
            cw_group_permute_workspace(context, &job, all, group->ranks, &need) ||
            given(context, n * job.bytes, rows, &in) ||
            given(context, n * job.index_bytes, numbers, &index) ||
            given(context, (p.n / group->ranks + 1) * job.bytes, NULL, &out) ||
            given(context, need, NULL, &workspace);
    job.in = in;
    job.out = out;
    job.index = index;
    if (wrong || cw_group_permute(group, context, &job, workspace, need, NULL, NULL))
        wrong = printf("cw_group_permute: %s\n", cw_last_error());
    else
        wrong = check_places(context, &p, group->rank, out, job.bytes, seed);
    if (wrong)
        printf("permute: rank %u of %u, seed %llu, %llu items of %zu bytes\n", group->rank,
               group->ranks, (unsigned long long)seed, (unsigned long long)p.n, job.bytes);
    free(rows);
    free(numbers);
    cw_memory_free(context, in);
    cw_memory_free(context, index);
    cw_memory_free(context, count);
    cw_memory_free(context, out);
    cw_memory_free(context, workspace);
    return wrong != 0;
}

/* ---- partition -------------------------------------------------------------------------------- */

struct shuffle {
    struct places p;
    cw_partition_job job;
    struct cw_key_map map;
    unsigned input;
    uint64_t seed;
    uint64_t splitters[64]; /* keys */
    size_t key, row;
};

static uint64_t key_of(const struct shuffle *s, uint64_t at)
{
    const uint64_t drawn =
        group_case_key(s->input, at, s->p.n, 0, 1, s->seed) >> (64u - s->map.bits);

    return s->job.rule == CW_BY_LABEL ? drawn % s->job.buckets : drawn;
}

static uint32_t bucket_of(const struct shuffle *s, uint64_t key)
{
    const uint64_t multiplier = s->job.multiplier;
    const uint64_t word = CW_KEY_TO_WORD(&s->map, key);
    uint32_t b = 0;

    switch (s->job.rule) {
    case CW_BY_LABEL:
        return (uint32_t)key;
    case CW_BY_BITS:
        return (uint32_t)(word >> s->job.first_bit & (s->job.buckets - 1));
    case CW_BY_HASH:
        return (uint32_t)((key * multiplier >> 32) * s->job.buckets >> 32);
    default:
        while (b + 1 < s->job.buckets && CW_KEY_TO_WORD(&s->map, s->splitters[b]) <= word)
            b++;
        return b;
    }
}

static struct shuffle shuffle_of(uint64_t seed, uint32_t ranks, uint64_t most)
{
    static const cw_type types[] = {CW_U32, CW_U16, CW_I32, CW_U64};
    struct shuffle s = {.seed = seed};
    uint64_t state = seed;

    s.p = places_of(&state, ranks, most);
    s.job.rule = (cw_rule)cw_drawn_below(&state, 4);
    s.job.type = types[cw_drawn_below(&state, s.job.rule == CW_BY_LABEL ? 2 : 4)];
    s.job.buckets = 1 + (uint32_t)cw_drawn_below(&state, 64);
    if (s.job.rule == CW_BY_BITS) {
        s.job.buckets = 1u << cw_drawn_below(&state, 6);
        s.job.first_bit = (unsigned)cw_drawn_below(&state, 8);
    }
    s.job.multiplier = s.job.rule == CW_BY_HASH ? cw_drawn(&state) | 1 : 0;
    s.map = cw_key_map_of(s.job.type, 0, 1);
    s.key = cw_type_bytes(s.job.type);
    s.row = 1 + cw_drawn_below(&state, 12);
    s.input = (unsigned)cw_drawn_below(&state, GROUP_INPUTS);
    for (uint32_t b = 0; b + 1 < s.job.buckets; b++) {
        const uint64_t word = s.map.mask / s.job.buckets * (b + 1);
        const uint64_t flipped = CW_WORD_FLIPPED(&s.map, word);

        s.splitters[b] = CW_FLIPPED_TO_KEY(&s.map, flipped);
    }
    return s;
}

/* How many items rank `of` gets. */
static uint64_t items_of(const struct shuffle *s, uint32_t of)
{
    uint64_t n = 0;

    for (uint64_t at = 0; at < s->p.n; at++)
        n += cw_group_bucket_rank(bucket_of(s, key_of(s, at)), s->job.buckets, s->p.ranks) == of;
    return n;
}

/* Each bucket in turn: its items of all ranks, in order. */
static int check_buckets(const struct shuffle *s, uint32_t rank, const char *keys, const char *rows,
                         const uint64_t *offsets, uint64_t got)
{
    uint64_t x = 0;

    for (uint32_t b = 0; b < s->job.buckets; b++) {
        if (offsets[b] != x)
            return printf("bucket %u begins at %llu\n", b, (unsigned long long)offsets[b]);
        if (cw_group_bucket_rank(b, s->job.buckets, s->p.ranks) != rank)
            continue;
        for (uint64_t at = 0; at < s->p.n; at++) {
            const uint64_t key = key_of(s, at);

            if (bucket_of(s, key) != b)
                continue;
            if (x >= got || memcmp(keys + x * s->key, &key, s->key) ||
                !row_is(rows + x * s->row, at, s->row))
                return printf("item %llu is wrong\n", (unsigned long long)x);
            x++;
        }
    }
    return x != got || offsets[s->job.buckets] != x;
}

static int compare(cw_context *context, const struct shuffle *s, uint32_t rank, const void *keys,
                   const void *rows, const void *offsets, uint64_t got)
{
    char *const k = (char *)malloc(got * s->key + 1), *const r = (char *)malloc(got * s->row + 1);
    uint64_t o[66];
    int wrong = !k || !r;

    if (got && !wrong)
        wrong = cw_memory_read(context, k, keys, got * s->key) ||
                cw_memory_read(context, r, rows, got * s->row);
    if (!wrong)
        wrong = cw_memory_read(context, o, offsets, (s->job.buckets + 1) * sizeof *o);
    if (!wrong)
        wrong = check_buckets(s, rank, k, r, o, got);
    free(k);
    free(r);
    return wrong;
}

/* keys and rows of this rank, and the splitters, on the host. */
static void fill_shuffle(const struct shuffle *s, uint32_t rank, char *keys, char *rows,
                         char *splitters)
{
    for (uint64_t at = s->p.first[rank]; at < s->p.first[rank + 1]; at++) {
        const uint64_t key = key_of(s, at);

        memcpy(keys + (at - s->p.first[rank]) * s->key, &key, s->key);
    }
    fill_rows(rows, s->p.first[rank], s->p.first[rank + 1] - s->p.first[rank], s->row);
    for (uint32_t b = 0; b + 1 < s->job.buckets; b++)
        memcpy(splitters + b * s->key, &s->splitters[b], s->key);
}

int group_partition_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most)
{
    struct shuffle s = shuffle_of(seed, group->ranks, most);
    const uint64_t n = s.p.first[group->rank + 1] - s.p.first[group->rank];
    const size_t room = items_of(&s, group->rank) + 1;
    char *const keys = (char *)malloc(n * s.key + 1), *const rows = (char *)malloc(n * s.row + 1);
    char splitters[64 * 8];
    void *given_keys = NULL, *given_splitters = NULL, *keys_out = NULL, *offsets = NULL;
    cw_payload payload = {NULL, NULL, s.row};
    void *rows_in = NULL, *rows_out = NULL, *workspace = NULL, *count = NULL;
    uint64_t extra[64];
    size_t need = 0, got = 0;
    int wrong;

    fill_shuffle(&s, group->rank, keys, rows, splitters);
    s.job.count_bytes = group_case_count(context, seed, s.p.ranks, n, &count, extra);
    s.job.count = count;
    s.job.n = n + extra[group->rank];
    s.job.payloads = &payload;
    s.job.payload_count = 1;
    wrong = s.job.count_bytes == SIZE_MAX || given(context, n * s.key, keys, &given_keys) ||
            given(context, n * s.row, rows, &rows_in) ||
            given(context, (s.job.buckets - 1) * s.key, splitters, &given_splitters) ||
            given(context, room * s.key, NULL, &keys_out) ||
            given(context, room * s.row, NULL, &rows_out) ||
            given(context, 65 * sizeof(uint64_t), NULL, &offsets);
    s.job.keys_in = given_keys;
    s.job.keys_out = keys_out;
    s.job.splitters = s.job.rule == CW_BY_SPLITTER ? given_splitters : NULL;
    s.job.offsets = (uint64_t *)offsets;
    payload.in = rows_in;
    payload.out = rows_out;
    wrong = wrong || cw_group_partition_workspace(context, &s.job, room, &need) ||
            given(context, need, NULL, &workspace);
    if (wrong ||
        cw_group_partition(group, context, &s.job, room, &got, workspace, need, NULL, NULL))
        wrong = printf("cw_group_partition: %s\n", cw_last_error());
    else
        wrong =
            got + 1 != room || compare(context, &s, group->rank, keys_out, rows_out, offsets, got);
    if (wrong)
        printf("partition: rank %u of %u, seed %llu, %llu items, rule %d, %u buckets, %zu came\n",
               group->rank, group->ranks, (unsigned long long)seed, (unsigned long long)s.p.n,
               (int)s.job.rule, s.job.buckets, got);
    free(keys);
    free(rows);
    cw_memory_free(context, given_keys);
    cw_memory_free(context, count);
    cw_memory_free(context, rows_in);
    cw_memory_free(context, given_splitters);
    cw_memory_free(context, keys_out);
    cw_memory_free(context, rows_out);
    cw_memory_free(context, offsets);
    cw_memory_free(context, workspace);
    return wrong != 0;
}
