/* test_partition_routing.c - cw_partition as routers of tokens use it: labels of every type, some of them dropped,
 * tokens with several choices, blocks of places, and a count that only the device knows; in whichever context
 * CW_TEST_BACKEND names (emulator, unless told), and on the host.
 */
#include <stdlib.h>
#include <string.h>

#include "rows_case.h"

struct routing {
    cw_type type;
    size_t n, count; /* the most items that there may be, and how many there are */
    size_t count_bytes;
    uint32_t buckets;
    int drop;
    size_t choices, pad, index_bytes, row;
    int keys;
    uint64_t seed;
};

enum {
    LABELS,
    COUNT_AT,
    ROWS_IN,
    KEYS_OUT,
    ROWS_OUT,
    INDEX,
    INVERSE,
    OFFSETS,
    PADDED,
    BLOCKS,
    SPACE,
    ARRAYS
};

struct arrays {
    void *there[ARRAYS];
    unsigned char *host[ARRAYS];
    size_t bytes[ARRAYS];
};

static uint64_t get(const struct arrays *a, int which, size_t i, size_t bytes)
{
    uint64_t x = 0;

    memcpy(&x, a->host[which] + i * bytes, bytes);
    return x;
}

static void array_make(cw_context *context, struct arrays *a, int which, size_t bytes)
{
    a->bytes[which] = bytes;
    a->host[which] = (unsigned char *)calloc(bytes + 1, 1);
    assert_non_null(a->host[which]);
    if (bytes)
        assert_int_equal(cw_memory_alloc(context, bytes, &a->there[which]), CW_OK);
}

static size_t block_count(const struct routing *r)
{
    return r->n / r->pad + r->buckets + 3;
}

/* Labels: one in five is out of range, if that is allowed, or it is behind the count. */
static void fill(const struct routing *r, struct arrays *a)
{
    const size_t bytes = cw_type_bytes(r->type);
    struct cw_random random = cw_random_from(r->seed);

    for (size_t i = 0; i < r->n; i++) {
        const int bad = (r->drop && cw_random_below(&random, 5) == 0) || i >= r->count;
        uint64_t x = cw_random_below(&random, r->buckets);

        if (bad)
            x = cw_random_below(&random, 2) ? UINT64_MAX : r->buckets;
        memcpy(a->host[LABELS] + i * bytes, &x, bytes);
    }
    for (size_t i = 0; i < a->bytes[ROWS_IN]; i++)
        a->host[ROWS_IN][i] = (unsigned char)cw_random_next(&random);
    if (r->count_bytes)
        memcpy(a->host[COUNT_AT], &r->count, r->count_bytes);
}

static void make(cw_context *context, const struct routing *r, struct arrays *a,
                 cw_partition_job *job, cw_payload *payload)
{
    const size_t bytes = cw_type_bytes(r->type), starts = 8u * ((size_t)r->buckets + 1u);
    const size_t size[SPACE] = {r->n * bytes,
                                r->count_bytes,
                                r->n / r->choices * r->row,
                                r->keys ? r->n * bytes : 0,
                                r->n * r->row,
                                r->n * r->index_bytes,
                                r->n * r->index_bytes,
                                starts,
                                starts,
                                4u * block_count(r)};
    size_t need;

    memset(a, 0, sizeof *a);
    for (int x = 0; x < SPACE; x++)
        array_make(context, a, x, size[x]);
    fill(r, a);
    memset(job, 0, sizeof *job);
    job->type = r->type;
    job->rule = CW_BY_LABEL;
    job->flags = (r->drop ? CW_DROP : 0u) | CW_CHECK;
    job->n = r->n;
    job->buckets = r->buckets;
    job->keys_in = a->there[LABELS];
    job->keys_out = a->there[KEYS_OUT];
    payload->in = a->there[ROWS_IN];
    payload->out = a->there[ROWS_OUT];
    payload->bytes = r->row;
    job->payloads = payload;
    job->payload_count = r->row ? 1 : 0;
    job->offsets = (uint64_t *)a->there[OFFSETS];
    job->padded = (uint64_t *)a->there[PADDED];
    job->pad_to = r->pad;
    job->index_out = a->there[INDEX];
    job->inverse_out = a->there[INVERSE];
    job->index_bytes = r->n ? r->index_bytes : 0;
    job->count = a->there[COUNT_AT];
    job->count_bytes = r->count_bytes;
    job->block_buckets = (uint32_t *)a->there[BLOCKS];
    job->block_count = block_count(r);
    job->choices = r->choices;
    assert_int_equal(cw_partition_workspace(job, &need), CW_OK);
    array_make(context, a, SPACE, need);
    for (int x = 0; x < SPACE; x++)
        if (a->bytes[x])
            assert_int_equal(cw_memory_write(context, a->there[x], a->host[x], a->bytes[x]), CW_OK);
}

