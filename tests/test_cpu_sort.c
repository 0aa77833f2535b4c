/* test_cpu_sort.c - an array sorted by threads of the host, held against a merge sort of values.
 *
 * The reference compares keys as long doubles, which hold every type exactly; where only some bits
 * count, it compares those of a number written down here from the definition of the types.  It
 * knows nothing of the library's map.  It is stable, and so is every sort here, asked for or not.
 *
 * Sorts are tried in every way that this processor has, on one, two and all threads, and with
 * leaves so small that even short arrays are dealt into buckets, more than once.  Every array
 * stands between canaries.
 */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cpu/sort.h"
#include "cpu/sort_work.h"
#include "values.h"

#define GUARD  256  /* bytes of canary before and after an array */
#define CANARY 0xa5 /* in guards, and in every output before it is written */
#define VALUE  16   /* bytes of the longest value */

/* ---- arrays between canaries ---------------------------------------------------------------- */

static void *array_of(size_t bytes)
{
    const size_t all = (bytes + 2 * GUARD + GUARD - 1) / GUARD * GUARD;
    unsigned char *p = (unsigned char *)aligned_alloc(GUARD, all);

    assert_non_null(p);
    memset(p, CANARY, all);
    return p + GUARD;
}

static int guards_stand(const void *array, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)array;

    for (size_t x = 0; x < GUARD; x++)
        if (p[x - GUARD] != CANARY ||
            (bytes + x < (bytes + GUARD - 1) / GUARD * GUARD + GUARD && p[bytes + x] != CANARY))
            return 0;
    return 1;
}

static void free_array(void *array)
{
    free((unsigned char *)array - GUARD);
}

/* ---- inputs --------------------------------------------------------------------------------- */

enum input {
    UNIFORM,
    EQUAL,
    TWO,
    SORTED,
    REVERSE,
    NEARLY,
    ZIPF,
    HEAVY,
    SAME_TOP,
    SAME_LOW,
    MAGNITUDES,
    SPECIAL,
    INPUTS
};

static const char *const input_names[INPUTS] = {
    "uniform",       "equal",         "two values",     "sorted",
    "reverse",       "nearly sorted", "Zipf",           "heavy bucket",
    "same top half", "same low half", "all magnitudes", "zeros and NaNs"};

struct data {
    cw_type type;
    enum input input;
    int descending;
    unsigned first_bit, bits; /* 0: all count */
    size_t key_bytes, n;
    void *keys;
    unsigned char *values; /* of VALUE bytes; shorter ones are their first bytes */
    uint32_t *order;       /* of every item: the place in the input that it comes from */
    uint64_t seed;
};

static uint64_t nan_of(cw_type type, uint64_t seed)
{
    static const uint64_t nans[][3] = {
        {0x7e00, 0xfe00, 0x7c01},
        {0x7fc0, 0xffc0, 0x7f81},
        {0x7fc00000, 0xffc00000, 0x7f800001},
        {UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000), UINT64_C(0x7ff0000000000001)},
    };

    return nans[type - CW_F16][seed % 3];
}

/* The infinity of a float type, of which a positive key's bits are a count from 0. */
static uint64_t infinity_of(cw_type type)
{
    return type == CW_F16    ? 0x7c00
           : type == CW_BF16 ? 0x7f80
           : type == CW_F32  ? 0x7f800000
                             : UINT64_C(0x7ff0000000000000);
}

/* Zeros, infinities, the smallest and the largest, of either sign. */
static uint64_t special(const struct data *d, uint64_t x)
{
    const uint64_t sign = (x >> 8 & 1) << (8 * d->key_bytes - 1);
    const uint64_t most = cw_is_float(d->type) ? infinity_of(d->type) : (UINT64_C(1) << 7) - 1;

    switch (x % 5) {
    case 0:
        return sign;
    case 1:
        return most | sign;
    case 2:
        return 1 | sign;
    case 3:
        return (most - 1) | sign;
    default:
        return cw_is_float(d->type) ? nan_of(d->type, d->seed) : ~sign;
    }
}

