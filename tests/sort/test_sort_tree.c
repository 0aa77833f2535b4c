/* test_sort_tree.c - the first pass of a sort of skewed keys, whose bins a sample finds
 * (sort/splitters/): looked at on the emulator right after they were found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "sort/radix/job.h"
#include "sort/radix/plan.h"
#include "test.h"

#define N    (CW_FULL_SHAPES ? 60013u : 30011u)
#define BINS (CW_FULL_SHAPES ? 352u : 64u)

#define DENSE 0x5a000000u /* and the next 65535 */

/* What the first pass made of the array. */
struct seen {
    const uint32_t *keys; /* as they were given */
    uint32_t n;
    int used;
    uint32_t longest; /* items of the bin that has most, of more than one key */
    uint32_t wrong;   /* keys that are in another bin than the ends of bins say */
    uint32_t strays;  /* keys of DENSE in bins of a much longer range */
    uint32_t medium;  /* buckets for one block each, after the last pass */
    uint32_t open;    /* whether its range is that of the sample, and other keys are at its ends */
    uint32_t fullest; /* items of the first pass's bin that has most, if it has no tree */
};

static uint32_t bin_by_ends(const uint64_t *ends, uint32_t x)
{
    uint32_t b = 0;

    while (ends[b] + 1u <= x) /* 0 + 2^64 - 1 ends before 0 */
        b++;
    return b;
}

/* What the job says of bin b of the first pass's bucket. */
static uint64_t start_of(const struct radix_job *j, uint32_t b)
{
    return j->wide ? ((const uint64_t *)j->starts)[b] : ((const uint32_t *)j->starts)[b];
}

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct seen *const s = (struct seen *)user;
    const struct radix_job *const j = (const struct radix_job *)l->arg;

    (void)e;
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_sample) {
        s->used = (int)j->tree->used;
        s->open = j->buckets[0][0].open;
    }
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_medium)
        s->medium = j->state->medium;
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_classify && j->pass == 0 && !s->used) {
        const struct radix_bucket *const p = &j->buckets[0][0];

        for (uint32_t b = 0; b < p->bins; b++) {
            const uint64_t end = b + 1u < p->bins ? start_of(j, b + 1u) : s->n;

            if (end - start_of(j, b) > s->fullest)
                s->fullest = (uint32_t)(end - start_of(j, b));
        }
    }
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_histogram_tree && s->used) {
        const uint32_t bins = j->buckets[0][0].bins;
        uint32_t *const count = (uint32_t *)calloc(bins + 1u, sizeof *count);

        assert_non_null(count);
        assert_true(j->tree_ends[bins - 1u] == UINT32_MAX);
        for (uint32_t i = 0; i < s->n; i++) {
            const uint32_t b = bin_by_ends(j->tree_ends, s->keys[i]);
            const uint64_t first = b ? j->tree_ends[b - 1u] + 1u : 0u;

            count[b]++;
            s->strays += s->keys[i] - DENSE < 65536u && j->tree_ends[b] - first > 1u << 20;
        }
        for (uint32_t b = 0; b < bins; b++) {
            const uint64_t first = b ? j->tree_ends[b - 1u] + 1u : 0u;

            s->wrong += start_of(j, b) != count[b];
            if (first < j->tree_ends[b] && count[b] > s->longest)
                s->longest = count[b];
        }
        free(count);
    }
}

/* Sort n keys by this task; the caller fills in the rest of it. */
static void enqueue(struct radix_task *task, struct radix_table *table, struct seen *s)
{
    const uint32_t n = (uint32_t)task->n;
    const size_t bytes = (size_t)cw_radix_bytes(table, n);
    void *const workspace = aligned_alloc(256, (bytes + 255u) / 256u * 256u);
    struct cw_emulated_queue q;

    assert_non_null(workspace);
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = s;
    cw_queue_buffer(&q.queue, task->in, n * 4u, 0);
    cw_queue_buffer(&q.queue, task->out, n * 4u, 1);
    if (task->out_values)
        cw_queue_buffer(&q.queue, task->out_values, n * 4u, 1);
    if (task->gate)
        cw_queue_buffer(&q.queue, task->gate, sizeof *task->gate, 1);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    if (cw_radix_enqueue(&q.queue, table, task, workspace))
        fail_msg("%s", cw_last_error());
    free(workspace);
}