/* Item i, which goes to `to`. */
static const char *check_item(const struct routing *r, const struct arrays *a, size_t i, size_t to)
{
    const size_t bytes = cw_type_bytes(r->type);

    if (r->keys && get(a, LABELS, i, bytes) != get(a, KEYS_OUT, to, bytes))
        return "a key is wrong";
    if (get(a, INDEX, to, r->index_bytes) != i / r->choices)
        return "an index is wrong";
    if (get(a, INVERSE, i, r->index_bytes) != to)
        return "the inverse is wrong";
    if (r->row &&
        memcmp(a->host[ROWS_OUT] + to * r->row, a->host[ROWS_IN] + i / r->choices * r->row, r->row))
        return "a row is wrong";
    return NULL;
}

static const char *check_bucket(const struct routing *r, const struct arrays *a, uint32_t b,
                                size_t *at, size_t *block)
{
    const size_t bytes = cw_type_bytes(r->type);
    const char *wrong = NULL;
    const size_t first = *at;

    if (get(a, OFFSETS, b, 8) != *at)
        return "an offset is wrong";
    if (get(a, PADDED, b, 8) != *block * r->pad)
        return "a padded offset is wrong";
    for (size_t i = 0; i < r->count && !wrong; i++)
        if (get(a, LABELS, i, bytes) == b && b < r->buckets)
            wrong = check_item(r, a, i, (*at)++);
    for (size_t x = 0; x < (*at - first + r->pad - 1) / r->pad && !wrong; x++)
        if (get(a, BLOCKS, (*block)++, 4) != b)
            wrong = "a block is of another bucket";
    return wrong;
}

static const char *check(const struct routing *r, const struct arrays *a)
{
    const size_t bytes = cw_type_bytes(r->type);
    const uint64_t none = r->index_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    const char *wrong = NULL;
    size_t at = 0, block = 0;

    for (uint32_t b = 0; b <= r->buckets && !wrong; b++)
        wrong = check_bucket(r, a, b, &at, &block);
    for (; block < block_count(r) && !wrong; block++)
        if (get(a, BLOCKS, block, 4) != UINT32_MAX)
            wrong = "a block behind the last is of a bucket";
    for (size_t i = 0; i < r->count && !wrong; i++)
        if (get(a, LABELS, i, bytes) >= r->buckets && get(a, INVERSE, i, r->index_bytes) != none)
            wrong = "the inverse of a dropped item is wrong";
    return wrong;
}

static int run(cw_context *context, const struct routing *r)
{
    cw_partition_job job;
    cw_payload payload;
    struct arrays a;
    const char *wrong = NULL;
    cw_status status;

    make(context, r, &a, &job, &payload);
    status = cw_partition(context, &job, a.there[SPACE], a.bytes[SPACE], NULL);
    if (!status)
        status = cw_wait(context, NULL);
    if (status)
        wrong = cw_last_error();
    for (int x = KEYS_OUT; x < SPACE; x++)
        if (a.bytes[x])
            assert_int_equal(cw_memory_read(context, a.host[x], a.there[x], a.bytes[x]), CW_OK);
    if (!wrong)
        wrong = check(r, &a);
    if (wrong)
        print_message(
            "%s: %s, n %zu, count %zu (%zu), buckets %u, drop %d, choices %zu, pad %zu, index %zu, "
            "rows of %zu, keys %d, seed %llu\n",
            wrong, cw_type_name(r->type), r->n, r->count, r->count_bytes, r->buckets, r->drop,
            r->choices, r->pad, r->index_bytes, r->row, r->keys, (unsigned long long)r->seed);
    for (int x = 0; x < ARRAYS; x++) {
        free(a.host[x]);
        cw_memory_free(context, a.there[x]);
    }
    return wrong != NULL;
}