/* Key x of the input; NaNs all have the same bits, so that only places tell them apart. */
static uint64_t key_of(const struct data *d, struct cw_random *random, size_t x)
{
    const uint32_t bits = (uint32_t)(8 * d->key_bytes);
    const uint64_t r = cw_random_next(random), mask = UINT64_MAX >> (64 - bits);
    const uint64_t half = mask >> bits / 2, step = mask / (d->n + 1) + 1;
    uint64_t key = r >> (64 - bits);

    switch (d->input) {
    case EQUAL:
        key = d->seed;
        break;
    case TWO:
        key = r >> 63 ? d->seed : ~d->seed >> 3;
        break;
    case SORTED:
        key = x * step;
        break;
    case REVERSE:
        key = (d->n - x) * step;
        break;
    case NEARLY:
        key = r % 16 ? x : r >> 8;
        break;
    case ZIPF: /* about as often as 1 / rank, anywhere */
        key = ((r >> 40) >> (r % 20)) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
        break;
    case HEAVY:
        key = r % 3 ? d->seed << 5 ^ (r >> 32 & 31) : r >> 8;
        break;
    case SAME_TOP:
        key = (r & half) | (d->seed & ~half);
        break;
    case SAME_LOW:
        key = (r & ~half) | (d->seed & half);
        break;
    case MAGNITUDES:
        key = r >> (r & 63) ^ (r & 64 ? mask : 0);
        break;
    case SPECIAL:
        key = special(d, r >> 16);
        break;
    default:
        break;
    }
    key &= mask;
    if (cw_is_float(d->type) && (isnan(cw_value_of(d->type, key)) || r >> 45 == 7))
        key = nan_of(d->type, d->seed);
    return key;
}

/* ---- the reference -------------------------------------------------------------------------- */

/* How many keys of the type can come before this one, or before a NaN of its sign: the bits that
 * may be asked for are this number's.  Descending floats are those of the other sign. */
static uint64_t number_of(const struct data *d, uint64_t key)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * d->key_bytes), top = mask / 2 + 1;
    const uint64_t size = key & ~top;
    const int negative = (key & top) != 0, is_signed = d->type >= CW_I8;

    if (cw_is_float(d->type))
        return (negative != d->descending ? infinity_of(d->type) - size
                                          : infinity_of(d->type) + 1 + size) &
               mask;
    key = is_signed ? key + top : key;
    return (d->descending ? mask - key : key) & mask;
}

/* What the reference sorts by: of keys whose bits all count, the value. */
static long double weight_of(const struct data *d, uint64_t key)
{
    if (!d->bits)
        return cw_value_of(d->type, key);
    return (long double)(number_of(d, key) >> d->first_bit & UINT64_MAX >> (64 - d->bits));
}

static void sort_places(const long double *weight, uint32_t *place, uint32_t *spare, size_t n,
                        int descending)
{
    const size_t half = n / 2;
    size_t a = 0, b = half;

    if (n < 2)
        return;
    sort_places(weight, place, spare, half, descending);
    sort_places(weight, place + half, spare, n - half, descending);
    memcpy(spare, place, n * sizeof *place);
    for (size_t k = 0; k < n; k++) {
        const int second =
            a == half || (b < n && cw_value_before(weight[spare[b]], weight[spare[a]], descending));

        place[k] = spare[second ? b++ : a++];
    }
}

static struct data data_of(struct data d)
{
    struct cw_random random = cw_random_from(d.seed);
    long double *weight = (long double *)malloc((d.n + 1) * sizeof *weight);
    uint32_t *spare = (uint32_t *)malloc((d.n + 1) * sizeof *spare);

    assert_true(weight && spare);
    d.key_bytes = cw_type_bytes(d.type);
    d.keys = array_of(d.n * d.key_bytes);
    d.values = (unsigned char *)array_of(d.n * VALUE);
    d.order = (uint32_t *)array_of(d.n * sizeof *d.order);
    for (size_t x = 0; x < d.n; x++) {
        const uint64_t key = key_of(&d, &random, x), value = cw_random_next(&random);

        cw_set_item(d.keys, x, d.key_bytes, key);
        memcpy(d.values + x * VALUE, &value, 8);
        memcpy(d.values + x * VALUE + 8, &x, 8);
        weight[x] = weight_of(&d, key);
        d.order[x] = (uint32_t)x;
    }
    sort_places(weight, d.order, spare, d.n, d.bits ? 0 : d.descending);
    free(weight);
    free(spare);
    return d;
}

static void free_data(struct data *d)
{
    free_array(d->keys);
    free_array(d->values);
    free_array(d->order);
}

/* ---- one run -------------------------------------------------------------------------------- */

struct run {
    int keys, in_place;
    size_t value_bytes, index_bytes;
    unsigned flags, threads;
    struct cw_sort_ways ways;
};

