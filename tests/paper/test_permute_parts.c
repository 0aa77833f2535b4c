/* test_permute_parts.c - the parts of theorem 4's permutation, each by itself: agreeing on
 * counts, sharing a hash function, and the paper's finishing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int mutant;
#define PERMUTE_MUTANT mutant

#include "permute_part.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- agreeing ------------------------------------------------------------- */

static void agree_body(struct cw_model *s, const void *arg)
{
    const struct part *x = (const struct part *)arg;
    const permuter e = permuter_of(s, &x->job);

    x->result[e.me] = sync_counts(s, e, x->count[e.me]);
}

static void all_rows_agree_on_sum_and_maximum(void **state)
{
    uint64_t random = 0;

    (void)state;
    for (uint32_t w = 1; w <= 130; w++) {
        uint64_t steps = 1, sum = 0, most = 0;
        int count[130];
        struct part x;

        part_open(&x, w, 1);
        x.count = count;
        for (uint32_t p = 0; p < w; p++) {
            count[p] = (int)random_below(&random, 1000);
            sum += (uint64_t)count[p];
            most = most < (uint64_t)count[p] ? (uint64_t)count[p] : most;
        }
        for (uint32_t b = w; b; b /= 2)
            steps += (b & 1) + (b > 1 ? 2 : 0);
        assert_int_equal(part_run(&x, agree_body), steps);
        for (uint32_t p = 0; p < w; p++)
            assert_int_equal(x.result[p], most << 32 | sum);
        part_close(&x);
    }
}

/* ---- sharing -------------------------------------------------------------- */

/* result: how many of the row's words are not those that row 0 drew. */
static void share_body(struct cw_model *s, const void *arg)
{
    struct part *x = (struct part *)arg;
    permuter e = permuter_of(s, &x->job);
    dice d = {5, 0};
    const dice again = {5, 0};

    e.hash = (int)x->spare;
    e.relay = e.hash + x->shape.words;
    hash_share(s, e, x->shape, &d);
    for (int j = 0; j < x->shape.words; j++)
        x->result[e.me] += cw_model_at(s, (uint32_t)e.me, (uint32_t)(e.hash + j))[0] !=
                           draw_hash_word(x->shape, &again, j);
    if (e.me == 0)
        x->drawn = d.drawn;
}

/* S words to w rows, for all of S < w, S = w, S > w, S dividing w or not. */
static void every_row_gets_every_hash_word(void **state)
{
    (void)state;
    for (uint32_t w = 1; w <= 24; w++) {
        for (int words = 1; words <= 60; words++) {
            const int rows = (int)w, turns = (words + rows - 1) / rows;
            uint64_t steps = (uint64_t)turns; /* to draw */
            struct part x;

            part_open(&x, w, 1);
            x.shape = hash_shape_of(HASH_WORDS, rows, words);
            for (int left = words; left > 0; left -= rows) {
                const int n = left < rows ? left : rows;
                uint64_t some = (uint64_t)(n + rows % n);

                for (int cur = n; cur < rows; cur *= 2)
                    some++;
                steps += 2 * (some < w ? some : w);
            }
            assert_int_equal(share_steps(words, rows), steps);
            assert_int_equal(part_run(&x, share_body), steps);
            assert_int_equal(x.drawn, words);
            for (uint32_t p = 0; p < w; p++)
                assert_int_equal(x.result[p], 0);
            part_close(&x);
        }
    }
}

/* result: a digest of h(0), .., h(w - 1) as this row computes them; 0 if one is not in [m]. */
static void evaluate_body(struct cw_model *s, const void *arg)
{
    const struct part *x = (const struct part *)arg;
    const permuter e = permuter_of(s, &x->job);
    word digest = 1;
    int outside = 0;
    dice d = {9, 0};
    hash h;

    hash_share(s, e, x->shape, &d);
    h = hash_load(s, e, x->shape);
    for (int i = 0; i < e.w; i++) {
        const int y = hash_at(s, &h, i);

        digest = mix_word(digest + (word)y);
        outside |= y < 0 || y >= e.m;
    }
    x->result[e.me] = outside ? 0 : digest;
}

