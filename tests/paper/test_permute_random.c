/* test_permute_random.c - what theorem 4 needs of its randomness, by counting.
 *
 * Counts of many draws are held against what they must be by Pearson's chi-square.  Its square
 * root is near normal: sqrt(2 X) - sqrt(2 k - 1) for k degrees of freedom (Fisher).  More than 9
 * is a chance below 1e-8, also where a cell expects 10 only, so that all of them together raise a
 * false alarm in fewer than one of 10^5 runs.  Where all cases can be listed, they are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash_bench.h"
#include "paper/inputs.h"

extern const struct cw_algorithm cw_alg_permute;

static const char *const names[] = {"mixer", "table", "pagh", "tabulation"};

/* ---- random words ---------------------------------------------------------------- */

/* All 64 bits, and each beside its neighbour. */
static void every_bit_of_a_random_word_is_random(void **state)
{
    const word key = mix_word(cw_test_seed());

    (void)state;
    for (int bit = 0; bit < 64; bit++) {
        uint32_t seen[4] = {0};

        for (word k = 0; k < 20000; k++) {
            const word x = random_word(key, k);

            seen[(x >> bit & 1) | (x >> (bit + 1) % 64 & 1) << 1]++;
        }
        assert_chances("bits of a word", seen, NULL, 4);
    }
}

/* Numbers below m reach both ends, and have all of their bits, for any m up to 2^31. */
static void numbers_below_m_are_uniform(void **state)
{
    static const int ranges[] = {1,       2,       3,      7, 16, 100, 1 << 16, (1 << 16) + 1,
                                 1 << 20, 3 << 22, 1 << 30};
    const word key = mix_word(cw_test_seed() + 1);

    (void)state;
    for (size_t k = 0; k < COUNT(ranges); k++) {
        const int m = ranges[k], cells = m < 16 ? m : 16;
        uint32_t high[16] = {0}, low[16] = {0};
        double chance[16], chance_low[16];

        assert_int_equal(below(0, m), 0);
        assert_int_equal(below(WORD_MAX, m), m - 1);
        for (int c = 0; c < cells; c++) {
            chance[c] = (double)(((long long)m * (c + 1) + cells - 1) / cells -
                                 ((long long)m * c + cells - 1) / cells) /
                        m;
            chance_low[c] = (double)(m / cells + (c < m % cells)) / m;
        }
        for (word x = 0; x < 40000; x++) {
            const int y = below(random_word(key, x + (word)k * 40000), m);

            high[(long long)y * cells / m]++;
            low[y % cells]++;
        }
        if (m > 1) {
            assert_chances("upper part of a number", high, chance, (uint32_t)cells);
            assert_chances("lower part of a number", low, chance_low, (uint32_t)cells);
        }
    }
}

/* ---- the rows' turns ---------------------------------------------------------------- */

#define TURN_W 24
#define TURN_M 6

struct turns {
    struct cw_model *model;
    uint32_t items, at[TURN_W]; /* the turn of each row */
    int told;
};

/* Slot 0 of row p holds what stood in slot m - r of row p (the deal begins with the own row). */
static void look_at_turns(void *arg, const struct cw_phase *phase)
{
    struct turns *const t = (struct turns *)arg;

    if (strcmp(phase->name, "shuffled") != 0)
        return;
    t->told++;
    for (uint32_t p = 0; p < TURN_W; p++) {
        const uint32_t place = CW_ITEM_PAYLOAD(*cw_model_at(t->model, p, t->items));

        assert_int_equal(place / TURN_M, p);
        t->at[p] = (TURN_M - place % TURN_M) % TURN_M;
    }
}

/* Every row has a turn of its own: all m alike, and those of two rows, of one row under two
 * seeds, independent. */
