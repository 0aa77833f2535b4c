/* test_cpu_partition.c - an array partitioned by threads of the host, held against the definition.
 *
 * The reference finds buckets one by one from the words of clearway.h, the order of keys by a
 * number written down here from the definition of the types (NaNs are one, after all others), and
 * then counts.  Every output stands between canaries.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/partition/partition.h"
#include "base/threads.h"
#include "values.h"

#define GUARD  64
#define CANARY 0x5a
#define ROWS   4 /* payloads */

struct trial {
    cw_type type;
    cw_rule rule;
    uint32_t buckets;
    size_t n;
    unsigned first_bit, threads;
    size_t row_bytes[ROWS]; /* 0: none */
    int keys, index, inverse;
    size_t index_bytes, pad_to, shift; /* shift: bytes that outputs begin after an aligned place */
    uint64_t seed;
};

static const char *text_of(const struct trial *c)
{
    static char text[300];

    snprintf(text, sizeof text,
             "%s rule %d, %u buckets, n %zu, bit %u, threads %u, rows %zu %zu %zu %zu, keys %d "
             "index %d inverse %d of %zu, shift %zu, seed %llu (CW_SEED=%llu)",
             cw_type_name(c->type), (int)c->rule, c->buckets, c->n, c->first_bit, c->threads,
             c->row_bytes[0], c->row_bytes[1], c->row_bytes[2], c->row_bytes[3], c->keys, c->index,
             c->inverse, c->index_bytes, c->shift, (unsigned long long)c->seed,
             (unsigned long long)cw_test_seed());
    return text;
}

/* ---- arrays --------------------------------------------------------------------------------- */

struct room {
    unsigned char *all, *data;
    size_t bytes;
};

static struct room room_of(size_t bytes, size_t shift)
{
    const size_t all = (bytes + shift + 2 * GUARD + 63) / 64 * 64;
    struct room r = {(unsigned char *)aligned_alloc(64, all), NULL, bytes};

    assert_non_null(r.all);
    memset(r.all, CANARY, all);
    r.data = r.all + GUARD + shift;
    return r;
}

static void close_room(const struct trial *c, const char *name, struct room *r)
{
    for (size_t x = 0; x < GUARD; x++)
        if (r->data[-1 - (ptrdiff_t)x] != CANARY || r->data[r->bytes + x % 32] != CANARY)
            fail_msg("%s written outside; %s", name, text_of(c));
    free(r->all);
}

static void fill(struct cw_random *random, void *to, size_t bytes)
{
    for (size_t x = 0; x < bytes; x++)
        ((unsigned char *)to)[x] = (unsigned char)(cw_random_next(random) >> 24);
}

/* ---- the reference -------------------------------------------------------------------------- */

/* How many keys of the type come before this one, or before those that equal it. */
static uint64_t number_of(cw_type type, uint64_t key)
{
    const size_t bits = 8 * cw_type_bytes(type);
    const uint64_t mask = UINT64_MAX >> (64 - bits), top = mask / 2 + 1, size = key & ~top;
    const uint64_t infinity = type == CW_F16    ? 0x7c00
                              : type == CW_BF16 ? 0x7f80
                              : type == CW_F32  ? 0x7f800000
                                                : UINT64_C(0x7ff0000000000000);

    if (!cw_is_float(type))
        return (type >= CW_I8 ? key + top : key) & mask;
    if (size > infinity)
        return 2 * infinity + 2;
    return (key & top && size ? infinity - size : infinity + 1 + size) & mask;
}

static uint32_t bucket_of(const struct trial *c, const void *keys, const void *splitters,
                          uint64_t multiplier, size_t x)
{
    const size_t bytes = cw_type_bytes(c->type);
    const uint64_t key = cw_item(keys, x, bytes);
    uint32_t b = 0;

    switch (c->rule) {
    case CW_BY_LABEL:
        return (uint32_t)key;
    case CW_BY_BITS:
        return (uint32_t)(number_of(c->type, key) >> c->first_bit) & (c->buckets - 1);
    case CW_BY_HASH:
        return (uint32_t)(((key * multiplier) >> 32) * c->buckets >> 32);
    default:
        while (b + 1 < c->buckets &&
               number_of(c->type, cw_item(splitters, b, bytes)) <= number_of(c->type, key))
            b++;
        return b;
    }
}

