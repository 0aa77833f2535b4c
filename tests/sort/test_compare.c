/* test_compare.c - cw_sort with CW_CONFLICT_FREE sorts every input, by comparing keys, and no kernel
 * that it launches asks a bank twice.
 *
 * In whichever context CW_TEST_BACKEND names (emulator, unless told); only there are wavefronts
 * counted.  The emulator's tiles are small, so that these arrays are cut once, twice and three
 * times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_case.h"
#include "rows_case.h"

#include "api/context.h"
#include "sort/sample_sort/request.h"
#include "sort/sample_sort/job.h"

static cw_context *context;
static unsigned launched[CW_KERNEL_COUNT];
static uint64_t requests, excess, too_long;

/* Whatever the keys are, the buckets of a cut are not longer than sort/sample_sort/splitter_ranks.h says. */
static void check_buckets(const struct sample_sort_job *j)
{
    for (uint32_t s = 0; s < *j->at.count; s++) {
        const uint64_t items = j->at.start[s + 1] - j->at.start[s];
        const uint64_t tiles = j->at.tiles[s + 1] - j->at.tiles[s], q = j->at.every;
        const uint32_t first = j->at.buckets[s], buckets = j->at.buckets[s + 1] - first;
        const uint64_t more = tiles ? (tiles - 1) * (q - 1) + 2 * q : 0;

        for (uint32_t b = first; b < first + buckets; b++) {
            const uint64_t length = j->next.start[b + 1] - j->next.start[b];

            if (length > items / buckets + 1 + more || j->next.start[b + 1] < j->next.start[b]) {
                print_message("bucket %u has %llu items: more than there may be\n", b,
                              (unsigned long long)length);
                too_long++;
            }
        }
    }
}

static void note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    launched[l->kernel]++;
    requests += total.requests;
    excess += total.wavefronts - total.ideal;
    if (total.wavefronts != total.ideal || !cw_kernel_free(l->kernel)) {
        print_message("%s has conflicts\n", cw_kernel_name(l->kernel));
        (void)cw_emu_report(e, stdout);
        excess++;
    }
    if (l->kernel == CW_KERNEL_cw_sample_sort_bucket_scan)
        check_buckets((const struct sample_sort_job *)l->arg);
}

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    context->hook = note;
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

static int emulated(void)
{
    return rows_test_backend() == CW_EMULATOR;
}

static int small(void)
{
    return emulated() && !CW_FULL_SHAPES;
}

static struct array_case case_of(cw_type type, size_t n, uint64_t salt)
{
    const struct array_case c = {
        .type = type, .flags = CW_CONFLICT_FREE, .n = n, .keys = 1, .seed = cw_test_seed() + salt};

    return c;
}

/* Sorted, without a conflict, and cut as evenly as it is said to be. */
static int fails(struct array_case c)
{
    const uint64_t before = excess + too_long;

    return array_case_run(context, &c) || excess + too_long != before;
}

/* ---- claims --------------------------------------------------------------------------------- */

/* Around tiles and buckets of the emulator's kernels, and of a GPU's; primes. */
static void every_length_is_sorted(void **state)
{
    static const size_t lengths[] = {0,    1,    2,    3,    31,   33,   488,  511,
                                     512,  513,  1000, 1023, 1024, 1025, 2047, 2048,
                                     2049, 4097, 5003, 6145, 7919, 10007};
    static const size_t more[] = {16383, 16384, 16385, 32767, 32769, 65537, 300007};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct array_case c = case_of(x % 2 ? CW_U32 : CW_U64, lengths[x], x);

        if (CW_FEW && x % 3)
            continue;
        failed += fails(c);
        c.in_place = 1;
        c.shift = 1;
        c.type = x % 2 ? CW_U64 : CW_U32;
        failed += fails(c);
    }
    for (size_t x = 0; x < (cw_quick_run() || emulated() ? 5 : COUNT(more)) && !small(); x++) {
        failed += fails(case_of(CW_U32, more[x], 200 + x));
        failed += fails(case_of(CW_U64, more[x], 300 + x));
    }
    assert_int_equal(failed, 0);
}

/* Arrays that are cut once, twice and three times. */
static void every_input_is_sorted(void **state)
{
    static const size_t few[] = {3001, 11003, 21001}, some[] = {16411, 40009, 170003},
                        many[] = {16411, 99991, 299993};
    const size_t *const n_of = small() ? few : emulated() || cw_quick_run() ? some : many;
    int failed = 0;

    (void)state;
    for (int p = 0; p < ARRAY_PATTERNS; p++) {
        const size_t n = n_of[p % 3];
        struct array_case c = case_of(p % 2 ? CW_F64 : CW_U32, n, 1000u + (unsigned)p);

        if (CW_SANITIZED)
            c.n = 3001 + 400 * (size_t)p;
        c.pattern = (enum array_pattern)p;
        failed += fails(c);
        c.n /= 2;
        c.type = p % 2 ? CW_F32 : CW_I64;
        c.value_bytes = 4;
        c.in_place = p % 2;
        failed += fails(c);
    }
    assert_int_equal(failed, 0);
}