static void rows_are_turned_each_by_its_own_random_number(void **state)
{
    const struct cw_model_config config = {TURN_W, TURN_M, 0, 0, 0};
    uint32_t one[TURN_M] = {0}, beside[TURN_M * TURN_M] = {0}, far[TURN_M * TURN_M] = {0};
    uint32_t later[TURN_M * TURN_M] = {0}, before[TURN_W];
    struct turns t;
    struct cw_job job;
    struct cw_report report;

    (void)state;
    assert_int_equal(cw_job_make(&cw_alg_permute, &config, NULL, &job, &t.model), CW_OK);
    t.items = job.aux[PERMUTE_ITEMS];
    t.told = 0;
    job.output = &report;
    cw_model_hook(t.model, look_at_turns, &t);
    for (uint64_t run = 0; run < (CW_SANITIZED ? 100 : 1000); run++) {
        for (uint32_t x = 0; x < TURN_W * TURN_M; x++)
            *cw_model_at(t.model, x / TURN_M, x % TURN_M) = CW_ITEM(x, x);
        memset(&report, 0, sizeof report);
        job.opt.seed = cw_test_seed() + run;
        assert_int_equal(cw_model_run(t.model, job.algorithm->body, &job), CW_OK);
        for (uint32_t p = 0; p < TURN_W; p++) {
            one[t.at[p]]++;
            beside[t.at[p] * TURN_M + t.at[(p + 1) % TURN_W]]++;
            far[t.at[p] * TURN_M + t.at[(p + TURN_W / 2) % TURN_W]]++;
            if (run)
                later[t.at[p] * TURN_M + before[p]]++;
        }
        memcpy(before, t.at, sizeof before);
    }
    assert_true(t.told > 0);
    assert_chances("turns of rows", one, NULL, TURN_M);
    assert_chances("turns of neighbours", beside, NULL, TURN_M * TURN_M);
    assert_chances("turns of far rows", far, NULL, TURN_M * TURN_M);
    assert_chances("turns under two seeds", later, NULL, TURN_M * TURN_M);
    cw_model_destroy(t.model);
}

/* ---- hash functions -------------------------------------------------------------------- */

/* Tuples of keys: their values, each as one of three classes, are independent and uniform. */
static void tuples(int kind, int w, int m, const int *key, int count, uint32_t draws)
{
    struct one_hash x = {.shape = hash_shape_of(kind, w, m), .count = count, .redraw = 1};
    struct cw_model *const s = hash_machine(&x.shape);
    uint32_t cells = 1, seen[243] = {0};
    double chance[243], part[3];
    char what[96];

    for (int c = 0; c < 3; c++)
        part[c] = (double)((m - c + 2) / 3) / m; /* values that are c mod 3 */
    for (int k = 0; k < count; k++)
        cells *= 3;
    for (uint32_t c = 0; c < cells; c++) {
        chance[c] = 1;
        for (uint32_t k = 0, rest = c; k < (uint32_t)count; k++, rest /= 3)
            chance[c] *= part[rest % 3];
    }
    memcpy(x.key, key, (size_t)count * sizeof *key);
    x.d.key = mix_word(cw_test_seed() + (uint64_t)kind);
    x.d.drawn = 0;
    for (uint32_t r = 0; r < draws; r++) {
        uint32_t cell = 0;

        assert_int_equal(cw_model_run(s, hash_body, &x), CW_OK);
        x.d.drawn += (word)x.shape.draws;
        for (int k = count; k-- > 0;) {
            assert_in_range(x.y[k], 0, m - 1);
            cell = 3 * cell + (uint32_t)x.y[k] % 3;
        }
        seen[cell]++;
    }
    snprintf(what, sizeof what, "%s, %d keys, m = %d", names[kind], count, m);
    assert_chances(what, seen, chance, cells);
    cw_model_destroy(s);
}

static void values_of_a_few_keys_are_independent(void **state)
{
    static const int near[] = {0, 1, 2, 3, 4}, far[] = {5, 37, 69, 101, 133};
    const uint32_t draws = CW_SANITIZED ? 1500 : 12000;

    (void)state;
    for (int kind = CW_HASH_MIXER; kind <= CW_HASH_TABULATION; kind++) {
        tuples(kind, 140, 5, near, 4, draws);
        tuples(kind, 140, 40, far, 5, draws / 2);
        tuples(kind, 140, 40, near, 4, draws / 2);
        tuples(kind, 140, 80, far, 5, draws / 2); /* more than PAGH_EXACT: pagh's tables */
        tuples(kind, 140, 80, near, 4, draws / 2);
    }
}

