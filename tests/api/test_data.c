/* Data by name: what the name promises, and that the adversaries do collide.
 *
 * Conflicts are counted on the host: the merge and the scatter that the adversaries are made
 * against are followed here, thread by thread, and each request is priced by wavefronts.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/adversary.h"
#include "inputs/data.h"
#include "machine/wavefronts.h"
#include "test.h"
#include "values.h"

#define N 5003u

static int by_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int by_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* ---- what the names promise ----------------------------------------------------------------- */

static size_t distinct(const void *keys, size_t n, size_t bytes)
{
    uint64_t *const all = (uint64_t *)malloc(n * sizeof *all);
    size_t count = n > 0;

    assert_non_null(all);
    for (size_t i = 0; i < n; i++)
        all[i] = cw_item(keys, i, bytes);
    qsort(all, n, sizeof *all, by_u64);
    for (size_t i = 1; i < n; i++)
        count += all[i] != all[i - 1];
    free(all);
    return count;
}

static void check_kind(enum cw_data kind, cw_type type, const void *keys, uint64_t seed)
{
    const size_t bytes = cw_type_bytes(type), half = bytes * 4 < 16 ? bytes * 4 : 16;
    const size_t values = distinct(keys, N, bytes);
    size_t rises = 0, falls = 0, nans = 0, top = 0, low = 0, same = 0;

    for (size_t i = 0; i < N; i++) {
        const uint64_t x = cw_item(keys, i, bytes), first = cw_item(keys, 0, bytes);
        const uint64_t before = cw_item(keys, i ? i - 1 : 0, bytes);

        nans += isnan(cw_value_of(type, x)) != 0;
        rises += cw_value_before(cw_value_of(type, before), cw_value_of(type, x), 0) != 0;
        falls += cw_value_before(cw_value_of(type, x), cw_value_of(type, before), 0) != 0;
        top += x >> (8 * bytes - half) == first >> (8 * bytes - half);
        low += (x ^ first) << (64 - half) == 0;
        same += x == before;
    }
    if (kind == CW_DATA_NAN ? nans < N / 16 || nans > N / 4 : nans > 0)
        fail_msg("%s of %s has %zu NaNs, seed %llu", cw_data_names[kind], cw_type_name(type), nans,
                 (unsigned long long)seed);
    assert_true(kind != CW_DATA_SORTED || (!falls && rises + 1 == values));
    assert_true(kind != CW_DATA_REVERSE || (!rises && falls + 1 == values));
    assert_true(kind != CW_DATA_EQUAL || values == 1);
    assert_true(kind != CW_DATA_TWO || values == 2);
    assert_true(kind != CW_DATA_FEW || (values <= 16 && values > 8));
    assert_true(kind != CW_DATA_ZIPF || (values < N && values > 100));
    assert_true(kind != CW_DATA_HEAVY || (same > N / 8 && same < N / 2));
    assert_true(kind != CW_DATA_TOP_EQUAL || (top == N && values > 1));
    assert_true(kind != CW_DATA_LOW_EQUAL || (low == N && values > 1));
    assert_true(kind != CW_DATA_UNIFORM || values > (bytes == 1 ? 250 : N / 2));
}

static void every_kind_is_what_its_name_says(void **state)
{
    const uint64_t seed = cw_test_seed();
    uint64_t keys[N], again[N];

    (void)state;
    for (int kind = 0; kind < CW_DATA_COUNT; kind++) {
        for (int t = 0; t < CW_TYPE_COUNT; t++) {
            const cw_type type = (cw_type)t;
            const int refused = (kind == CW_DATA_NAN && !cw_is_float(type)) ||
                                (kind == CW_DATA_MERGE && cw_type_bytes(type) == 1);
            const cw_status status = cw_data_make((enum cw_data)kind, type, N, seed, keys);

            assert_int_equal(status, refused ? CW_ERR_TYPE : CW_OK);
            if (refused)
                continue;
            check_kind((enum cw_data)kind, type, keys, seed);
            assert_int_equal(cw_data_make((enum cw_data)kind, type, N, seed, again), CW_OK);
            assert_memory_equal(keys, again, N * cw_type_bytes(type));
            assert_int_equal(cw_data_make((enum cw_data)kind, type, 0, seed, NULL), CW_OK);
            assert_int_equal(cw_data_make((enum cw_data)kind, type, 1, seed, again), CW_OK);
        }
    }
}

/* Every value of a small type once, and no more. */
static void merges_have_as_many_keys_as_the_type_has_values(void **state)
{
    static uint8_t keys[257];
    int seen[256] = {0};

    (void)state;
    assert_int_equal(cw_data_make(CW_DATA_MERGE, CW_U8, 256, cw_test_seed(), keys), CW_OK);
    for (int i = 0; i < 256; i++)
        assert_int_equal(seen[keys[i]]++, 0);
    assert_int_equal(cw_data_make(CW_DATA_MERGE, CW_U8, 257, 1, keys), CW_ERR_TYPE);
}