/* order[x]: the input item that is output item x. */
static void reference(const struct trial *c, const uint32_t *bucket, uint64_t *offsets,
                      uint32_t *order)
{
    memset(offsets, 0, (c->buckets + 1) * sizeof *offsets);
    for (size_t x = 0; x < c->n; x++)
        offsets[bucket[x] + 1]++;
    for (uint32_t b = 0; b < c->buckets; b++)
        offsets[b + 1] += offsets[b];
    for (size_t x = 0; x < c->n; x++)
        order[offsets[bucket[x]]++] = (uint32_t)x;
    for (uint32_t b = c->buckets; b; b--)
        offsets[b] = offsets[b - 1];
    offsets[0] = 0;
}

/* ---- one trial ------------------------------------------------------------------------------ */

/* Splitters are sorted keys, some of which are equal and some of which are keys of the input. */
static void make_splitters(const struct trial *c, struct cw_random *random, const void *keys,
                           void *to)
{
    const size_t bytes = cw_type_bytes(c->type), count = c->buckets - 1;

    for (size_t x = 0; x < count; x++) {
        const uint64_t r = cw_random_next(random);
        uint64_t key = r >> 8 & UINT64_MAX >> (64 - 8 * bytes);
        size_t at = x;

        if (r % 3 == 0 && c->n)
            key = cw_item(keys, (size_t)(r >> 8) % c->n, bytes);
        for (; at && number_of(c->type, key) < number_of(c->type, cw_item(to, at - 1, bytes)); at--)
            cw_set_item(to, at, bytes, cw_item(to, at - 1, bytes));
        cw_set_item(to, at, bytes, key);
    }
}

static void make_keys(const struct trial *c, struct cw_random *random, void *keys)
{
    const size_t bytes = cw_type_bytes(c->type);

    for (size_t x = 0; x < c->n; x++) {
        const uint64_t r = cw_random_next(random);
        const uint64_t skewed = r >> 40 >> (r & 15);
        uint64_t key = r >> (64 - 8 * bytes);

        if (c->rule == CW_BY_LABEL)
            key = (c->seed % 2 ? r >> 16 : skewed) % c->buckets;
        cw_set_item(keys, x, bytes, key);
    }
}

static void check_moved(const struct trial *c, const char *name, const void *got, const void *in,
                        size_t bytes, const uint32_t *order)
{
    for (size_t x = 0; x < c->n; x++)
        if (memcmp((const char *)got + x * bytes, (const char *)in + order[x] * bytes, bytes))
            fail_msg("%s: item %zu is not that of place %u; %s", name, x, order[x], text_of(c));
}

static void check_places(const struct trial *c, const cw_partition_job *job, const uint32_t *order)
{
    for (size_t x = 0; x < c->n; x++) {
        if (job->index_out && cw_item(job->index_out, x, job->index_bytes) != order[x])
            fail_msg("index %zu is not %u; %s", x, order[x], text_of(c));
        if (job->inverse_out && cw_item(job->inverse_out, order[x], job->index_bytes) != x)
            fail_msg("inverse %u is not %zu; %s", order[x], x, text_of(c));
    }
}

static void check_offsets(const struct trial *c, const cw_partition_job *job, const uint64_t *want)
{
    uint64_t padded = 0;

    for (uint32_t b = 0; b <= c->buckets; b++) {
        if (job->offsets[b] != want[b])
            fail_msg("offset %u is not %llu; %s", b, (unsigned long long)want[b], text_of(c));
        if (job->padded && job->padded[b] != padded)
            fail_msg("padded %u is not %llu; %s", b, (unsigned long long)padded, text_of(c));
        if (b < c->buckets)
            while (padded % c->pad_to || padded < job->padded[b] + want[b + 1] - want[b])
                padded++;
    }
}

