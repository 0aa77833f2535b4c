/* test_rows.c - a row sorted or merged by its own processor, held against qsort.
 *
 * Every run has three rows side by side: random words, few different keys, zeros and
 * ones.  All three must take exactly the steps that the formulas say, as nothing but
 * the length of the row counts.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "paper/sort/rows.h"
#include "trial.h"

#define ROWS  3
#define LIMIT 200 /* columns of a buffer; two of them, and counters, make a row */

enum routine { SORT, MERGE, BITONIC, RADIX, ORDER };

struct plan {
    enum routine routine;
    int from, scratch, to, m, desc, fresh;
    runs u;
    sorter by;
};

static struct cw_model *machine;
static cw_word before_it[ROWS][LIMIT]; /* a copy of the input */

static void body(struct cw_model *s, const void *arg)
{
    const struct plan *p = (const struct plan *)arg;
    const int i = lane_id(s);

    switch (p->routine) {
    case SORT:
        sort_row(s, i, p->from, p->scratch, p->to, p->m, p->desc, p->by.ways);
        break;
    case MERGE:
        merge_row(s, i, p->from, p->scratch, p->u, p->fresh, p->desc, p->by.ways);
        break;
    case BITONIC:
        bitonic_row(s, i, p->from, p->to, p->m, p->desc);
        break;
    case RADIX:
        radix_row(s, i, p->from, p->scratch, p->to, p->m, p->by, p->desc);
        break;
    case ORDER:
        order_row(s, i, p->from, p->scratch, p->to, p->m, p->desc, p->by);
        break;
    }
}

static int make_machine(void **state)
{
    const struct cw_model_config config = {ROWS, 2 * LIMIT, 0, 0, 0};
    uint32_t counters;

    (void)state;
    return cw_model_create(&config, &machine) || cw_model_aux(machine, "counters", 256, &counters);
}

static int destroy_machine(void **state)
{
    (void)state;
    cw_model_destroy(machine);
    return 0;
}

/* A plan whose data stands in one buffer and ends in the same, or in the other. */
static struct plan plan_of(enum routine routine, int m, int ways, int desc, int move)
{
    struct plan p = {.routine = routine, .m = m, .desc = desc, .fresh = 1};

    p.by = sorter_merge(ways);
    p.from = m % 2 ? 0 : LIMIT;
    p.scratch = LIMIT - p.from;
    p.to = move ? p.scratch : p.from;
    return p;
}

/* Row 0 random words, row 1 few keys, row 2 zeros and ones. */
static void fill(const struct plan *p, struct cw_random *random)
{
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < p->m; c++) {
            const cw_word x = cw_random_next(random);

            before_it[r][c] = r == 0 ? x : r == 1 ? x % 5 : x & 1;
        }
    }
}

/* The input sorted in the plan's direction; by the key alone, and stable, if it counts. */
static cw_word key_of(const struct plan *p, cw_word x)
{
    if (p->routine != RADIX)
        return x;
    return x >> p->by.shift & (p->by.bits == 64 ? UINT64_MAX : ((cw_word)1 << p->by.bits) - 1);
}

static void sort_by_hand(const struct plan *p, const cw_word *in, cw_word *out)
{
    if (p->routine != RADIX) {
        memcpy(out, in, (size_t)p->m * sizeof *out);
        qsort(out, (size_t)p->m, sizeof *out, cw_by_word);
        for (int c = 0; p->desc && c < p->m / 2; c++) {
            const cw_word x = out[c];

            out[c] = out[p->m - 1 - c];
            out[p->m - 1 - c] = x;
        }
        return;
    }
    for (int c = 0; c < p->m; c++) {
        int j = c;

        for (; j > 0 && before(key_of(p, in[c]), key_of(p, out[j - 1]), p->desc); j--)
            out[j] = out[j - 1];
        out[j] = in[c];
    }
}