/* Every entry of every table takes every value below its range, m - 1 and 0 among them. */
static void table_entries_take_every_value(void **state)
{
    static const struct {
        int kind, m;
    } cases[] = {{CW_HASH_TABLE, 40}, {CW_HASH_TABULATION, 40}, {CW_HASH_PAGH, 80}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int m = cases[i].m;
        const hash_shape f = hash_shape_of(cases[i].kind, 90, m);
        uint32_t one[128] = {0}, two[128] = {0};
        double chance[128] = {0};
        dice d = {mix_word(cw_test_seed() + i), 0};

        assert_true(m <= 1 << f.bits && f.bits <= 7);
        for (uint32_t r = 0; r < 200; r++, d.drawn += (word)f.draws) {
            for (int j = f.table; j < f.words; j++) {
                const int second = j >= f.table2, at = j - (second ? f.table2 : f.table);
                const word x = draw_hash_word(f, &d, j);

                for (int k = 0; k < f.per && at * f.per + k < table_entries(f, second); k++)
                    (second ? two : one)[x >> (k * f.bits) & 127 >> (7 - f.bits)]++;
            }
        }
        for (int c = 0; c < m; c++)
            chance[c] = 1.0 / m;
        assert_chances("entries of the first table", one, chance, 128);
        if (cases[i].kind != CW_HASH_TABLE)
            assert_chances("entries of the second table", two, chance, 128);
    }
}

/* Triple `at` of gj as it is drawn: entries of Z1j, Z2j and Z3j. */
static void drawn_triple(hash_shape f, const dice *d, int j, int at, word z[3])
{
    const int line = f.z + j * pagh_line(f), size = 2 * f.range_bits + f.bits;
    const word low = ((word)1 << f.range_bits) - 1;
    word x, third;

    if (f.z_per) {
        x = draw_hash_word(f, d, line + at / f.z_per) >> (at % f.z_per * size);
        third = x >> 2 * f.range_bits & (((word)1 << f.bits) - 1);
    } else {
        x = draw_hash_word(f, d, line + 2 * at);
        third = draw_hash_word(f, d, line + 2 * at + 1);
    }
    z[0] = x & low;
    z[1] = x >> f.range_bits & low;
    z[2] = third;
}

/* Each of pagh's 21 tables Zij by itself: its entries take every value below r, r and m (above 128 values,
 * every remainder of 128), and the three that one read brings are independent. */
static void entries_of_each_table_of_triples_take_every_value(void **state)
{
    static const int sizes[] = {80, 3 << 19}; /* several triples a word, and two words each */

    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * PAGH_G; i++) {
        const int m = sizes[i / PAGH_G], j = (int)(i % PAGH_G);
        const hash_shape f = hash_shape_of(CW_HASH_PAGH, 90, m);
        uint32_t seen[3][128] = {{0}}, beside[64] = {0};
        dice d = {mix_word(cw_test_seed() + 40 + i), 0};

        assert_int_equal(f.z_per == 0, m == 3 << 19);
        for (int r = 0; r < 200; r++, d.drawn += (word)f.draws) {
            for (int at = 0; at < 32; at++) {
                word z[3];

                drawn_triple(f, &d, j, at, z);
                assert_true(z[0] < (word)f.range && z[1] < (word)f.range && z[2] < (word)m);
                for (int q = 0; q < 3; q++)
                    seen[q][z[q] % 128]++;
                beside[(z[0] & 3) | (z[1] & 3) << 2 | (z[2] & 3) << 4]++;
            }
        }
        for (int q = 0; q < 3; q++) {
            const uint32_t cells = (uint32_t)(m > 128 ? 128 : q < 2 ? f.range : m);

            assert_chances("entries of a table Zij", seen[q], NULL, cells);
            for (uint32_t c = 0; c < cells; c++)
                assert_true(seen[q][c] > 0); /* 50 and more are expected */
        }
        assert_chances("entries of a triple", beside, NULL, 64);
    }
}

/* ---- pagh, by its definition --------------------------------------------------------- */