/* Keys that a sample sees are 0, in the next round 1; all others are random, above 2^63. */
static void an_adversary_of_samples_sets_what_they_see(void **state)
{
    static uint64_t keys[100000];
    size_t set[2] = {0, 0}, others = 0;

    (void)state;
    assert_int_equal(cw_adversary_sort(cw_test_seed(), COUNT(keys), 2, keys), CW_OK);
    for (size_t i = 0; i < COUNT(keys); i++) {
        if (keys[i] < 2)
            set[keys[i]]++;
        else
            others += keys[i] >> 63;
    }
    assert_int_equal(set[0] + set[1] + others, COUNT(keys));
    assert_in_range(set[0], 1, COUNT(keys) / 8);
    assert_in_range(set[1], 1, COUNT(keys) / 8);
}

static void what_is_no_kind_type_or_shape_is_refused(void **state)
{
    const struct cw_adversary wide = {65, 0}, flat = {0, 1000};
    uint32_t x;

    (void)state;
    assert_int_equal(cw_data_make(CW_DATA_COUNT, CW_U32, 1, 1, &x), CW_ERR_ARGUMENT);
    assert_int_equal(cw_data_make(CW_DATA_UNIFORM, CW_TYPE_COUNT, 1, 1, &x), CW_ERR_TYPE);
    assert_int_equal(cw_data_make_against(CW_DATA_MERGE, CW_U32, 1, 1, &wide, &x), CW_ERR_ARGUMENT);
    assert_int_equal(cw_data_make_against(CW_DATA_RADIX, CW_U32, 1, 1, &flat, &x), CW_ERR_ARGUMENT);
}

/* ---- merge ---------------------------------------------------------------------------------- */