static const char *text_of(const struct data *d, const struct run *run)
{
    static char text[400];

    snprintf(text, sizeof text,
             "%s %s, %zu keys, %s, bits %u from %u, keys %d values %zu index %zu in place %d, "
             "flags %u, %s, leaf %zu, pivots %u, %u threads, seed %llu (CW_SEED=%llu)",
             cw_type_name(d->type), d->descending ? "down" : "up", d->n, input_names[d->input],
             d->bits, d->first_bit, run->keys, run->value_bytes, run->index_bytes, run->in_place,
             run->flags, run->ways.columns->name, run->ways.leaf, run->ways.pivots, run->threads,
             (unsigned long long)d->seed, (unsigned long long)cw_test_seed());
    return text;
}

/* The buffers of one run: copies of the input, and outputs full of canaries or those copies. */
struct arrays {
    void *keys_in, *keys_out, *values_in, *values_out, *index, *workspace;
    size_t workspace_bytes;
};

static struct arrays arrays_of(const struct data *d, const struct run *run)
{
    struct arrays a = {0};

    a.keys_in = array_of(d->n * d->key_bytes);
    memcpy(a.keys_in, d->keys, d->n * d->key_bytes);
    a.keys_out = run->in_place ? a.keys_in : array_of(d->n * d->key_bytes);
    a.values_in = array_of(d->n * run->value_bytes);
    for (size_t x = 0; x < d->n && run->value_bytes; x++)
        memcpy((char *)a.values_in + x * run->value_bytes, d->values + x * VALUE, run->value_bytes);
    a.values_out = run->in_place ? a.values_in : array_of(d->n * run->value_bytes);
    a.index = array_of(d->n * run->index_bytes);
    return a;
}

static void free_arrays(const struct arrays *a, const struct run *run)
{
    free_array(a->keys_in);
    free_array(a->values_in);
    free_array(a->index);
    free_array(a->workspace);
    if (!run->in_place) {
        free_array(a->keys_out);
        free_array(a->values_out);
    }
}

static cw_array job_of(const struct data *d, const struct run *run, const struct arrays *a)
{
    cw_array job = {0};

    job.type = d->type;
    job.flags = run->flags | (d->descending ? (unsigned)CW_DESCENDING : 0);
    job.n = d->n;
    job.keys_in = a->keys_in;
    job.keys_out = run->keys ? a->keys_out : NULL;
    job.value_bytes = run->value_bytes;
    job.values_in = run->value_bytes ? a->values_in : NULL;
    job.values_out = run->value_bytes ? a->values_out : NULL;
    job.index_bytes = run->index_bytes;
    job.index_out = run->index_bytes ? a->index : NULL;
    job.first_bit = d->first_bit;
    job.bits = d->bits;
    return job;
}

/* Item x of what came out is item order[x] of `in`, or that number itself. */
static void check_array(const struct data *d, const struct run *run, const char *name,
                        const void *got, const void *in, size_t stride, size_t bytes)
{
    if (!guards_stand(got, d->n * bytes))
        fail_msg("%s written outside; %s", name, text_of(d, run));
    for (size_t x = 0; x < d->n; x++) {
        const uint64_t place = d->order[x]; /* the low bytes come first */
        const void *want = in ? (const char *)in + d->order[x] * stride : (const char *)&place;

        if (memcmp((const char *)got + x * bytes, want, bytes))
            fail_msg("%s: item %zu is not that of place %u; %s", name, x, d->order[x],
                     text_of(d, run));
    }
}

static void check_run(const struct data *d, const struct run *run, const struct arrays *a)
{
    const size_t v = run->value_bytes;

    if (run->keys)
        check_array(d, run, "keys", a->keys_out, d->keys, d->key_bytes, d->key_bytes);
    if (run->index_bytes)
        check_array(d, run, "index", a->index, NULL, 0, run->index_bytes);
    if (v)
        check_array(d, run, "values", a->values_out, d->values, VALUE, v);
    if (!guards_stand(a->workspace, a->workspace_bytes))
        fail_msg("workspace overrun; %s", text_of(d, run));
    if ((!run->in_place || !run->keys) && memcmp(a->keys_in, d->keys, d->n * d->key_bytes))
        fail_msg("keys_in written; %s", text_of(d, run));
    for (size_t x = 0; x < d->n && v && !run->in_place; x++)
        if (memcmp((char *)a->values_in + x * v, d->values + x * VALUE, v))
            fail_msg("values_in written; %s", text_of(d, run));
}

static void try_run(const struct data *d, const struct run *run)
{
    struct arrays a = arrays_of(d, run);
    cw_array job = job_of(d, run, &a);
    cw_status status;

    a.workspace_bytes = cw_cpu_sort_workspace(&job);
    a.workspace = array_of(a.workspace_bytes);
    status = cw_cpu_sort_by(&job, a.workspace, run->threads, &run->ways);
    if (status != CW_OK)
        fail_msg("%s: %s; %s", cw_status_name(status), cw_last_error(), text_of(d, run));
    check_run(d, run, &a);
    free_arrays(&a, run);
}

