/* test_sort_leave.c - long bins that blocks find at the same time all count when an array may be left (sort/radix/leave.h).
 *
 * Two buckets of the second pass are classified by two blocks, and both have such a bin.  That one of two counts is lost
 * would be seen in few orders of blocks; the emulator names it in any, as a race.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "sort/radix/job.h"
#include "sort/radix/plan.h"
#include "test.h"

#define N    72000u
#define WIDE (1u << 26) /* one of 64 bins of the first pass */
#define LOW  0x18000000u
#define HIGH 0x58000000u
#define FEW  512u /* sampled keys (tuning/sort_radix.h) */

struct seen {
    uint32_t buckets, left; /* of the second pass; what its blocks have added up */
};

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct seen *const s = (struct seen *)user;
    const struct radix_job *const j = (const struct radix_job *)l->arg;

    (void)e;
    if (l->kernel == CW_KERNEL_cw_sort_radix_p32_classify && j->pass == 1u && !s->buckets) {
        s->buckets = j->state->pass[1].buckets;
        s->left = j->state->left;
    }
}

/* As splitters/sample.h has it. */
static uint64_t drawn(uint64_t seed, uint32_t i)
{
    uint64_t x = (seed + i) * UINT64_C(0xbf58476d1ce4e5b9);

    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return x >> 32;
}

/* Every other key is of the lower bucket.  Of each bucket about `close` keys are close together, the others even.  Keys
 * that the sample looks at are even in all: it sees no crowd. */
static void fill(uint32_t *keys, uint32_t close, uint64_t seed)
{
    struct cw_random r = cw_random_from(cw_test_seed());

    for (uint32_t i = 0; i < N; i++) {
        const uint32_t x = (uint32_t)cw_random_next(&r);
        const uint32_t offset = i / 2u < close ? WIDE / 2u + (x & 4095u) : x % WIDE;

        keys[i] = (i % 2u ? HIGH : LOW) + offset;
    }
    for (uint32_t i = 0; i < FEW; i++) { /* and its neighbour */
        const uint32_t at = N / FEW * i + (uint32_t)(N / FEW * drawn(seed, i) >> 32);

        keys[at] = (uint32_t)cw_random_next(&r);
        keys[at + 1u] = (uint32_t)cw_random_next(&r);
    }
}

static int less(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Returns whether the array was left; if not, it is sorted. */
static uint32_t sort(uint32_t close, struct seen *s)
{
    uint32_t *const keys = (uint32_t *)malloc(3u * N * sizeof *keys);
    uint32_t *const out = keys + N, *const values = out + N;
    uint32_t gate = 7;
    const struct radix_task task = {.n = N,
                                    .in = keys,
                                    .in_values = keys,
                                    .out = out,
                                    .out_values = values,
                                    .gate = &gate,
                                    .map = cw_key_map_of(CW_U32, 0, 0)};
    struct cw_emulated_queue q;
    struct radix_table table;
    void *workspace;
    size_t bytes;

    assert_non_null(keys);
    fill(keys, close, cw_test_seed());
    memset(&table, 0, sizeof table);
    cw_sort_radix_p32_passes_tiny(&table);
    cw_sort_radix_p32_rows_tiny(&table);
    table.drain_least = 2u * N; /* lists are not worked off early */
    table.bins = 80;            /* rows of 1024, though the array is long for such kernels */
    bytes = (size_t)cw_radix_bytes(&table, N);
    workspace = aligned_alloc(256, bytes);
    assert_non_null(workspace);
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = s;
    q.queue.seed = cw_test_seed();
    cw_queue_buffer(&q.queue, keys, 4u * N, 0);
    cw_queue_buffer(&q.queue, out, 8u * N, 1);
    cw_queue_buffer(&q.queue, &gate, sizeof gate, 1);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    if (cw_radix_enqueue(&q.queue, &table, &task, workspace))
        fail_msg("%s", cw_last_error());
    qsort(keys, N, sizeof *keys, less);
    if (!gate && (memcmp(keys, out, 4u * N) || memcmp(keys, values, 4u * N)))
        fail_msg("%u close keys: wrong, seed %llu", close, (unsigned long long)cw_test_seed());
    free(workspace);
    free(keys);
    return gate;
}

/* A bin is no eighth of its bucket: an eighth of its items counts. */
static void bins_of_two_blocks_are_added_up(void **state)
{
    struct seen s = {0, 0};

    (void)state;
    assert_int_equal(sort(3520, &s), 0);
    assert_int_equal(s.buckets, 2);
    assert_in_range(s.left, 2 * 4097 / 8, 2 * 4500 / 8);
}

/* It is nearly all: both say that the array is to be left. */
static void bins_of_which_one_is_enough_agree(void **state)
{
    struct seen s = {0, 0};

    (void)state;
    assert_int_equal(sort(20000, &s), 1);
    assert_int_equal(s.buckets, 2);
    assert_int_equal(s.left, 1u << 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_of_two_blocks_are_added_up),
        cmocka_unit_test(bins_of_which_one_is_enough_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