/* h(x) as permute_hash.h writes it, from the words, with plain arrays. */
static int pagh_by_definition(hash_shape f, const word *words, int x)
{
    const unsigned __int128 field = FIELD61; /* a test of its own arithmetic */
    const int l = 1 << f.lines;
    unsigned long long h[3];

    for (int i = 0; i < 3; i++) {
        const unsigned __int128 a = words[PAGH_G + 2 * i], b = words[PAGH_G + 2 * i + 1];

        h[i] = (unsigned long long)((a * (unsigned)x + b) % field);
        h[i] %= (unsigned)(i < 2 ? f.range : f.m);
    }
    for (int j = 0; j < PAGH_G; j++) {
        const int at = (int)(words[j] * (word)x / (WORD_MAX / (word)l + 1));
        const int size = 2 * f.range_bits + f.bits;
        const word *const line = words + f.z + j * pagh_line(f);
        unsigned __int128 triple;

        if (f.z_per)
            triple = line[at / f.z_per] >> (at % f.z_per * size);
        else
            triple = (unsigned __int128)line[2 * at + 1] << (2 * f.range_bits) | line[2 * at];
        h[0] += (unsigned long long)(triple % ((word)1 << f.range_bits));
        h[1] += (unsigned long long)((triple >> f.range_bits) % ((word)1 << f.range_bits));
        h[2] += (unsigned long long)((triple >> (2 * f.range_bits)) % ((word)1 << f.bits));
    }
    for (int i = 0; i < 2; i++) {
        const int e = (int)(h[i] % (unsigned)f.range);
        const word x2 = words[(i ? f.table2 : f.table) + e / f.per];

        h[2] += x2 >> (e % f.per * f.bits) & (((word)1 << f.bits) - 1);
    }
    return (int)(h[2] % (unsigned)f.m);
}

static void pagh_is_what_its_definition_says(void **state)
{
    static const int shapes[][2] = {
        {100, 129}, {1000, 160}, {4096, 256}, {1 << 20, 1000}, {50, 3 << 19}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        struct one_hash x = {.shape = hash_shape_of(CW_HASH_PAGH, shapes[k][0], shapes[k][1]),
                             .count = KEYS,
                             .redraw = 1};
        struct cw_model *const s = hash_machine(&x.shape);
        struct cw_random random = cw_random_from(cw_test_seed() + k);

        assert_int_equal(x.shape.z_per == 0, shapes[k][1] == 3 << 19);
        x.d.key = cw_test_seed();
        for (int r = 0; r < 20; r++, x.redraw = r % 7 == 0) {
            for (int q = 0; q < KEYS; q++)
                x.key[q] = (int)cw_random_below(&random, (uint64_t)shapes[k][0]);
            x.d.drawn += 1000;
            assert_int_equal(cw_model_run(s, hash_body, &x), CW_OK);
            for (int j = 0; j < PAGH_G; j++) /* an even one is not 2-universal */
                assert_true(*cw_model_at(s, 0, (uint32_t)j) & 1);
            for (int q = 0; q < KEYS; q++)
                assert_int_equal(x.y[q],
                                 pagh_by_definition(x.shape, cw_model_at(s, 0, 0), x.key[q]));
        }
        cw_model_destroy(s);
    }
}

/* Its parts have the sizes that the proof asks for, and so the time and the space. */
static void pagh_has_the_sizes_of_theorem_3(void **state)
{
    (void)state;
    for (int m = PAGH_EXACT + 1; m <= 1 << 24; m += 1 + m / 600) {
        const hash_shape f = hash_shape_of(CW_HASH_PAGH, 1 << 20, m);
        const double l = 1 << f.lines, ideal = pow(m, 0.6);

        assert_true(2 * f.range >= 3 * m);                          /* r >= (1 + 1/2) m */
        assert_true(19 * pow(1 << f.lines, PAGH_G) >= pow(m, 4.2)); /* m / l^7 <= 19 m^-3.2 */
        assert_true(m > 160 ? 1.52 * l >= ideal && l <= 1.52 * ideal : l == 32 && l > ideal);
        assert_true(f.words <= 3 * m);
        assert_true(f.draws <= 16 * m + 400);
        assert_int_equal(f.keep, PAGH_KEEP);
    }
}