/* ---- what is tried -------------------------------------------------------------------------- */

static struct cw_sort_ways random_ways(struct cw_random *random)
{
    static const size_t leaves[] = {0, 0, 16, 300, 2000};
    static const uint32_t pivots[] = {64, 64, 1, 4};
    struct cw_sort_ways ways;

    do
        ways.columns = &cw_columns_list[cw_random_below(random, cw_columns_count)];
    while (!ways.columns->here());
    ways.leaf = leaves[cw_random_below(random, COUNT(leaves))];
    ways.pivots = pivots[cw_random_below(random, COUNT(pivots))];
    return ways;
}

/* Threads that wait spin for a millisecond, so short arrays are mostly sorted by one. */
static struct run random_run(struct cw_random *random, size_t n)
{
    static const struct run forms[] = {
        {.keys = 1},
        {.keys = 1},
        {.keys = 1, .value_bytes = 1},
        {.keys = 1, .value_bytes = 2},
        {.keys = 1, .value_bytes = 4},
        {.keys = 1, .value_bytes = 8},
        {.keys = 1, .value_bytes = 16},
        {.index_bytes = 4},
        {.index_bytes = 8},
        {.keys = 1, .index_bytes = 4},
        {.index_bytes = 4, .value_bytes = 4},
        {.keys = 1, .index_bytes = 8, .value_bytes = 16},
    };
    static const unsigned threads[] = {2, 0, 7};
    struct run run = forms[cw_random_below(random, COUNT(forms))];

    run.in_place = (int)cw_random_below(random, 2);
    run.threads = threads[cw_random_below(random, COUNT(threads))];
    if (cw_random_below(random, n > 60000 ? 2 : 30))
        run.threads = 1;
    run.flags = cw_random_below(random, 3) ? 0 : (unsigned)CW_CONFLICT_FREE;
    run.flags |= cw_random_below(random, 2) ? (unsigned)CW_STABLE : 0;
    run.ways = random_ways(random);
    return run;
}

static void try_data(struct data d, size_t runs)
{
    struct cw_random random = cw_random_from(~d.seed);

    d = data_of(d);
    for (size_t k = 0; k < runs; k++) {
        const struct run run = random_run(&random, d.n);

        try_run(&d, &run);
    }
    free_data(&d);
}

/* Every type, both ways, and every input, at one length; one in `one_in`. */
static void try_length(size_t n, size_t runs, uint64_t one_in)
{
    struct cw_random random = cw_random_from(cw_test_seed() ^ n << 32);

    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        for (int descending = 0; descending < 2; descending++) {
            for (int input = 0; input < INPUTS; input++) {
                struct data d = {.type = (cw_type)type, .input = (enum input)input, .n = n};

                d.descending = descending;
                d.seed = cw_random_next(&random);
                if (cw_random_below(&random, one_in) == 0)
                    try_data(d, runs);
            }
        }
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void short_arrays_are_sorted(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 15, 16, 17, 100, 1000};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++)
        try_length(lengths[x], 4, CW_SANITIZED ? 6 : 1);
}

static void arrays_of_several_blocks_are_sorted(void **state)
{
    const uint64_t all = cw_long_run() ? 1 : CW_SANITIZED ? 20 : 2;

    (void)state;
    try_length(1025, 3, all);
    try_length(4097, 4, all);
}

static void long_arrays_are_sorted(void **state)
{
    const uint64_t all = cw_long_run() ? 1 : CW_SANITIZED ? 64 : 16;

    (void)state;
    try_length(65537, 3, all);
    try_length(100003, 4, all);
}

/* With the leaves that the library would take, on one thread and on two. */
static void a_million_keys_are_sorted(void **state)
{
    static const struct data all[] = {
        {.type = CW_U32, .input = UNIFORM},
        {.type = CW_U64, .input = ZIPF},
        {.type = CW_F32, .input = HEAVY, .descending = 1},
        {.type = CW_I16, .input = MAGNITUDES},
        {.type = CW_F64, .input = UNIFORM},
    };
    const size_t count = cw_long_run() ? COUNT(all) : CW_SANITIZED ? 1 : 3;

    (void)state;
    for (size_t x = 0; x < count; x++) {
        struct cw_random random = cw_random_from(cw_test_seed() + x);
        struct data d = all[x];

        d.n = (size_t)1 << 20;
        d.seed = cw_random_next(&random);
        d = data_of(d);
        for (size_t form = 0; form < 6; form++) {
            struct run run = {.keys = form != 1, .threads = 1 + form % 2};

            run.index_bytes = form == 1 ? 4 : 0;
            run.value_bytes = form == 2 ? 8 : 0;
            run.flags = form == 5 ? CW_CONFLICT_FREE : 0;
            run.in_place = form == 3;
            run.ways = random_ways(&random);
            run.ways.leaf = 0;
            try_run(&d, &run);
        }
        free_data(&d);
    }
}

