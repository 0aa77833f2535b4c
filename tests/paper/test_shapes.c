/* test_shapes.c - hundreds of shapes, and inputs made to break the proofs.
 *
 * Every sort of the registry that promises to be free of conflicts, on the strict
 * machine, on every shape that it takes: small ones all, powers of two, primes, those
 * around 32 and 64, one row, one column, w that does not divide m, m that does not
 * divide w.  The steps must be those that the registry tells from the shape alone.
 */
#include "patterns.h"
#include "trial.h"

#define MOST_SHAPES 2000

static struct shape {
    uint32_t w, m;
} shapes[MOST_SHAPES];
static uint32_t shape_count;

static void add(uint32_t w, uint32_t m)
{
    for (uint32_t x = 0; x < shape_count; x++)
        if (shapes[x].w == w && shapes[x].m == m)
            return;
    assert_true(shape_count < MOST_SHAPES);
    shapes[shape_count].w = w;
    shapes[shape_count++].m = m;
}

/* ---- which shapes ---------------------------------------------------------- */

static void add_small(uint32_t limit)
{
    for (uint32_t w = 1; w <= limit; w++)
        for (uint32_t m = 1; m <= limit; m++)
            add(w, m);
}

static void add_powers_of_two(uint32_t limit)
{
    for (uint32_t n = 1; n <= limit; n *= 2)
        for (uint32_t w = 1; w <= n && w <= 4096; w *= 2)
            add(w, n / w);
}

static void add_primes(uint32_t limit)
{
    static const uint32_t primes[] = {2, 3, 7, 13, 23, 31, 43, 61, 67, 101, 131, 257, 509, 1021};

    for (size_t a = 0; a < COUNT(primes); a++)
        for (size_t b = 0; b < COUNT(primes); b++)
            if (primes[a] * primes[b] <= limit)
                add(primes[a], primes[b]);
}

/* One row, one column, thin ones, and everything beside a power of two. */
static void add_edges(void)
{
    static const uint32_t sides[] = {15, 17, 21, 30, 31, 32, 33, 34, 47, 63, 64, 65, 96, 100, 127};

    for (size_t a = 0; a < COUNT(sides); a++) {
        add(1, sides[a]);
        add(sides[a], 1);
        add(sides[a], 2);
        add(3, sides[a]);
        add(sides[a], sides[a] + 1);
        add(sides[a] + 1, sides[a]);
        add(sides[a], 5);
        add(32, sides[a]);
        add(sides[a], 32);
        if (sides[a] < 64)
            add(sides[a], 3 * sides[a] + 1);
    }
    for (uint32_t w = 61; w <= 67; w++)
        add(w, 128 - w);
    for (uint32_t m = 500; m <= 514; m += 7) /* about where 32 rows become short */
        add(32, m);
}

static void add_large(void)
{
    static const struct shape large[] = {
        {97, 131},  {250, 258}, {258, 250}, {32, 1024}, {1024, 32},
        {256, 256}, {127, 129}, {512, 128}, {33, 500},  {700, 20},
        {7, 2048},  {2047, 3},  {1, 65536}, {4096, 1},  {1000, 8},
    };

    for (size_t x = 0; x < COUNT(large); x++)
        add(large[x].w, large[x].m);
}

static void add_larger(void)
{
    static const struct shape larger[] = {
        {509, 509},  {512, 512}, {8192, 32},  {32, 8192}, {1021, 257}, {257, 1021},
        {65536, 1},  {65536, 4}, {2049, 7},   {1024, 33}, {33, 1024},  {4099, 61},
        {61, 4099},  {300, 700}, {16384, 16}, {700, 300}, {64, 4096},  {4096, 64},
        {1, 262144}, {511, 513}, {3, 80000},  {40000, 6}, {32, 2048},  {3, 5000},
        {64, 1000},  {100, 300}, {181, 181},  {12, 4001}, {500, 33},
    };

    add_small(24);
    add_powers_of_two(1 << 16);
    add_primes(1 << 18);
    for (size_t x = 0; x < COUNT(larger); x++)
        add(larger[x].w, larger[x].m);
}

static int make_shapes(void **state)
{
    (void)state;
    add_small(11);
    add_powers_of_two(1 << 11);
    add_primes(1 << 11);
    add_edges();
    add_large();
    if (cw_long_run())
        add_larger();
    return 0;
}

/* ---- on each of them ------------------------------------------------------- */

/* Accesses of a run, about.  Cole's mergesort does not tell its steps beforehand: three
 * times a column, at most 100 lg w a time on the shapes here. */
static uint64_t cost_of(const struct cw_trial *t)
{
    uint64_t lg = 1;

    if (t->alg->steps)
        return t->job.w * t->alg->steps(t->job.w, t->job.m, &t->job.opt);
    while (t->job.w >> lg)
        lg++;
    return t->n * 300 * lg;
}