/* Steps of the whole permutation over m at 64 rows, in a fixed order of labels. */
static double steps_over_m(uint32_t m)
{
    const struct cw_model_config config = {64, m, 0, 0, 0};
    const struct cw_options opt = {.hash = CW_HASH_PAGH, .seed = 1};
    struct cw_counters counters;
    struct cw_report report = {0};
    struct cw_model *s;
    struct cw_job job;

    assert_true(m % 37 != 0); /* so that 37 x is another place for every x */
    assert_int_equal(cw_job_make(&cw_alg_permute, &config, &opt, &job, &s), CW_OK);
    for (uint32_t x = 0; x < 64 * m; x++)
        *cw_model_at(s, x / m, x % m) = CW_ITEM((uint64_t)x * 37 % (64 * m), x);
    job.output = &report;
    assert_int_equal(cw_model_run(s, job.algorithm->body, &job), CW_OK);
    cw_model_counters(s, &counters);
    cw_model_destroy(s);
    assert_int_equal(report.iterations, 2);
    print_message("    64 x %-5u %.2f m\n", m, (double)counters.steps / m);
    return (double)counters.steps / m;
}

/* Flat within 5 %, not only at powers of two: where tables are smallest and largest beside m, and where
 * what the second iteration's fullest row has, which is random, counts for most. */
static void steps_with_pagh_are_flat_over_m(void **state)
{
    static const uint32_t columns[] = {256,  257,  502,  512,  1000, 1024,  1025,  1100,  2049,
                                       2500, 4096, 4097, 8193, 9000, 16384, 16385, 32769, 65536};
    double least = 1e9, most = 0;

    (void)state;
    for (uint32_t m = 258; cw_long_run() && m <= 320; m++) {
        if (m % 37) { /* see steps_over_m */
            const double steps = steps_over_m(m);

            least = fmin(steps, least);
            most = fmax(steps, most);
        }
    }
    for (size_t k = 0; k < COUNT(columns) && columns[k] <= (cw_long_run() ? 65536 : 2049); k++) {
        const double steps = steps_over_m(columns[k]);

        least = fmin(steps, least);
        most = fmax(steps, most);
    }
    assert_true(most <= 1.05 * least);
    assert_true(least > 41.4 && most < 43.3); /* docs/paper.md */
}

/* For all m between: what depends on the sizes of the tables are two sharings, and they differ by less
 * than 5 % of the 41 m steps that the least of all takes. */
static void sharing_pagh_is_flat_over_every_m(void **state)
{
    double least = 1e9, most = 0;

    (void)state;
    for (int m = 256; m <= 65536; m++) {
        const hash_shape f = hash_shape_of(CW_HASH_PAGH, 64, m);
        const double steps = 2.0 * (double)(share_steps(f.words, 64) + f.keep) / m;

        least = fmin(steps, least);
        most = fmax(steps, most);
    }
    assert_true(most - least <= 0.05 * 41 && most - least > 0);
}

/* ---- lemma 3 ---------------------------------------------------------------------------- */

/* k balls in m boxes, exactly: the chances that so many of them lie in boxes with more than alpha.  Box
 * after box: of[b][h] is the chance that b balls lie in those so far, h of them in such with more. */
static void list_heavy(int m, int k, int alpha, double *chance)
{
    static double of[KEYS_MOST + 1][KEYS_MOST + 1], next[KEYS_MOST + 1][KEYS_MOST + 1];

    memset(of, 0, sizeof of);
    of[0][0] = 1;
    for (int box = 0; box < m; box++) {
        memset(next, 0, sizeof next);
        for (int b = 0; b <= k; b++) {
            for (int h = 0; h <= b; h++) {
                double ways = of[b][h]; /* of the k - b balls left, x lie in this box */

                for (int x = 0; b + x <= k && ways > 0; x++) {
                    next[b + x][h + (x > alpha ? x : 0)] +=
                        ways * (m - box == 1 ? b + x == k : pow(1 - 1.0 / (m - box), k - b - x));
                    ways *= (double)(k - b - x) / (x + 1) / (m - box);
                }
            }
        }
        memcpy(of, next, sizeof of);
    }
    memcpy(chance, of[k], ((size_t)k + 1) * sizeof *chance);
}