/* How many of the first `diagonal` merged keys come from the first run. */
static uint64_t path(const uint32_t *a, const uint32_t *b, uint64_t half, uint64_t diagonal)
{
    uint64_t low = diagonal > half ? diagonal - half : 0, high = diagonal < half ? diagonal : half;

    while (low < high) {
        const uint64_t middle = (low + high) / 2;

        if (a[middle] < b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The reads of one warp that merges 32 x e keys from diagonal `from` on; run a lies from bank 0 on
 * in shared memory, and run b too. */
static uint64_t warp_wavefronts(const uint32_t *a, const uint32_t *b, uint64_t half, uint64_t from,
                                uint32_t e)
{
    uint64_t ia[32], ib[32], sum = 0;

    for (uint32_t t = 0; t < 32; t++) {
        ia[t] = path(a, b, half, from + (uint64_t)t * e);
        ib[t] = from + (uint64_t)t * e - ia[t];
    }
    for (uint32_t j = 0; j < e; j++) {
        struct cw_request r = {.bytes = 4, .lanes = UINT32_MAX};
        uint32_t ideal;

        for (uint32_t t = 0; t < 32; t++) {
            const int second = ia[t] == half || (ib[t] < half && b[ib[t]] < a[ia[t]]);

            r.at[t] = 4 * (uint32_t)(second ? half + ++ib[t] : ++ia[t]);
        }
        sum += cw_wavefronts(&r, &ideal);
    }
    return sum;
}

/* Wavefronts a request of every merge of runs of `run` keys and longer, in n keys. */
static double merge_wavefronts(uint32_t *keys, uint64_t n, uint64_t run, uint32_t e, double *least)
{
    uint64_t requests = 0, sum = 0;

    *least = 1e9;
    for (uint64_t x = 0; x < n; x += run)
        qsort(keys + x, run, sizeof *keys, by_u32);
    for (uint64_t half = run; half < n; half *= 2) {
        uint64_t level = 0, count = 0;

        for (uint64_t x = 0; x < n; x += 2 * half) {
            for (uint64_t from = 0; from < 2 * half; from += 32 * e) {
                level += warp_wavefronts(keys + x, keys + x + half, half, from, e);
                count += e;
            }
        }
        for (uint64_t x = 0; x < n; x += 2 * half)
            qsort(keys + x, 2 * half, sizeof *keys, by_u32);
        if ((double)level / (double)count < *least)
            *least = (double)level / (double)count;
        sum += level;
        requests += count;
    }
    return (double)sum / (double)requests;
}

static void adversarial_merge_collides_in_every_large_merge(void **state)
{
    static const uint32_t items[] = {17, 15, 16, 11, 7};
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        const uint32_t e = items[k], run = 32 * e;
        const size_t n = (size_t)run * 16;
        const struct cw_adversary a = {e, 0};
        uint32_t *const keys = (uint32_t *)malloc(n * sizeof *keys);
        double hard, easy, least, any;

        assert_non_null(keys);
        assert_int_equal(cw_data_make_against(CW_DATA_MERGE, CW_U32, n, seed, &a, keys), CW_OK);
        assert_int_equal(distinct(keys, n, 4), n);
        hard = merge_wavefronts(keys, n, run, e, &least);
        assert_int_equal(cw_data_make(CW_DATA_UNIFORM, CW_U32, n, seed, keys), CW_OK);
        easy = merge_wavefronts(keys, n, run, e, &any);
        printf("E = %u: %.2f wavefronts a request (at least %.2f), uniform %.2f\n", e, hard, least,
               easy);
        if (least < 0.9 * e || easy > 0.5 * least)
            fail_msg("E = %u: %.2f wavefronts, uniform %.2f, seed %llu", e, least, easy,
                     (unsigned long long)seed);
        free(keys);
    }
}

static void a_warp_aligns_as_many_reads_as_a_bank_has_words(void **state)
{
    uint8_t from[32 * 17];
    uint32_t second = 0;

    (void)state;
    assert_int_equal(cw_adversary_warp(32, 17, 9 * 32, from), 17 * 17 - 1);
    for (uint32_t x = 0; x < 32 * 17; x++)
        second += from[x];
    assert_int_equal(second, 8 * 32);
    assert_int_equal(cw_adversary_warp(32, 17, 8 * 32, from), 17 * 17 - 1);
    assert_int_equal(cw_adversary_warp(32, 15, 8 * 32, from), 15 * 15);
    assert_int_equal(cw_adversary_warp(16, 8, 4 * 16, from), 8 * 8);
}

/* ---- radix ---------------------------------------------------------------------------------- */

/* Wavefronts a request when tiles are scattered by a digit; then the keys in that order. */
static double scatter_wavefronts(uint32_t *keys, uint32_t *other, size_t n, uint32_t tile,
                                 uint32_t shift)
{
    size_t begin[257] = {0};
    uint64_t sum = 0, requests = 0;

    for (size_t at = 0; at + tile <= n; at += tile) {
        uint32_t place[257] = {0};

        for (uint32_t i = 0; i < tile; i++)
            place[(keys[at + i] >> shift & 255) + 1]++;
        for (uint32_t d = 0; d < 256; d++)
            place[d + 1] += place[d];
        for (uint32_t i = 0; i < tile; i += 32, requests++) {
            struct cw_request r = {.bytes = 4, .write = 1, .lanes = UINT32_MAX};
            uint32_t ideal;

            for (uint32_t t = 0; t < 32; t++)
                r.at[t] = 4 * place[keys[at + i + t] >> shift & 255]++;
            sum += cw_wavefronts(&r, &ideal);
        }
    }
    for (size_t i = 0; i < n; i++)
        begin[(keys[i] >> shift & 255) + 1]++;
    for (uint32_t d = 0; d < 256; d++)
        begin[d + 1] += begin[d];
    for (size_t i = 0; i < n; i++)
        other[begin[keys[i] >> shift & 255]++] = keys[i];
    memcpy(keys, other, n * sizeof *keys);
    return (double)sum / (double)requests;
}

static void adversarial_radix_collides_in_every_pass(void **state)
{
    static const uint32_t tiles[] = {8832, 4096, 7680};
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const struct cw_adversary a = {0, tiles[k]};
        const size_t n = (size_t)tiles[k] * 12 + 77;
        uint32_t *const hard = (uint32_t *)malloc(n * sizeof *hard);
        uint32_t *const easy = (uint32_t *)malloc(n * sizeof *easy);
        uint32_t *const other = (uint32_t *)malloc(n * sizeof *other);

        assert_true(hard && easy && other);
        assert_int_equal(cw_data_make_against(CW_DATA_RADIX, CW_U32, n, seed, &a, hard), CW_OK);
        assert_int_equal(cw_data_make(CW_DATA_UNIFORM, CW_U32, n, seed, easy), CW_OK);
        for (uint32_t shift = 0; shift < 32; shift += 8) {
            const double x = scatter_wavefronts(hard, other, n, tiles[k], shift);
            const double y = scatter_wavefronts(easy, other, n, tiles[k], shift);

            printf("tile %u, bit %u: %.2f wavefronts a request, uniform %.2f\n", tiles[k], shift, x,
                   y);
            if (x < 25 || y > 5)
                fail_msg("tile %u, bit %u: %.2f wavefronts, uniform %.2f, seed %llu", tiles[k],
                         shift, x, y, (unsigned long long)seed);
        }
        free(hard);
        free(easy);
        free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_what_its_name_says),
        cmocka_unit_test(merges_have_as_many_keys_as_the_type_has_values),
        cmocka_unit_test(an_adversary_of_samples_sets_what_they_see),
        cmocka_unit_test(what_is_no_kind_type_or_shape_is_refused),
        cmocka_unit_test(a_warp_aligns_as_many_reads_as_a_bank_has_words),
        cmocka_unit_test(adversarial_merge_collides_in_every_large_merge),
        cmocka_unit_test(adversarial_radix_collides_in_every_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