static void try_trial(const struct trial *c)
{
    struct cw_team team = {.wanted = c->threads};
    struct cw_random random = cw_random_from(c->seed);
    const size_t bytes = cw_type_bytes(c->type);
    struct room keys = room_of(c->n * bytes, 0), keys_out = room_of(c->n * bytes, c->shift);
    struct room splitters = room_of(c->buckets * bytes, 0);
    struct room index = room_of(c->n * c->index_bytes, 0),
                inverse = room_of(c->n * c->index_bytes, 0);
    struct room workspace = room_of(c->buckets * sizeof(size_t), 0);
    struct room in[ROWS], out[ROWS], offsets = room_of((c->buckets + 1) * 8u, 0);
    struct room padded = room_of((c->buckets + 1) * 8u, 0),
                want = room_of((c->buckets + 1) * 8u, 0);
    uint32_t *bucket = (uint32_t *)calloc(c->n + 1, 4), *order = (uint32_t *)calloc(c->n + 1, 4);
    cw_payload rows[ROWS];
    cw_partition_job job = {.type = c->type, .rule = c->rule, .n = c->n, .buckets = c->buckets};

    assert_true(bucket && order);
    make_keys(c, &random, keys.data);
    if (c->rule == CW_BY_SPLITTER)
        make_splitters(c, &random, keys.data, splitters.data);
    for (size_t r = 0; r < ROWS; r++) {
        in[r] = room_of(c->n * c->row_bytes[r], 0);
        out[r] = room_of(c->n * c->row_bytes[r], c->shift);
        fill(&random, in[r].data, in[r].bytes);
        if (c->row_bytes[r])
            rows[job.payload_count++] = (cw_payload){in[r].data, out[r].data, c->row_bytes[r]};
    }
    job.first_bit = c->first_bit;
    job.splitters = splitters.data;
    job.multiplier = c->seed % 3 ? 0 : c->seed | 1;
    job.keys_in = keys.data;
    job.keys_out = c->keys ? keys_out.data : NULL;
    job.payloads = rows;
    job.offsets = (uint64_t *)offsets.data;
    job.padded = (uint64_t *)padded.data;
    job.pad_to = c->pad_to;
    job.index_out = c->index ? index.data : NULL;
    job.inverse_out = c->inverse ? inverse.data : NULL;
    job.index_bytes = c->index_bytes;
    for (size_t x = 0; x < c->n; x++)
        bucket[x] = bucket_of(c, keys.data, splitters.data,
                              job.multiplier ? job.multiplier : UINT64_C(0x9e3779b97f4a7c15), x);
    reference(c, bucket, (uint64_t *)want.data, order);
    assert_in_range(cw_cpu_partition_workspace(&job), 0, workspace.bytes);
    if (cw_cpu_partition(&job, workspace.data, &team))
        fail_msg("%s; %s", cw_last_error(), text_of(c));
    cw_team_end(&team);
    check_offsets(c, &job, (const uint64_t *)want.data);
    check_places(c, &job, order);
    if (c->keys)
        check_moved(c, "keys", keys_out.data, keys.data, bytes, order);
    for (size_t r = 0; r < ROWS; r++) {
        check_moved(c, "rows", out[r].data, in[r].data, c->row_bytes[r], order);
        close_room(c, "rows_in", &in[r]);
        close_room(c, "rows", &out[r]);
    }
    close_room(c, "keys_in", &keys);
    close_room(c, "keys", &keys_out);
    close_room(c, "splitters", &splitters);
    close_room(c, "index", &index);
    close_room(c, "inverse", &inverse);
    close_room(c, "offsets", &offsets);
    close_room(c, "padded", &padded);
    close_room(c, "want", &want);
    close_room(c, "workspace", &workspace);
    free(bucket);
    free(order);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static struct trial random_trial(struct cw_random *random, size_t n)
{
    static const uint32_t buckets[] = {1, 2, 3, 8, 255, 256, 1000, 4096, 4097, 65536};
    static const size_t widths[] = {0, 0, 1, 2, 3, 4, 8, 12, 16, 100};
    static const unsigned threads[] = {1, 2, 7, 0};
    static const cw_type labels[] = {CW_U8, CW_U16, CW_U32};
    struct trial c = {.n = n, .seed = cw_random_next(random)};

    c.rule = (cw_rule)cw_random_below(random, 4);
    c.type = (cw_type)cw_random_below(random, CW_TYPE_COUNT);
    c.buckets = buckets[cw_random_below(random, n > 10000 ? 10 : 7)];
    if (c.rule == CW_BY_LABEL) {
        c.type = labels[cw_random_below(random, 3)];
        c.buckets = c.type == CW_U8 && c.buckets > 256 ? 256 : c.buckets;
    }
    if (c.rule == CW_BY_SPLITTER && c.buckets > 1000)
        c.buckets = 300;
    if (c.rule == CW_BY_BITS) {
        uint32_t width = 0;

        while (2u << width <= c.buckets && width < 8 * cw_type_bytes(c.type))
            width++;
        c.buckets = 1u << width;
        c.first_bit = (unsigned)cw_random_below(random, 8 * cw_type_bytes(c.type) - width + 1);
        c.first_bit -= c.first_bit == 8 * cw_type_bytes(c.type);
    }
    for (size_t r = 0; r < ROWS; r++)
        c.row_bytes[r] = widths[cw_random_below(random, COUNT(widths))];
    c.keys = (int)cw_random_below(random, 2);
    c.index = (int)cw_random_below(random, 2);
    c.inverse = (int)cw_random_below(random, 2);
    c.index_bytes = cw_random_below(random, 2) ? 4 : 8;
    c.pad_to = 1 + cw_random_below(random, 20);
    c.threads = threads[cw_random_below(random, COUNT(threads))];
    c.shift = cw_random_below(random, 3) ? 0 : 1 + cw_random_below(random, 31);
    return c;
}

static void short_arrays_are_partitioned(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (size_t x = 0; x < (CW_SANITIZED ? 150 : 600); x++) {
        const struct trial c =
            random_trial(&random, x < 60 ? x / 10 : cw_random_below(&random, 3000));

        try_trial(&c);
    }
}

static void long_arrays_are_partitioned_by_several_threads(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 3);

    (void)state;
    for (size_t x = 0; x < (cw_long_run() ? 400 : CW_SANITIZED ? 4 : 30); x++) {
        const struct trial c = random_trial(&random, 60000 + cw_random_below(&random, 100000));

        try_trial(&c);
    }
}