/* Run the plan on before_it: all rows sorted at p->to, in exactly `steps` steps. */
static void sorts(const struct plan *p, long long steps, uint64_t seed)
{
    struct cw_counters counters;
    cw_word want[LIMIT];
    cw_status status;

    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < p->m; c++)
            *cw_model_at(machine, (uint32_t)r, (uint32_t)(p->from + c)) = before_it[r][c];
    status = cw_model_run(machine, body, p);
    cw_model_counters(machine, &counters);
    if (status || counters.steps != (uint64_t)steps || counters.accesses != ROWS * (uint64_t)steps)
        fail_msg("routine %d, m %d, ways %d, seed %llu: %llu steps and %llu accesses, not %lld: %s",
                 p->routine, p->m, p->by.ways, (unsigned long long)seed,
                 (unsigned long long)counters.steps, (unsigned long long)counters.accesses, steps,
                 status ? cw_last_error() : "it ran");
    for (int r = 0; r < ROWS; r++) {
        sort_by_hand(p, before_it[r], want);
        for (int c = 0; c < p->m; c++)
            if (*cw_model_at(machine, (uint32_t)r, (uint32_t)(p->to + c)) != want[c])
                fail_msg("routine %d, m %d, ways %d, desc %d, runs %d of kind %d, alt %d, seed "
                         "%llu: row %d is wrong at %d",
                         p->routine, p->m, p->by.ways, p->desc, p->u.count, p->u.kind, p->u.alt,
                         (unsigned long long)seed, r, c);
    }
}

/* ---- sort_row -------------------------------------------------------------- */

/* The least p with ways^p >= x, once more. */
static int levels(int x, int ways)
{
    int p = 0;

    for (; x > 1; x = (x + ways - 1) / ways)
        p++;
    return p;
}

static void rows_of_any_length_are_sorted_any_number_of_ways(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (int m = 1; m <= LIMIT; m++) {
        for (int ways = 2; ways <= 16; ways++) {
            const int base = ways > 4 ? ways : 4;
            const int passes = m == 1 ? 0 : 1 + levels((m + base - 1) / base, ways);

            for (int k = 0; k < 4; k++) {
                const uint64_t seed = random.state;
                const struct plan p = plan_of(SORT, m, ways, k & 1, k >> 1);

                fill(&p, &random);
                sorts(&p, m == 1 ? 2 * (k >> 1) : 2LL * m * passes, seed);
                assert_int_equal(row_sort_steps(m, ways), 2LL * m * passes);
            }
        }
    }
}

static void two_ways_take_2m_times_ceil_lg_m_less_one(void **state)
{
    (void)state;
    for (int m = 3; m <= 5000; m++)
        assert_int_equal(row_sort_steps(m, 2), 2LL * m * (levels(m, 2) - 1));
    assert_int_equal(row_sort_steps(32, 2), 256);
    assert_int_equal(row_sort_steps(256, 2), 3584);
    assert_int_equal(row_sort_steps(1024, 2), 18432);
}

/* ---- merge_row ------------------------------------------------------------- */

/* Which run the item at column c belongs to, and is the run turned round? */
static int run_of(const runs *u, int c)
{
    int q = 0;

    switch (u->kind) {
    case RUNS_EQUAL:
        return c / u->x;
    case RUNS_SHARES:
        while ((long long)u->m * (q + 1) / u->count <= c)
            q++;
        return q;
    case RUNS_DEALT: /* row x of count rows to which rows of y items were dealt */
        return (int)(((long long)c * u->count + u->x) / u->y);
    default:
        return c % u->count;
    }
}

/* Sort the items of each run of u, where they stand, in the direction that it has. */
static void sort_runs(const struct plan *p, cw_word *row)
{
    cw_word items[LIMIT];
    int run[LIMIT];

    for (int c = 0; c < p->m; c++)
        run[c] = run_of(&p->u, c);
    for (int q = 0; q < p->u.count; q++) {
        const int turned = p->u.alt && (q & 1) == (p->u.alt & 1);
        size_t n = 0, k = 0;

        for (int c = 0; c < p->m; c++)
            if (run[c] == q)
                items[n++] = row[c];
        qsort(items, n, sizeof *items, cw_by_word);
        for (int c = 0; c < p->m; c++)
            if (run[c] == q)
                row[c] = items[(p->desc ^ turned) ? n - 1 - k++ : k++];
    }
}