static void arrays_that_are_cut_often_are_sorted(void **state)
{
    struct array_case c = case_of(CW_U64, small() ? 33013 : emulated() ? 150011 : 3900019, 2000);

    (void)state;
    if (CW_FEW)
        return;
    c.pattern = ARRAY_NESTED;
    assert_int_equal(fails(c), 0);
    c.type = CW_I32;
    c.n = small() ? 21013 : emulated() ? 150011 : 3900019;
    c.value_bytes = 4;
    c.pattern = ARRAY_RANDOM;
    assert_int_equal(fails(c), 0);
}

/* One key in a thousand is anywhere: most windows of tiles have few slots of a bucket, or none. */
static void nearly_sorted_arrays_are_sorted(void **state)
{
    const size_t n = small() ? CW_FEW ? 60013 : 190027 : emulated() ? 300007 : 30000001;
    struct array_case c = case_of(CW_U64, n, 2500);

    (void)state;
    c.pattern = ARRAY_NEARLY;
    assert_int_equal(fails(c), 0);
}

static void every_type_is_sorted_in_both_directions(void **state)
{
    int failed = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        struct array_case c = case_of((cw_type)t,
                                      small()      ? 5001
                                      : emulated() ? 45007
                                                   : 100003,
                                      3000u + (unsigned)t);

        if (CW_FEW && t % 3)
            continue;
        c.pattern = t % 2 ? ARRAY_SPECIAL : ARRAY_RANDOM;
        c.shift = (size_t)t % 3;
        failed += fails(c);
        c.flags |= CW_DESCENDING;
        c.index_bytes = t % 3 ? 4 : 8;
        c.n /= 2;
        failed += fails(c);
    }
    assert_int_equal(failed, 0);
}

static void random_cases_are_sorted(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 3000 : CW_FEW ? 6 : 60);
    const size_t most = small() ? 9000 : emulated() ? 60000 : 200000;
    struct cw_random r = cw_random_from(cw_test_seed());
    int failed = 0;

    (void)state;
    for (unsigned x = 0; x < cases; x++) {
        static const size_t values[] = {0, 0, 1, 2, 4, 4, 8, 16}, indices[] = {0, 0, 4, 8};
        struct array_case c = case_of((cw_type)cw_random_below(&r, CW_TYPE_COUNT), 0, 4000 + x);

        c.n = (size_t)cw_random_below(&r, 2 + (most >> cw_random_below(&r, 12)));
        c.flags |= (unsigned)cw_random_below(&r, 4);
        c.value_bytes = values[cw_random_below(&r, 8)];
        c.index_bytes = indices[cw_random_below(&r, 4)];
        c.keys = !c.index_bytes || cw_random_below(&r, 2);
        c.in_place = c.keys && cw_random_below(&r, 2);
        c.shift = (size_t)cw_random_below(&r, 3);
        c.pattern = (enum array_pattern)cw_random_below(&r, ARRAY_PATTERNS);
        if (c.type <= CW_I64 && cw_random_below(&r, 4) == 0) {
            const unsigned bits = 8u * (unsigned)cw_type_bytes(c.type);

            c.first_bit = (unsigned)cw_random_below(&r, bits);
            c.bits = (unsigned)cw_random_below(&r, bits - c.first_bit + 1);
        }
        failed += fails(c);
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

/* The last of all: what came before has launched every kernel of the engine. */
static void every_kernel_was_launched_and_none_had_a_conflict(void **state)
{
    (void)state;
    if (!emulated())
        return;
    assert_int_equal(excess, 0);
    assert_true(requests > 1000);
#define LAUNCHED(name, type, free, oblivious)          \
    if (!launched[CW_KERNEL_##name] && !CW_FEW)        \
        print_message("%s was not launched\n", #name); \
    assert_true(launched[CW_KERNEL_##name] > 0 || CW_FEW);
    CW_SAMPLE_SORT_KERNELS(LAUNCHED)
#undef LAUNCHED
}

/* ---- workspace ------------------------------------------------------------------------------ */

static void workspace_grows_with_n(void **state)
{
    static const cw_type types[] = {CW_U8, CW_U32, CW_F64};

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (int k = 0; k < 2; k++) {
            cw_array job;
            size_t before = 0, now;

            memset(&job, 0, sizeof job);
            job.type = types[t];
            job.flags = CW_CONFLICT_FREE;
            job.keys_out = &job;
            job.bits = 8u * (unsigned)cw_type_bytes(job.type);
            job.value_bytes = k ? 4 : 0;
            for (job.n = 1; job.n < 5000000; job.n += 1 + job.n / 37) {
                now = cw_sample_sort_workspace(&job, CW_SHAPES_TINY);
                assert_true(now >= before);
                before = now;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_sorted),
        cmocka_unit_test(every_input_is_sorted),
        cmocka_unit_test(arrays_that_are_cut_often_are_sorted),
        cmocka_unit_test(nearly_sorted_arrays_are_sorted),
        cmocka_unit_test(every_type_is_sorted_in_both_directions),
        cmocka_unit_test(random_cases_are_sorted),
        cmocka_unit_test(every_kernel_was_launched_and_none_had_a_conflict),
        cmocka_unit_test(workspace_grows_with_n),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