static void all_rows_compute_the_same_hash(void **state)
{
    static const uint32_t shapes[][2] = {{1, 1},  {1, 16},  {5, 1},   {33, 8},    {100, 7},
                                         {48, 2}, {37, 50}, {300, 3}, {16, 4096}, {2, 70000}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        for (int kind = CW_HASH_MIXER; kind <= CW_HASH_TABULATION; kind++) {
            const struct cw_model_config config = {shapes[k][0], shapes[k][1], 0, 0, 0};
            struct cw_options opt = {0};
            struct part x;

            opt.hash = (enum cw_hash)kind;
            memset(&x, 0, sizeof x);
            assert_int_equal(cw_job_make(&cw_alg_permute, &config, &opt, &x.job, &x.model), CW_OK);
            x.result = (word *)calloc(config.w, sizeof *x.result);
            assert_non_null(x.result);
            x.shape = hash_shape_of(kind, (int)config.w, (int)config.m);
            part_run(&x, evaluate_body);
            assert_true(x.result[0] != 0);
            for (uint32_t p = 1; p < config.w; p++)
                assert_int_equal(x.result[p], x.result[0]);
            part_close(&x);
        }
    }
}

/* Few words of a function are 0 by chance; a table that nobody drew would be all 0. */
static void all_of_a_hash_is_random(void **state)
{
    static const int shapes[][2] = {{16, 64}, {37, 50}, {100, 1000}, {16, 4096}, {2, 1500000}};
    const dice d = {9, 0};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        for (int kind = CW_HASH_MIXER; kind <= CW_HASH_TABULATION; kind++) {
            const hash_shape f = hash_shape_of(kind, shapes[k][0], shapes[k][1]);
            const int ends[] = {f.z, f.table, f.table2, f.words};
            int from = 0;

            for (size_t part = 0; part < COUNT(ends); part++) {
                const int end = ends[part] < from + 4000 ? ends[part] : from + 4000;
                int zeros = 0;

                for (int j = from; j < end; j++)
                    zeros += draw_hash_word(f, &d, j) == 0;
                assert_true(4 * zeros <= end - from);
                from = ends[part] > from ? ends[part] : from;
            }
        }
    }
}

/* a*x + c mod 2^61 - 1, bit by bit. */
static word slow_step(word a, word x, word c)
{
    word r = c;

    for (int b = 0; b < 31; b++) {
        if (x >> b & 1)
            r = (r + a) % FIELD61;
        a = 2 * a % FIELD61;
    }
    return r;
}

static void field_steps_are_those_of_the_field(void **state)
{
    uint64_t random = 0;

    (void)state;
    for (int k = 0; k < 2000; k++) {
        const word a = k % 7 ? random_word(1, random++) % FIELD61 : FIELD61 - 1;
        const word c = k % 5 ? random_word(1, random++) % FIELD61 : FIELD61 - 1;
        const word x = k % 3 ? random_word(1, random++) >> 33 : 0x7fffffff;

        assert_int_equal(field_step(a, x, c), slow_step(a, x, c));
    }
}

/* ---- finishing ------------------------------------------------------------ */

static void shares_are_those_of_the_logarithm(void **state)
{
    (void)state;
    assert_int_equal(cubic_share(1 << 20, 1 << 12, 1 << 4, 0), (1 << 20) / 27);
    assert_int_equal(cubic_share(1 << 20, 1 << 12, 1 << 4, 1), (1 << 20) / 27 + 1);
    assert_int_equal(cubic_share(1000, 32, 32, 0), 1000);
    assert_int_equal(cubic_share(1000, 1, 7, 0), 1000);
    assert_int_equal(cubic_share(1000, 7, 1, 0), 0);
    for (int x = 1; x < 1 << 20; x += 1 + x / 9) {
        assert_true(log_64(x) <= 64 * log2(x) + 1e-6);
        assert_true(log_64(x) > 64 * log2(x) - 1.001);
    }
}

/* cap = 2 ceil(m / log_m^3 w): a row is narrow up to twice the mean that packing begins with, so
 * half of the rows are at least. */
