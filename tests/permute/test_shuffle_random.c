/* test_shuffle_random.c - the permutations of prim/bijection.h have the statistics of random ones.
 *
 * Each test counts in cells and holds chi-square against its mean and spread; seeds are fresh, and a sound
 * shuffle fails one in 10^8 times or so (6 standard deviations).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prim/bijection.h"
#include "test.h"

#define SIGMAS 6.0

static uint64_t next_seed(void)
{
    static uint64_t k;

    return bijection_word(cw_test_seed(), 1000000 + k++);
}

/* Counts of cells that are equally likely, with `fixed` sums known. */
static void must_be_even(const char *what, const uint32_t *count, size_t cells, double fixed)
{
    double sum = 0, chi = 0, z;

    for (size_t c = 0; c < cells; c++)
        sum += count[c];
    for (size_t c = 0; c < cells; c++)
        chi += (count[c] - sum / (double)cells) * (count[c] - sum / (double)cells);
    chi /= sum / (double)cells;
    z = (chi - ((double)cells - fixed)) / sqrt(2 * ((double)cells - fixed));
    print_message("%-36s %7zu cells of %6.0f: %+.2f sigmas\n", what, cells, sum / (double)cells, z);
    if (fabs(z) > SIGMAS)
        fail_msg("%s: %.1f sigmas, seed %llu", what, z, (unsigned long long)cw_test_seed());
}

static void must_be_near(const char *what, double mean, double want, double deviation)
{
    const double z = (mean - want) / deviation;

    print_message("%-36s %.4f, expected %.4f: %+.2f sigmas\n", what, mean, want, z);
    if (fabs(z) > SIGMAS)
        fail_msg("%s: %.1f sigmas, seed %llu", what, z, (unsigned long long)cw_test_seed());
}

static void all_orders_of_few_are_equally_likely(void **state)
{
    static uint32_t count[5040];

    (void)state;
    for (uint64_t n = 2; n <= 7; n++) {
        uint32_t orders = 1;
        char what[32];

        for (uint32_t k = 2; k <= n; k++)
            orders *= k;
        memset(count, 0, sizeof count);
        for (uint32_t k = 0; k < 40 * orders; k++) {
            const struct bijection b = bijection_of(n, next_seed());
            uint32_t rank = 0;
            uint64_t p[8];

            for (uint64_t i = 0; i < n; i++)
                p[i] = bijection_at(&b, i);
            for (uint64_t i = 0; i < n; i++) { /* its number, by how many behind are smaller */
                uint32_t less = 0;

                for (uint64_t j = i + 1; j < n; j++)
                    less += p[j] < p[i];
                rank = rank * (uint32_t)(n - i) + less;
            }
            count[rank]++;
        }
        (void)snprintf(what, sizeof what, "orders of %llu", (unsigned long long)n);
        must_be_even(what, count, orders, 1);
    }
}

/* Each element goes to each place equally often, over seeds that are neighbours too. */
static void every_place_is_as_likely(void **state)
{
    static const uint64_t sizes[] = {16, 50, 64, 100};
    static uint32_t count[100 * 100];

    (void)state;
    for (size_t x = 0; x < COUNT(sizes); x++) {
        const uint64_t n = sizes[x], seed = next_seed();

        memset(count, 0, sizeof count);
        for (uint64_t k = 0; k < 50 * n; k++) {
            const struct bijection b = bijection_of(n, seed + k);

            for (uint64_t i = 0; i < n; i++)
                count[i * n + bijection_at(&b, i)]++;
        }
        must_be_even("places", count, n * n, 2.0 * (double)n - 1);
    }
}

/* Two elements go to two places: each pair of them equally often. */
static void every_pair_of_places_is_as_likely(void **state)
{
    static uint32_t count[64 * 64];

    (void)state;
    for (uint64_t apart = 1; apart <= 32; apart *= 2) {
        const uint64_t n = 64;
        uint32_t cells[64 * 63], used = 0;

        memset(count, 0, sizeof count);
        for (uint64_t k = 0; k < 20 * n * (n - 1); k++) {
            const struct bijection b = bijection_of(n, next_seed());

            count[bijection_at(&b, 5) * n + bijection_at(&b, (5 + apart) % n)]++;
        }
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 0; j < n; j++)
                if (i != j)
                    cells[used++] = count[i * n + j];
        must_be_even("pairs", cells, used, 1);
    }
}