/* Large enough to be written past the caches, by lines. */
static void an_array_of_megabytes_is_partitioned(void **state)
{
    struct trial c = {.type = CW_U8, .rule = CW_BY_LABEL, .buckets = 256, .n = 2500001};

    (void)state;
    c.keys = c.inverse = c.index = 1;
    c.index_bytes = 4;
    c.row_bytes[0] = 4;
    c.pad_to = 128;
    c.threads = 2;
    c.seed = cw_test_seed() | 1;
    try_trial(&c);
}

static void a_bad_label_is_named_and_nothing_is_written(void **state)
{
    const size_t n = 100000;
    uint32_t *keys = (uint32_t *)calloc(n, 4), *out = (uint32_t *)calloc(n, 4);
    uint64_t offsets[11] = {7, 7}, workspace[10];
    cw_partition_job job = {.type = CW_U32, .rule = CW_BY_LABEL, .n = n, .buckets = 10};

    (void)state;
    assert_true(keys && out);
    for (size_t x = 0; x < n; x++)
        keys[x] = (uint32_t)(x % 10);
    keys[99990] = 10;
    keys[70001] = 4000000000u;
    job.keys_in = keys;
    job.keys_out = out;
    job.offsets = offsets;
    for (unsigned threads = 1; threads < 8; threads += 3) {
        struct cw_team team = {.wanted = threads};

        assert_int_equal(cw_cpu_partition(&job, workspace, &team), CW_ERR_LABEL);
        cw_team_end(&team);
        assert_string_equal(cw_last_error(), "label 70001 is 4000000000: no number below 10");
    }
    for (size_t x = 0; x < n; x++)
        assert_int_equal(out[x], 0);
    assert_int_equal(offsets[0], 7);
    assert_int_equal(offsets[1], 7);
    free(keys);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_arrays_are_partitioned),
        cmocka_unit_test(long_arrays_are_partitioned_by_several_threads),
        cmocka_unit_test(an_array_of_megabytes_is_partitioned),
        cmocka_unit_test(a_bad_label_is_named_and_nothing_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
