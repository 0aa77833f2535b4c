/* test_cpu_vectors.c - words sorted by vectors: by networks, quicksort and merges, wherever the words are at first.
 *
 * A network that sorts all zeros and ones sorts everything (Knuth's 0-1 principle): all of them where there are few, random
 * ones elsewhere.  Nothing is written beside an array, and the one that words come from stays as it was. */
#include <stdlib.h>
#include <string.h>

#include "cpu/sort/vectors/vectors.h"
#include "guarded.h"
#include "inputs/random.h"
#include "test.h"

#define MOST 3000u /* words */

/* Kinds 0, 1, 2 have words of 4, 8 and 2 bytes. */
#define KINDS 3u

static size_t bytes_of(uint32_t kind)
{
    return kind == 2 ? 2 : (size_t)4 << kind;
}

static int by_size_of_2(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static int by_size_of_4(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int by_size_of_8(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The ways to sort on this processor; NULL if it has none. */
static const struct cw_vectors *vectors_of(uint32_t kind)
{
    uint32_t k = cw_columns_count - 1;

    while (!cw_columns_list[k].here())
        k--;
    return kind == 2 ? cw_vectors2_of(&cw_columns_list[k])
                     : cw_vectors_of(&cw_columns_list[k], kind);
}

/* From an array of its own, from the output, from the room. */
enum place { APART, OUT, WORK, PLACES };

/* `pivots` bad ones; 0: merges. */
static void check(uint32_t kind, const void *words, uint32_t n, uint32_t pivots)
{
    static int (*const by_size[])(const void *, const void *) = {by_size_of_4, by_size_of_8,
                                                                 by_size_of_2};
    const size_t bytes = n * bytes_of(kind);
    void *const want = guarded_array(bytes);

    memcpy(want, words, bytes);
    qsort(want, n, bytes_of(kind), by_size[kind]);
    for (uint32_t place = APART; place < PLACES; place++) {
        void *const in = guarded_array(bytes), *const out = guarded_array(bytes);
        void *const work = guarded_array(bytes);
        void *const from = place == APART ? in : place == OUT ? out : work;
        const struct cw_stretch all = {from, out, work, n};
        struct cw_pivots p = {n, 0, pivots, 1};

        memcpy(from, words, bytes);
        vectors_of(kind)->sort(&p, &all);
        assert_memory_equal(out, want, bytes);
        assert_true(guards_stand(out, bytes) && guards_stand(work, bytes));
        assert_int_equal(p.left, pivots);
        if (place == APART)
            assert_memory_equal(in, words, bytes);
        guarded_free(in);
        guarded_free(out);
        guarded_free(work);
    }
    guarded_free(want);
}

static void put(uint32_t kind, void *words, uint32_t x, uint64_t word)
{
    if (kind == 1)
        ((uint64_t *)words)[x] = word;
    else if (kind == 2)
        ((uint16_t *)words)[x] = (uint16_t)word;
    else
        ((uint32_t *)words)[x] = (uint32_t)word;
}

static uint64_t get(uint32_t kind, const void *words, uint32_t x)
{
    return kind == 1   ? ((const uint64_t *)words)[x]
           : kind == 2 ? ((const uint16_t *)words)[x]
                       : ((const uint32_t *)words)[x];
}

/* Words of so many values: 0, all, and others between. */
static void draw(uint32_t kind, void *words, uint32_t n, uint64_t values, struct cw_random *random)
{
    for (uint32_t x = 0; x < n; x++) {
        const uint64_t r = cw_random_next(random);

        put(kind, words, x, !values ? r : values == 2 ? 0 - (r >> 40 & 1) : (r >> 20) % values);
    }
}

static void words_of_every_length_are_sorted(void **state)
{
    static const uint64_t values[] = {0, 2, 5, 100};
    struct cw_random random = cw_random_from(cw_test_seed());
    uint64_t words[MOST];

    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = vectors_of(kind) ? 0 : MOST; n < MOST; n += 1 + n / 300 * 7)
            for (size_t v = 0; v < COUNT(values); v++) {
                draw(kind, words, n, values[v], &random);
                check(kind, words, n, 12);
                if (n % 3 == 0)
                    check(kind, words, n, 0);
            }
}

/* Up to a vector, and columns of two rows. */
static void all_zeros_and_ones_are_sorted(void **state)
{
    uint64_t words[16], out[16], work[16];

    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = vectors_of(kind) ? 1 : 17; n <= 16; n++)
            for (uint32_t set = 0; set < 1u << n; set++) {
                const struct cw_stretch all = {words, out, work, n};
                struct cw_pivots p = {1, 0, 1, 1};
                const uint32_t ones = (uint32_t)__builtin_popcount(set);

                for (uint32_t x = 0; x < n; x++)
                    put(kind, words, x, set >> x & 1);
                vectors_of(kind)->sort(&p, &all);
                for (uint32_t x = 0; x < n; x++)
                    assert_int_equal(get(kind, out, x), x >= n - ones);
            }
}

/* Most words are one, and one or a few others are somewhere. */
static void words_beside_many_equal_ones_are_sorted(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());
    uint64_t words[MOST];

    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t turn = vectors_of(kind) ? 0 : 300; turn < 300; turn++) {
            const uint32_t n = 520 + (uint32_t)(cw_random_next(&random) % (MOST - 520));
            const uint64_t one = turn % 3 == 0 ? 0 : turn % 3 == 1 ? 7 : UINT64_MAX;

            for (uint32_t x = 0; x < n; x++)
                put(kind, words, x, one);
            for (uint32_t k = 0; k < turn % 7; k++)
                put(kind, words, (uint32_t)(cw_random_next(&random) % n), one + k % 3 - 1);
            check(kind, words, n, 12);
        }
}

/* In order or reversed, but for two neighbours somewhere, or none. */
static void words_nearly_in_order_are_sorted(void **state)
{
    uint64_t words[MOST];

    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = vectors_of(kind) ? 500 : MOST; n < MOST; n += 61)
            for (uint32_t turn = 0; turn < 12; turn++) {
                const uint32_t at = turn / 2 * (n - 1) / 5;

                for (uint32_t x = 0; x < n; x++)
                    put(kind, words, x, (turn % 2 ? n - x : x) / (1 + turn % 3));
                if (turn < 10) {
                    const uint64_t word = get(kind, words, at);

                    put(kind, words, at, get(kind, words, at + 1));
                    put(kind, words, at + 1, word);
                }
                check(kind, words, n, 12);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_every_length_are_sorted),
        cmocka_unit_test(all_zeros_and_ones_are_sorted),
        cmocka_unit_test(words_beside_many_equal_ones_are_sorted),
        cmocka_unit_test(words_nearly_in_order_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