static void the_cap_is_twice_the_mean(void **state)
{
    static const int shapes[][3] = {{1 << 12, 1 << 4, 2},
                                    {1 << 16, 1 << 8, 64},
                                    {1 << 18, 1 << 9, 128},
                                    {1 << 15, 1 << 5, 4},
                                    {32, 32, 64}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        const packing p = packing_of(shapes[k][0], shapes[k][1]);
        const int lg = bits_for(shapes[k][0]);

        assert_int_equal(p.cap, shapes[k][2]);
        assert_true((long long)p.cap * shapes[k][0] >=
                    2LL * cubic_share(shapes[k][0] * shapes[k][1], shapes[k][0], shapes[k][1], 0));
        assert_int_equal(p.shifts, lg * lg < shapes[k][1] ? lg * lg : shapes[k][1]);
        assert_int_equal(p.push, (2 * shapes[k][1] + p.shifts - 1) / p.shifts);
    }
}

/* One pass over the shifts, on rows of which the first and every fifth are full. */
static void pass_body(struct cw_model *s, const void *arg)
{
    struct part *x = (struct part *)arg;
    const permuter e = permuter_of(s, &x->job);
    dice d = {x->job.opt.seed, 0};

    x->result[e.me] = (word)pack_pass(s, e, packing_of(e.w, e.m), &d, x->count[e.me]);
}

/* In a pass no label is lost, a narrow row takes labels once, so at most `push`, and a wide row
 * takes none. */
static void a_row_takes_labels_once_a_pass(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const uint32_t w = 60 + 7 * (uint32_t)seed, m = 24;
        const packing p = packing_of((int)w, (int)m);
        int count[256], before = 0, after = 0, given = 0;
        struct part x;

        part_open(&x, w, m);
        for (uint32_t r = 0; r < w; r++)
            before += count[r] = r % 5 ? 1 : (int)m;
        x.count = count;
        x.job.opt.seed = seed;
        (void)part_run(&x, pass_body);
        for (uint32_t r = 0; r < w; r++) {
            const int now = (int)x.result[r];

            after += now;
            given += now > count[r];
            assert_true(now <= count[r] + (count[r] > p.cap ? 0 : p.push));
            assert_true(count[r] > p.cap || now >= count[r]);
        }
        assert_int_equal(after, before);
        assert_true(given > 0);
        part_close(&x);
    }
}

static void finish_body(struct cw_model *s, const void *arg)
{
    struct part *x = (struct part *)arg;
    const permuter e = permuter_of(s, &x->job);
    dice d = {x->job.opt.seed, 0};

    for (int k = 0; k < x->count[e.me]; k++) {
        const word y = bank_read(s, e.me, k);

        bank_write(s, e.me, e.items + k, y);
    }
    permute_finish(s, e, &d, e.m, x->count[e.me], x->left, x->most, (int)x->job.opt.ways);
    if (e.me == 0)
        x->drawn = d.drawn;
}

/* Row p has count[p] of the labels; deliver them.  CW_ERR_INTERNAL: not in place. */
static cw_status finish_run(struct part *x, const int *count, const uint32_t *labels)
{
    const uint32_t m = x->job.m;
    cw_status status;

    x->count = count;
    x->left = x->most = 0;
    for (uint32_t p = 0; p < x->job.w; p++) {
        for (int k = 0; k < count[p]; k++, x->left++)
            *cw_model_at(x->model, p, (uint32_t)k) = CW_ITEM(labels[x->left], (uint32_t)x->left);
        x->most = x->most < count[p] ? count[p] : x->most;
    }
    status = cw_model_run(x->model, finish_body, x);
    for (int i = 0; !status && i < x->left; i++)
        if (*cw_model_at(x->model, labels[i] / m, labels[i] % m) != CW_ITEM(labels[i], i))
            status = CW_ERR_INTERNAL;
    return status;
}

/* Labels in any order. */
static uint32_t *shuffled_labels(uint32_t n, uint64_t *random)
{
    uint32_t *labels = (uint32_t *)malloc(n * sizeof *labels);

    assert_non_null(labels);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = random_below(random, i + 1);

        labels[i] = labels[j];
        labels[j] = i;
    }
    return labels;
}

/* A twentieth of the rows kept all their labels, the others few: how the passes of
 * packing take the wide rows apart.  Returns the random words drawn. */