static void merges(int m, runs u, struct cw_random *random)
{
    const uint64_t seed = random->state;
    const int ways = 2 + (int)cw_random_below(random, 15);
    struct plan p = plan_of(MERGE, m, ways, (int)cw_random_below(random, 2), 0);

    p.u = u;
    p.fresh = u.kind == RUNS_STRIDED || u.alt || cw_random_below(random, 2);
    if (levels(u.count, ways) % 2)
        p.to = p.scratch;
    fill(&p, random);
    for (int r = 0; r < ROWS; r++)
        sort_runs(&p, before_it[r]);
    sorts(&p, 2LL * m * levels(u.count, ways), seed);
}

static void rows_of_sorted_runs_are_merged(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() + 1);

    (void)state;
    for (int m = 1; m <= LIMIT; m += m < 60 ? 1 : 7) {
        for (int k = 0; k < 24; k++) {
            const int count = 1 + (int)cw_random_below(&random, k % 2 ? 20 : (uint64_t)m);
            const int alt = count > 1 ? k % 3 : k % 2; /* one run alone is not turned */
            const int each = (m + count - 1) / count;

            merges(m, runs_make(RUNS_EQUAL, (m + each - 1) / each, m, each, 0, alt & 1), &random);
            merges(m, runs_make(RUNS_SHARES, count, m, 0, 0, alt), &random);
            merges(m, runs_make(RUNS_DEALT, count, m, k % count, m, alt), &random);
            merges(m, runs_make(RUNS_STRIDED, count, m, 0, 0, alt), &random);
        }
    }
}

/* ---- bitonic_row ----------------------------------------------------------- */

/* Items rise to `peak` and fall again; everything turned by `turn`.  `kind` 0: all
 * different, 1: a few equal, 2: an interval of ones, 3: one value. */
static void make_bitonic(int m, int peak, int turn, int kind, cw_word *row)
{
    for (int c = 0; c < m; c++) {
        const int height = c <= peak ? 2 * c : 2 * (m - c) - 1;

        row[(c + turn) % m] = (cw_word)(kind == 0   ? height
                                        : kind == 1 ? height / 4
                                        : kind == 2 ? c <= peak
                                                    : 7);
    }
}

static void every_turned_mountain_is_sorted_in_3m_minus_1_steps(void **state)
{
    (void)state;
    for (int m = 1; m <= (cw_long_run() ? 60 : 20); m++) {
        for (int x = 0; x < m * m; x++) {
            for (int desc = 0; desc < 2; desc++) {
                const struct plan p = plan_of(BITONIC, m, 4, desc, 1);

                make_bitonic(m, x / m, x % m, 0, before_it[0]);
                make_bitonic(m, x / m, x % m, 1, before_it[1]);
                make_bitonic(m, x / m, x % m, x % 5 ? 2 : 3, before_it[2]);
                sorts(&p, 3LL * m - 1, (uint64_t)x);
                assert_int_equal(bitonic_row_steps(m), 3LL * m - 1);
            }
        }
    }
}

static void long_mountains_are_sorted(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() + 2);

    (void)state;
    for (int m = 2; m <= LIMIT; m++) {
        for (int k = 0; k < 8; k++) {
            const struct plan p = plan_of(BITONIC, m, 4, k & 1, 1);
            const uint64_t seed = random.state;

            for (int r = 0; r < ROWS; r++)
                make_bitonic(m, (int)cw_random_below(&random, (uint64_t)m),
                             (int)cw_random_below(&random, (uint64_t)m), r, before_it[r]);
            sorts(&p, 3LL * m - 1, seed);
        }
    }
}

/* ---- radix_row and order_row ----------------------------------------------- */

static struct plan counting(int m, int bits, int digit, int desc, int move)
{
    struct plan p = plan_of(RADIX, m, 4, desc, move);

    p.by.rows = ROWS_RADIX;
    p.by.bits = bits;
    p.by.digit = digit;
    p.by.shift = m % 3 * (64 - bits) / 2;
    p.by.counters = 2 * LIMIT;
    return p;
}