/* Sort n of them, in so many passes, unless 0. */
static struct seen sorted_in(const uint32_t *keys, uint32_t n, uint32_t passes)
{
    struct seen s = {.keys = keys, .n = n};
    uint32_t *const out = (uint32_t *)malloc(n * sizeof *out);
    struct radix_task task = {.n = n, .in = keys, .out = out, .map = cw_key_map_of(CW_U32, 0, 0)};
    struct radix_table table;

    assert_non_null(out);
    memset(&table, 0, sizeof table);
    cw_sort_radix_u32_passes_tiny(&table);
    cw_sort_radix_u32_rows_tiny(&table);
    table.passes = passes ? passes : table.passes;
    enqueue(&task, &table, &s);
    for (uint32_t i = 1; i < n; i++)
        assert_true(out[i - 1] <= out[i]);
    free(out);
    return s;
}

static struct seen sorted(const uint32_t *keys)
{
    return sorted_in(keys, N, 0);
}

/* Are N pairs of these keys left to another method?  If not, they are sorted. */
static uint32_t pairs_are_left(const uint32_t *keys, int stable)
{
    struct seen s = {.keys = keys, .n = N};
    uint32_t *const out = (uint32_t *)malloc(N * sizeof *out);
    uint32_t *const values = (uint32_t *)malloc(N * sizeof *values);
    uint32_t gate = 7;
    struct radix_task task = {.n = N,
                              .in = keys,
                              .in_values = keys,
                              .out = out,
                              .out_values = values,
                              .stable = stable,
                              .gate = &gate,
                              .leaves = 1,
                              .map = cw_key_map_of(CW_U32, 0, 0)};
    struct radix_table table;

    assert_non_null(out);
    assert_non_null(values);
    memset(&table, 0, sizeof table);
    cw_sort_radix_p32_passes_tiny(&table);
    cw_sort_radix_p32_rows_tiny(&table);
    cw_sort_radix_p32_stable_kernels_tiny(&table);
    enqueue(&task, &table, &s);
    for (uint32_t i = 1; gate == 0 && i < N; i++)
        assert_true(out[i - 1] <= out[i] && out[i] == values[i]);
    free(values);
    free(out);
    return gate;
}

enum { ZIPF, HEAVY, STEEP, PAIRS, SKEWS };

static uint32_t skewed_key(int kind, uint64_t r)
{
    const double u = (double)(r >> 11) / 9007199254740992.0;

    switch (kind) {
    case ZIPF:
        return (uint32_t)exp(u * 16.0);
    case HEAVY: /* half of them in 65536 of 2^32 values */
        return r & 1 ? DENSE | (uint32_t)(r >> 48) : (uint32_t)(r >> 32);
    case STEEP: /* to the 6th power */
        return (uint32_t)(pow(u, 6.0) * 4294967295.0);
    default: /* around 200 places, most of them close together */
        return (uint32_t)(pow((double)(r >> 56) / 256.0, 6.0) * 4294960000.0) + (uint32_t)(r & 3);
    }
}

/* ---- claims --------------------------------------------------------------------------------- */

static void skewed_keys_are_split_evenly(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);

    (void)state;
    assert_non_null(keys);
    for (int kind = 0; kind < SKEWS; kind++) {
        struct cw_random r = cw_random_from(cw_test_seed() + (unsigned)kind);
        struct seen s;

        for (uint32_t i = 0; i < N; i++)
            keys[i] = skewed_key(kind, cw_random_next(&r));
        s = sorted(keys);
        assert_int_equal(s.used, 1);
        assert_int_equal(s.wrong, 0);
        /* 16 of the sample a bin, or more: twice an even share is rare, and as much again is
         * what a table with little room gives away */
        if (s.longest > 6u * N / BINS)
            fail_msg("kind %d: %u of %u items in one bin (seed %llu)", kind, s.longest, N,
                     (unsigned long long)cw_test_seed());
    }
    free(keys);
}