static cw_status finish_with_wide_rows(uint32_t w, uint32_t m, uint64_t seed, word *drawn)
{
    const int enough = cubic_share((int)(w * m), (int)w, (int)m, 0);
    uint32_t *labels = shuffled_labels(w * m, &seed);
    int count[1024], left = 0;
    cw_status status;
    struct part x;

    for (uint32_t p = 0; p < w; p++) {
        count[p] = random_below(&seed, 20) ? (int)random_below(&seed, 3) : (int)m;
        if (p == 0)
            count[p] = (int)m;
        if (left + count[p] > enough)
            count[p] = 0;
        left += count[p];
    }
    part_open(&x, w, m);
    x.job.opt.seed = seed;
    status = finish_run(&x, count, labels);
    *drawn = x.drawn;
    part_close(&x);
    free(labels);
    return status;
}

static const uint32_t tall[][2] = {{64, 16}, {100, 11}, {256, 32}, {300, 24}, {1024, 8}};

static void wide_rows_are_packed(void **state)
{
    (void)state;
    mutant = MUTANT_NONE;
    for (size_t k = 0; k < COUNT(tall); k++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            word drawn;

            if (finish_with_wide_rows(tall[k][0], tall[k][1], 1000 * seed, &drawn))
                fail_msg("%u x %u, seed %d: %s", tall[k][0], tall[k][1], (int)seed,
                         cw_last_error());
            assert_true(drawn > 0); /* at least one pass */
        }
    }
}

static void packing_both_ways_is_caught(void **state)
{
    word drawn;

    (void)state;
    for (size_t k = 0; k < COUNT(tall); k++) {
        mutant = MUTANT_PACK;
        assert_int_equal(finish_with_wide_rows(tall[k][0], tall[k][1], 1, &drawn), CW_ERR_CONFLICT);
        assert_non_null(strstr(cw_last_error(), "permute_finish.h"));
        mutant = MUTANT_NONE;
    }
}

/* Sorted, rows 0 .. w - 1 hold m/2 labels each: row i's lie in rows 2i and 2i + 1 (or, if
 * m is odd, in two or three that are shared). */
static cw_status finish_half_full(uint32_t w, uint32_t m, uint64_t seed)
{
    uint32_t *labels = shuffled_labels(w * m, &seed);
    uint32_t kept = 0;
    int count[256];
    cw_status status;
    struct part x;

    for (uint32_t i = 0; i < w * m; i++) /* those of the upper half of the rows */
        if (labels[i] / m < w / 2)
            labels[kept++] = labels[i];
    for (uint32_t p = 0; p < w; p++)
        count[p] = (int)(kept * (p + 1) / w - kept * p / w);
    part_open(&x, w, m);
    status = finish_run(&x, count, labels);
    part_close(&x);
    free(labels);
    return status;
}

static void rows_that_several_rows_send_to_are_filled(void **state)
{
    (void)state;
    mutant = MUTANT_NONE;
    for (uint32_t w = 2; w <= 40; w += 3)
        for (uint32_t m = 2; m <= 24; m += 5)
            if (finish_half_full(w, m, w + m))
                fail_msg("%u x %u: %s", w, m, cw_last_error());
}

static void a_last_group_without_its_guard_is_caught(void **state)
{
    (void)state;
    mutant = MUTANT_LAST;
    assert_int_equal(finish_half_full(16, 8, 1), CW_ERR_CONFLICT);
    assert_non_null(strstr(cw_last_error(), "permute_finish.h"));
    assert_int_equal(finish_half_full(31, 7, 1), CW_ERR_CONFLICT);
    mutant = MUTANT_NONE;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_agree_on_sum_and_maximum),
        cmocka_unit_test(every_row_gets_every_hash_word),
        cmocka_unit_test(all_rows_compute_the_same_hash),
        cmocka_unit_test(all_of_a_hash_is_random),
        cmocka_unit_test(field_steps_are_those_of_the_field),
        cmocka_unit_test(shares_are_those_of_the_logarithm),
        cmocka_unit_test(the_cap_is_twice_the_mean),
        cmocka_unit_test(a_row_takes_labels_once_a_pass),
        cmocka_unit_test(wide_rows_are_packed),
        cmocka_unit_test(packing_both_ways_is_caught),
        cmocka_unit_test(rows_that_several_rows_send_to_are_filled),
        cmocka_unit_test(a_last_group_without_its_guard_is_caught),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