/* Stable: words differ in more than the key, and equal keys keep their order. */
static void counting_sorts_by_the_key_and_is_stable(void **state)
{
    static const int keys[][2] = {{1, 1}, {2, 1},  {3, 2},  {4, 4},  {5, 5},
                                  {8, 8}, {10, 5}, {11, 4}, {12, 6}, {64, 8}};
    struct cw_random random = cw_random_from(cw_test_seed() + 3);

    (void)state;
    for (int m = 2; m <= LIMIT; m += m < 40 ? 1 : 5) {
        for (size_t x = 0; x < COUNT(keys) * 4; x++) {
            const int bits = keys[x / 4][0], digit = keys[x / 4][1];
            const int desc = x & 1, move = x >> 1 & 1, passes = (bits + digit - 1) / digit;
            const struct plan p = counting(m, bits, digit, desc, move);
            const long long steps = passes * (7LL * m + 3 * (1LL << digit));
            const uint64_t seed = random.state;

            fill(&p, &random);
            for (int c = 0; c < m; c++)
                before_it[1][c] = before_it[1][c] << p.by.shift ^ (cw_word)c << 40;
            /* one more write an item to end in the other buffer than passes lead to */
            sorts(&p, steps + (passes % 2 != move ? m : 0), seed);
        }
    }
}

static void the_cheaper_of_merging_and_counting_is_taken(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() + 4);
    int merged = 0, counted = 0;

    (void)state;
    for (int m = 1; m <= LIMIT; m++) {
        for (int x = 0; x < 12; x++) {
            const int bits = 1 + x % 6, digit = 1 + x % 3, move = x & 1;
            struct plan p = counting(m, bits, digit, x >> 1 & 1, move);
            const int passes = (bits + digit - 1) / digit;
            const long long merge = m > 1 ? row_sort_steps(m, 4) : 2 * move;
            const long long count =
                passes * (7LL * m + 3 * (1LL << digit)) + (passes % 2 != move ? m : 0);
            const uint64_t seed = random.state;

            p.by.shift = 0;
            p.by.rows = ROWS_BEST;
            fill(&p, &random);
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < m; c++)
                    before_it[r][c] &= (1u << bits) - 1;
            p.routine = ORDER;
            sorts(&p, m > 1 && count < merge ? count : merge, seed);
            assert_int_equal(order_steps(m, p.by, move), m > 1 && count < merge ? count : merge);
            merged += merge <= count;
            counted += count < merge;
        }
    }
    assert_true(merged && counted);
}

/* ---- the registry's row ---------------------------------------------------- */

static void rows_are_sorted_for_themselves(const struct cw_options *opt, uint32_t w, uint32_t m)
{
    const struct cw_algorithm *alg = cw_algorithm_find("row-sort");
    struct cw_trial t;
    struct cw_random random = cw_random_from(cw_test_seed() + 5);

    assert_true(cw_trial_open(&t, alg, w, m, opt));
    for (uint64_t x = 0; x < t.n; x++)
        t.in[x] = cw_random_next(&random) >> (64 - (opt->key_bits ? opt->key_bits : 64));
    assert_int_equal(cw_trial_run(&t), CW_OK);
    assert_int_equal(t.counters.steps, alg->steps(w, m, &t.job.opt));
    for (uint32_t r = 0; r < w; r++)
        qsort(t.in + (size_t)r * m, m, sizeof *t.in, cw_by_word);
    assert_memory_equal(t.in, t.out, t.n * sizeof *t.in);
    cw_trial_close(&t);
}

static void row_sort_merges_or_counts(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 40; m++) {
        for (uint32_t bits = 1; bits <= 64; bits += 7) {
            const struct cw_options merge = {.ways = 2 + m % 15, .rows = CW_ROWS_MERGE};
            const struct cw_options count = {.rows = CW_ROWS_RADIX, .key_bits = bits};

            rows_are_sorted_for_themselves(&merge, 1 + bits % 6, m);
            rows_are_sorted_for_themselves(&count, 1 + bits % 6, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_any_length_are_sorted_any_number_of_ways),
        cmocka_unit_test(two_ways_take_2m_times_ceil_lg_m_less_one),
        cmocka_unit_test(rows_of_sorted_runs_are_merged),
        cmocka_unit_test(every_turned_mountain_is_sorted_in_3m_minus_1_steps),
        cmocka_unit_test(long_mountains_are_sorted),
        cmocka_unit_test(counting_sorts_by_the_key_and_is_stable),
        cmocka_unit_test(the_cheaper_of_merging_and_counting_is_taken),
        cmocka_unit_test(row_sort_merges_or_counts),
    };

    return cmocka_run_group_tests(tests, make_machine, destroy_machine);
}