/* How many patterns a run of that cost leaves time for: the slow ones only where n is
 * large, and the slowest only in the long run. */
static uint32_t patterns_for(const struct cw_trial *t)
{
    const uint64_t cost = cw_long_run() ? cost_of(t) >> 3 : cost_of(t) << (CW_SANITIZED ? 3 : 1);

    if (cost <= 6000)
        return cw_pattern_count;
    if (cost <= 150000)
        return cost <= 40000 ? 4 : 2;
    return cost <= 1000000 || (cost <= 12000000 && t->n >= 1 << 14);
}

/* Patterns follow each other from shape to shape, so that all are used. */
static uint64_t sorts_shape(const struct cw_algorithm *alg, uint32_t x, uint32_t *next)
{
    static const uint32_t some_ways[] = {0, 2, 0, 3, 0, 8, 0, 16, 0, 5};
    const struct cw_options opt = {.ways = some_ways[x % COUNT(some_ways)]};
    struct cw_trial t;
    uint32_t patterns;

    if (!cw_trial_open(&t, alg, shapes[x].w, shapes[x].m, &opt))
        return 0;
    patterns = patterns_for(&t);
    for (uint32_t k = 0; k < patterns; k++) {
        const uint32_t pattern = (*next)++ % cw_pattern_count;
        const uint64_t seed = cw_test_seed() + x * 64 + k;

        cw_pattern_fill(pattern, t.job.w, t.job.m, seed, t.in);
        cw_trial_check(&t, cw_pattern_name(pattern), seed);
    }
    cw_trial_close(&t);
    return patterns;
}

static void every_input_on_every_shape_is_sorted_without_conflicts(void **state)
{
    (void)state;
    assert_true(shape_count >= 300);
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        const struct cw_algorithm *alg = cw_algorithms[a];
        uint64_t runs = 0, taken = 0;
        uint32_t next = 0;

        for (uint32_t x = 0; x < shape_count && cw_trial_takes(alg); x++) {
            const uint64_t more = sorts_shape(alg, x, &next);

            runs += more;
            taken += more > 0;
        }
        assert_true(!cw_trial_takes(alg) || taken >= (alg->check ? 1 : 300));
        if (runs)
            print_message("    %-20s %llu inputs on %llu of %u shapes\n", alg->name,
                          (unsigned long long)runs, (unsigned long long)taken, shape_count);
    }
}

/* Keys of a few bits, the greatest among them: rows sorted by counting look at these
 * bits alone, and whatever fills up a matrix must stay behind the greatest key. */
static void integers_are_sorted_by_counting(void **state)
{
    const struct cw_algorithm *alg = cw_algorithm_find("sort-integers");

    (void)state;
    for (uint32_t x = 0; x < shape_count; x++) {
        const uint32_t bits = 1 + x % 11;
        const struct cw_options opt = {.rows = x % 2 ? CW_ROWS_RADIX : CW_ROWS_BEST,
                                       .key_bits = bits};
        struct cw_trial t;

        if ((uint64_t)shapes[x].w * shapes[x].m > (cw_long_run() ? 1 << 14 : 1500))
            continue;
        assert_true(cw_trial_open(&t, alg, shapes[x].w, shapes[x].m, &opt));
        for (uint64_t seed = 0; seed < 3; seed++) {
            cw_pattern_fill(seed ? 0 : 8, t.job.w, t.job.m, cw_test_seed() + seed, t.in);
            for (uint64_t i = 0; i < t.n; i++)
                t.in[i] >>= 64 - bits;
            cw_trial_check(&t, "keys of a few bits", seed);
        }
        cw_trial_close(&t);
    }
}

/* ---- neighbours in memory -------------------------------------------------- */

/* Words behind the columns that the algorithm asked for stay as they were: it is checked
 * with one more area, which the algorithm knows nothing of. */
static void nothing_outside_the_areas_asked_for_is_touched(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        for (uint32_t x = 0; x < 40 && cw_trial_takes(cw_algorithms[a]); x++) {
            struct cw_trial t;
            uint32_t more;

            if (!cw_trial_open(&t, cw_algorithms[a], shapes[x * 3].w, shapes[x * 3].m, NULL))
                continue;
            assert_int_equal(cw_model_aux(t.model, "guard", 2, &more), CW_OK);
            cw_pattern_fill(0, t.job.w, t.job.m, x, t.in);
            cw_trial_check(&t, "with a guard", x);
            for (uint32_t r = 0; r < t.job.w; r++)
                for (uint32_t c = 0; c < 2; c++)
                    assert_int_equal(*cw_model_at(t.model, r, more + c), CW_MODEL_JUNK);
            cw_trial_close(&t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_on_every_shape_is_sorted_without_conflicts),
        cmocka_unit_test(integers_are_sorted_by_counting),
        cmocka_unit_test(nothing_outside_the_areas_asked_for_is_touched),
    };

    return cmocka_run_group_tests(tests, make_shapes, NULL);
}