static struct routing random_routing(uint64_t seed)
{
    static const cw_type types[] = {CW_U8, CW_U16, CW_U32, CW_U64, CW_I8, CW_I16, CW_I32, CW_I64};
    static const size_t sizes[] = {0, 8, 240, 720, 2400, 7200, 14400};
    static const uint32_t buckets[] = {1, 2, 8, 100, 127, 255, 256, 300, 1000, 1024, 1025, 5000};
    struct cw_random x = cw_random_from(seed);
    struct routing r;

    memset(&r, 0, sizeof r);
    r.seed = seed;
    r.type = types[cw_random_below(&x, COUNT(types))];
    r.n = sizes[cw_random_below(&x, COUNT(sizes))];
    r.buckets = buckets[cw_random_below(&x, cw_type_bytes(r.type) == 1 ? 5 : COUNT(buckets))];
    r.drop = cw_random_below(&x, 2) == 0;
    r.count = r.n;
    if (cw_random_below(&x, 2)) {
        r.count_bytes = cw_random_below(&x, 2) ? 4 : 8;
        r.count = cw_random_below(&x, r.n + 1);
    }
    r.choices = 1u + cw_random_below(&x, 2) * 7u;
    r.pad = 1u + cw_random_below(&x, 70);
    r.index_bytes = cw_random_below(&x, 2) ? 4 : 8;
    r.row = cw_random_below(&x, 3) * 12u + (cw_random_below(&x, 2) ? 4u : 0u);
    r.keys = cw_random_below(&x, 2) == 0;
    return r;
}

static void tokens_are_routed(void **state)
{
    const uint64_t cases = cw_test_cases(CW_SANITIZED ? 20 : cw_long_run() ? 1000 : 80);
    cw_context *context, *host;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    assert_int_equal(cw_context_create(CW_CPU, &host), CW_OK);
    for (uint64_t x = 0; x < cases && failed < 10; x++) {
        const struct routing r = random_routing(cw_test_seed() * 1000003u + x);

        failed += run(x % 4 == 3 ? host : context, &r);
    }
    print_message("CW_SEED=%llu\n", (unsigned long long)cw_test_seed());
    cw_context_destroy(context);
    cw_context_destroy(host);
    assert_int_equal(failed, 0);
}

/* A count above n is n. */
static void a_count_is_bounded(void **state)
{
    const struct routing r = {CW_U32, 720, 720, 8, 40, 0, 1, 16, 4, 4, 1, cw_test_seed()};
    cw_context *context;
    cw_partition_job job;
    cw_payload payload;
    struct arrays a;
    const uint64_t many = UINT64_C(1) << 40;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    make(context, &r, &a, &job, &payload);
    assert_int_equal(cw_memory_write(context, a.there[COUNT_AT], &many, 8), CW_OK);
    assert_int_equal(cw_partition(context, &job, a.there[SPACE], a.bytes[SPACE], NULL), CW_OK);
    for (int x = KEYS_OUT; x < SPACE; x++)
        assert_int_equal(cw_memory_read(context, a.host[x], a.there[x], a.bytes[x]), CW_OK);
    assert_null(check(&r, &a));
    for (int x = 0; x < ARRAYS; x++) {
        free(a.host[x]);
        cw_memory_free(context, a.there[x]);
    }
    cw_context_destroy(context);
}

/* No items: arrays of them are NULL.  (UBSan judges what is computed of such pointers.) */
static void nothing_is_routed(void **state)
{
    const cw_backend backends[] = {rows_test_backend(), CW_CPU};

    (void)state;
    for (int x = 0; x < 8; x++) {
        const struct routing r = {CW_U32, 0, 0, 0, 8, x & 2, 1, 16, 4, x & 4 ? 12 : 0, 1, 1};
        cw_context *context;

        assert_int_equal(cw_context_create(backends[x % 2], &context), CW_OK);
        assert_int_equal(run(context, &r), 0);
        cw_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tokens_are_routed),
                                       cmocka_unit_test(nothing_is_routed),
                                       cmocka_unit_test(a_count_is_bounded)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