static void only_the_bits_asked_for_count(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 7);
    const size_t cases = cw_long_run() ? 4000 : CW_SANITIZED ? 40 : 240;

    (void)state;
    for (size_t x = 0; x < cases; x++) {
        struct data d = {.n = x % 25 ? 1 + cw_random_below(&random, 3000) : 70000};
        uint32_t width;

        d.type = (cw_type)cw_random_below(&random, CW_TYPE_COUNT);
        d.input = (enum input)cw_random_below(&random, INPUTS);
        d.descending = (int)cw_random_below(&random, 2);
        width = (uint32_t)(8 * cw_type_bytes(d.type));
        d.first_bit = (unsigned)cw_random_below(&random, width);
        d.bits = 1 + (unsigned)cw_random_below(&random, width - d.first_bit);
        d.seed = cw_random_next(&random);
        try_data(d, 3);
    }
}

static void random_cases_are_sorted(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 31);
    const size_t cases = cw_long_run() ? 20000 : CW_SANITIZED ? 80 : 600;

    (void)state;
    for (size_t x = 0; x < cases; x++) {
        struct data d = {.n =
                             cw_random_below(&random, (uint64_t)1 << cw_random_below(&random, 14))};

        d.type = (cw_type)cw_random_below(&random, CW_TYPE_COUNT);
        d.input = (enum input)cw_random_below(&random, INPUTS);
        d.descending = (int)cw_random_below(&random, 2);
        d.seed = cw_random_next(&random);
        try_data(d, 2);
    }
}

static void workspace_is_no_more_than_a_copy(void **state)
{
    char there = 0;

    (void)state;
    for (size_t n = 0; n < (size_t)1 << 34; n = n * 3 + 1) {
        cw_array job = {.type = CW_U64, .n = n, .keys_in = &there, .keys_out = &there};
        const size_t keys = cw_cpu_sort_workspace(&job);

        assert_in_range(keys, 0, n * 8 + ((size_t)64 << 20));
        job.value_bytes = 16;
        job.index_bytes = 4;
        job.index_out = &there;
        assert_in_range(cw_cpu_sort_workspace(&job), keys, n * 28 + ((size_t)64 << 20));
        job.n++;
        assert_true(cw_cpu_sort_workspace(&job) >= keys);
    }
}

/* Memory for threads is refused: nothing is written, and the sort says so. */
static void a_sort_without_memory_writes_nothing(void **state)
{
    const size_t n = 300000;
    uint32_t *keys, *was, *workspace;
    cw_array job = {.type = CW_U32, .n = n};
    struct rlimit limit, none;
    cw_status status;

    (void)state;
    if (CW_SANITIZED)
        skip();
    keys = (uint32_t *)array_of(n * sizeof *keys);
    was = (uint32_t *)array_of(n * sizeof *keys);
    workspace = (uint32_t *)array_of(n * sizeof *keys);
    job.keys_in = job.keys_out = keys;
    for (size_t x = 0; x < n; x++)
        was[x] = keys[x] = (uint32_t)(x * 2654435761u);
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    none = limit;
    none.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    status = cw_cpu_sort(&job, workspace, 1000);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(status, CW_ERR_MEMORY);
    assert_memory_equal(keys, was, n * sizeof *keys);
    assert_int_equal(cw_cpu_sort(&job, workspace, 2), CW_OK);
    for (size_t x = 1; x < n; x++)
        assert_true(keys[x - 1] <= keys[x]);
    free_array(keys);
    free_array(was);
    free_array(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sort_without_memory_writes_nothing), /* first: nothing is free yet */
        cmocka_unit_test(short_arrays_are_sorted),
        cmocka_unit_test(arrays_of_several_blocks_are_sorted),
        cmocka_unit_test(long_arrays_are_sorted),
        cmocka_unit_test(a_million_keys_are_sorted),
        cmocka_unit_test(only_the_bits_asked_for_count),
        cmocka_unit_test(random_cases_are_sorted),
        cmocka_unit_test(workspace_is_no_more_than_a_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