/* In one long permutation: how far neighbours are apart afterwards, and what bits they share. */
static void neighbours_part_at_random(void **state)
{
    static const uint64_t sizes[] = {(uint64_t)1 << 28, 300000007, ((uint64_t)1 << 33) + 12345};
    const uint64_t trials = cw_long_run() ? 1u << 22 : 1u << 17;
    static uint32_t count[1024];

    (void)state;
    for (size_t x = 0; x < COUNT(sizes); x++) {
        const uint64_t n = sizes[x];
        const struct bijection b = bijection_of(n, next_seed());

        for (uint64_t apart = 1; apart <= 4096; apart *= 64) {
            memset(count, 0, sizeof count);
            for (uint64_t i = 0; i < trials; i++) {
                const uint64_t p = bijection_at(&b, i), q = bijection_at(&b, i + apart);

                count[(uint64_t)((double)((q + n - p) % n) / (double)n * 1024)]++;
            }
            must_be_even("differences of neighbours", count, 1024, 1);
            memset(count, 0, sizeof count);
            for (uint64_t i = 0; i < trials; i++)
                count[(bijection_at(&b, i) & 31) << 5 | (bijection_at(&b, i + apart) & 31)]++;
            must_be_even("low bits of neighbours", count, 1024, 1);
        }
    }
}

/* The mean and spread of fixed points are 1; both over seeds, and of seeds' differences. */
static void fixed_points_are_those_of_chance(void **state)
{
    static const uint64_t sizes[] = {64, 1000, 1024};
    const unsigned trials = 2000;

    (void)state;
    for (size_t x = 0; x < COUNT(sizes); x++) {
        const uint64_t n = sizes[x];
        double fixed = 0, squares = 0, alike = 0;

        for (unsigned k = 0; k < trials; k++) {
            const uint64_t seed = next_seed();
            const struct bijection b = bijection_of(n, seed), c = bijection_of(n, seed + 1);
            double here = 0;

            for (uint64_t i = 0; i < n; i++) {
                const uint64_t p = bijection_at(&b, i);

                here += p == i;
                alike += p == bijection_at(&c, i);
            }
            fixed += here;
            squares += (here - 1) * (here - 1);
        }
        must_be_near("fixed points", fixed / trials, 1, 1 / sqrt(trials));
        must_be_near("their variance", squares / trials, 1, sqrt(3.0 / trials));
        must_be_near("alike with the next seed", alike / trials, 1, 1 / sqrt(trials));
    }
}

/* Cycles: as many as the n-th harmonic number, an even and an odd number as often; the one of an element is as
 * likely of each length. */
static void cycles_are_those_of_chance(void **state)
{
    static const uint64_t sizes[] = {256, 500, 1024};
    const unsigned trials = 2000;
    static uint8_t seen[1024];

    (void)state;
    for (size_t x = 0; x < COUNT(sizes); x++) {
        const uint64_t n = sizes[x];
        double cycles = 0, odd = 0, harmonic = 0, spread = 0;
        uint32_t length[10] = {0};

        for (uint64_t k = 1; k <= n; k++) {
            harmonic += 1.0 / (double)k;
            spread += 1.0 / (double)k - 1.0 / (double)k / (double)k;
        }
        for (unsigned k = 0; k < trials; k++) {
            const struct bijection b = bijection_of(n, next_seed());
            unsigned here = 0;

            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < n; i++) {
                uint64_t steps = 0;

                for (uint64_t j = i; !seen[j]; j = bijection_at(&b, j), steps++)
                    seen[j] = 1;
                here += steps > 0;
                if (i == 0)
                    length[(steps - 1) * 10 / n]++;
            }
            cycles += here;
            odd += here % 2;
        }
        must_be_near("cycles", cycles / trials, harmonic, sqrt(spread / trials));
        must_be_near("odd numbers of them", odd / trials, 0.5, 0.5 / sqrt(trials));
        if (n % 10 == 0)
            must_be_even("length of a cycle", length, 10, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_orders_of_few_are_equally_likely),
        cmocka_unit_test(every_place_is_as_likely),
        cmocka_unit_test(every_pair_of_places_is_as_likely),
        cmocka_unit_test(neighbours_part_at_random),
        cmocka_unit_test(fixed_points_are_those_of_chance),
        cmocka_unit_test(cycles_are_those_of_chance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