/* Keys that are no part of the sample, beside its least and greatest key, which are frequent. */
static void keys_outside_the_sample_are_sorted(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);

    (void)state;
    assert_non_null(keys);
    for (uint32_t kind = 0; kind < 4; kind++) {
        struct cw_random r = cw_random_from(cw_test_seed() + kind);
        const uint32_t least = kind & 1 ? 1u : 3000u, most = kind & 2 ? UINT32_MAX - 1u : 90000u;

        for (uint32_t i = 0; i < N; i++) {
            const uint64_t x = cw_random_next(&r);
            const uint32_t y = skewed_key(ZIPF, cw_random_next(&r));

            keys[i] = x % 4 == 0 ? least : x % 4 == 1 ? most : least + y % (most - least);
        }
        for (uint32_t i = 0; i < 20; i++)
            keys[cw_random_below(&r, N)] = i & 1 ? least - 1u - i % least : most + 1u;
        assert_int_equal(sorted(keys).used, 1);
    }
    free(keys);
}

/* A bin that had both would be split by a digit that puts all of the former into one bin.  The sample
 * may have too few words to see that, or none at the very end; uncut, six arrays would have six even
 * shares. */
static void dense_ranges_have_bins_of_their_own(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);
    uint32_t strays = 0;

    (void)state;
    assert_non_null(keys);
    for (unsigned k = 0; k < (CW_SANITIZED ? 2 : 6); k++) {
        struct cw_random r = cw_random_from(cw_test_seed() + k);
        struct seen s;

        for (uint32_t i = 0; i < N; i++)
            keys[i] = skewed_key(HEAVY, cw_random_next(&r));
        s = sorted(keys);
        assert_int_equal(s.used, 1);
        strays += s.strays;
    }
    if (strays > 2u * N / BINS)
        fail_msg("%u of %u items (seed %llu)", strays, 6u * N, (unsigned long long)cw_test_seed());
    free(keys);
}

/* More of them, far from the ends of bins, than there may be cuts: some bins are left whole. */
static void more_dense_ranges_than_cuts_do_no_harm(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);
    struct cw_random r = cw_random_from(cw_test_seed());
    struct seen s;

    (void)state;
    assert_non_null(keys);
    for (uint32_t i = 0; i < N; i++) {
        const uint64_t x = cw_random_next(&r);
        const uint32_t part = (uint32_t)(x % 100u);

        keys[i] = part < 40u   ? DENSE | (uint32_t)(x >> 48)
                  : part < 56u ? part * 0x04000000u + 0x01234567u + (uint32_t)(x >> 54)
                               : (uint32_t)(x >> 32);
    }
    s = sorted(keys);
    assert_int_equal(s.used, 1);
    assert_int_equal(s.wrong, 0);
    assert_in_range(s.longest, 1, N / 25u);
    free(keys);
}

/* As 0 and -0 of floats are, beside a key that is far away. */
static void frequent_neighbours_have_bins_of_their_own(void **state)
{
    const uint32_t n = CW_FULL_SHAPES ? N : 15013, far = CW_FULL_SHAPES ? 0x7fc00001u : 1u << 26;
    uint32_t *const keys = (uint32_t *)malloc(n * sizeof *keys);
    struct cw_random r = cw_random_from(cw_test_seed());
    struct seen s;

    (void)state;
    assert_non_null(keys);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)cw_random_below(&r, 9);

        keys[i] = 0x71234567u + (x ? x % 2u : far);
    }
    s = sorted_in(keys, n, 0);
    assert_int_equal(s.used, 1);
    assert_true(s.longest < n / 20u);
    free(keys);
}