/* The labels of a row that has k of them, for k different rows: those in heavy colours are as many as
 * the list of all cases says, for every hash that is independent on them.  With more than PAGH_EXACT
 * colours pagh has tables. */
static void heavy_labels_are_as_the_list_of_all_cases_says(void **state)
{
    static const int sizes[][2] = {{5, 5}, {80, KEYS_MOST}}; /* m, k */

    (void)state;
    for (int run = 0; run < 18; run++) {
        const int kind = CW_HASH_TABLE + run % 3, alpha = 1 + run / 3 % 3;
        const int m = sizes[run / 9][0], k = sizes[run / 9][1];
        struct one_hash x = {.shape = hash_shape_of(kind, 11 * k + 3, m), .count = k, .redraw = 1};
        struct cw_model *const s = hash_machine(&x.shape);
        uint32_t seen[KEYS_MOST + 1] = {0};
        double chance[KEYS_MOST + 1];

        list_heavy(m, k, alpha, chance);
        x.d.key = mix_word(cw_test_seed() + 7 * (uint64_t)run);
        x.d.drawn = 0;
        for (int q = 0; q < k; q++)
            x.key[q] = 11 * q + 3;
        for (uint32_t r = 0; r < (CW_SANITIZED ? 500 : 5000); r++) {
            int load[80] = {0}, heavy = 0;

            assert_int_equal(cw_model_run(s, hash_body, &x), CW_OK);
            x.d.drawn += (word)x.shape.draws;
            for (int q = 0; q < k; q++)
                load[((q * q + 1) % m - x.y[q] + m) % m]++; /* label (key, j): colour j - h */
            for (int c = 0; c < m; c++)
                heavy += load[c] > alpha ? load[c] : 0;
            seen[heavy]++;
        }
        assert_chances(names[kind], seen, chance, (uint32_t)k + 1);
        cw_model_destroy(s);
    }
}

/* The tail: heavy labels beyond m (k/2m)^(alpha/10) are rarer than 2^-(sqrt(m) (k/2m)^(alpha/10)),
 * with the constant of the Omega at 1. */
static void the_tail_of_lemma_3_holds(void **state)
{
    const int m = 64, draws = 3000;
    const word key = mix_word(cw_test_seed() + 99);
    word number = 0;

    (void)state;
    for (int alpha = 4; alpha <= 12; alpha += 4) {
        for (int k = m / 4; k <= m; k += m / 4) {
            const double share = pow(k / (2.0 * m), alpha / 10.0);
            int beyond = 0;

            for (int r = 0; r < draws; r++) {
                int load[64] = {0}, heavy = 0;

                for (int q = 0; q < k; q++)
                    load[below(random_word(key, number++), m)]++;
                for (int c = 0; c < m; c++)
                    heavy += load[c] > alpha ? load[c] : 0;
                beyond += heavy >= m * share;
            }
            /* seven deviations of a binomial above its chance */
            assert_true(beyond <= draws * exp2(-sqrt(m) * share) +
                                      7 * sqrt(draws * exp2(-sqrt(m) * share)) + 7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_of_a_random_word_is_random),
        cmocka_unit_test(numbers_below_m_are_uniform),
        cmocka_unit_test(rows_are_turned_each_by_its_own_random_number),
        cmocka_unit_test(values_of_a_few_keys_are_independent),
        cmocka_unit_test(table_entries_take_every_value),
        cmocka_unit_test(entries_of_each_table_of_triples_take_every_value),
        cmocka_unit_test(pagh_is_what_its_definition_says),
        cmocka_unit_test(pagh_has_the_sizes_of_theorem_3),
        cmocka_unit_test(steps_with_pagh_are_flat_over_m),
        cmocka_unit_test(sharing_pagh_is_flat_over_every_m),
        cmocka_unit_test(heavy_labels_are_as_the_list_of_all_cases_says),
        cmocka_unit_test(the_tail_of_lemma_3_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