/* Few values, in a short array, whose bins cannot be split again: one key each, copied by several blocks. */
static void few_values_are_split_in_one_pass(void **state)
{
    static const uint32_t values[][4] = {
        {7, 7, 7, 0x80000000u}, {0, 1, 2, 3}, {5, 0x12345678u, 0x12345679u, 0xf0000000u}};
    const uint32_t n = 15013;
    uint32_t *const keys = (uint32_t *)malloc(n * sizeof *keys);
    struct cw_random r = cw_random_from(cw_test_seed());

    (void)state;
    assert_non_null(keys);
    for (int kind = 0; kind < 3 && !CW_FULL_SHAPES; kind++) {
        struct seen s;

        for (uint32_t i = 0; i < n; i++)
            keys[i] = values[kind][cw_random_below(&r, 4)];
        s = sorted_in(keys, n, 1);
        assert_int_equal(s.used, 1);
        if (kind == 0) /* of the value that three of four have */
            assert_true(s.medium > 2);
    }
    free(keys);
}

/* By digits of the sample's range, for which some keys, too rare for the sample, are too small or too
 * large.  (A sample that has one of these sees a skewed array.) */
static void narrow_ranges_are_split_at_once(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);
    struct cw_random r = cw_random_from(cw_test_seed());
    uint32_t open = 0;

    (void)state;
    assert_non_null(keys);
    for (uint32_t kind = 0; kind < 12 && !CW_FULL_SHAPES; kind += CW_SANITIZED ? 5 : 1) {
        const uint32_t passes = (kind / 4u + 1u) % 3u; /* 0: a longer array, of several */
        const uint32_t n = passes ? 15013u : N, range = kind % 4u < 2u ? 65536u : 3000u;
        const uint32_t least = kind % 2u ? 0x12345678u : 1u;
        struct seen s;

        for (uint32_t i = 0; i < n; i++)
            keys[i] = least + (uint32_t)cw_random_below(&r, range);
        keys[cw_random_below(&r, n)] = 0;
        keys[cw_random_below(&r, n)] = UINT32_MAX - kind % 2u;
        s = sorted_in(keys, n, passes);
        assert_true(s.open || s.used);
        open += s.open;
        if (s.open && s.fullest > n / 8u)
            fail_msg("%u of %u items in a bin (kind %u, seed %llu)", s.fullest, n, kind,
                     (unsigned long long)cw_test_seed());
    }
    assert_true(CW_FULL_SHAPES || open >= (CW_SANITIZED ? 1u : 6u));
    free(keys);
}

/* Pairs have no tree.  Those that linear digits do not suit go to another method. */
static void skewed_pairs_are_left(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);

    (void)state;
    assert_non_null(keys);
    for (int kind = 0; kind < 2 * (SKEWS + 1); kind += CW_SANITIZED ? 3 : 1) {
        struct cw_random r = cw_random_from(cw_test_seed() + (unsigned)kind);
        const int skew = kind / 2, stable = kind % 2;

        for (uint32_t i = 0; i < N; i++)
            keys[i] = skew < SKEWS ? skewed_key(skew, cw_random_next(&r))
                                   : (uint32_t)(cw_random_next(&r) >> 32);
        if (pairs_are_left(keys, stable) != (skew < SKEWS))
            fail_msg("kind %d, stable %d (seed %llu)", skew, stable,
                     (unsigned long long)cw_test_seed());
    }
    free(keys);
}

static void even_keys_and_equal_keys_have_no_tree(void **state)
{
    uint32_t *const keys = (uint32_t *)malloc(N * sizeof *keys);
    struct cw_random r = cw_random_from(cw_test_seed());

    (void)state;
    assert_non_null(keys);
    for (int kind = 0; kind < 3; kind++) {
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t x = (uint32_t)cw_random_next(&r);

            keys[i] = kind == 0 ? x : kind == 1 ? x >> 16 | 0xabcd0000u : 12345u;
        }
        assert_int_equal(sorted(keys).used, 0);
    }
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skewed_keys_are_split_evenly),
        cmocka_unit_test(keys_outside_the_sample_are_sorted),
        cmocka_unit_test(dense_ranges_have_bins_of_their_own),
        cmocka_unit_test(more_dense_ranges_than_cuts_do_no_harm),
        cmocka_unit_test(frequent_neighbours_have_bins_of_their_own),
        cmocka_unit_test(few_values_are_split_in_one_pass),
        cmocka_unit_test(narrow_ranges_are_split_at_once),
        cmocka_unit_test(skewed_pairs_are_left),
        cmocka_unit_test(even_keys_and_equal_keys_have_no_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
