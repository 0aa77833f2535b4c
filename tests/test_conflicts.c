/* test_conflicts.c - collisions explain the price, changes are one to one, and the search finds
 * the paddings and swizzles that are known to exist.  What users see is tested in conflicts.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "../cli/conflicts_lanes.c"
#include "../cli/conflicts_search.c"
#include "../cli/conflicts_pattern.c"

static struct cw_request random_request(uint64_t seed)
{
    struct cw_random random = cw_random_from(seed);
    struct cw_request r = {4u << cw_random_below(&random, 3), 0, 0, UINT32_MAX, {0}};
    const uint64_t range = UINT64_C(1) << cw_random_below(&random, 10);
    const int share = cw_random_below(&random, 3) == 0;

    r.write = (int)cw_random_below(&random, 2);
    if (cw_random_below(&random, 3) == 0)
        r.lanes = (uint32_t)cw_random_next(&random) | 1;
    for (uint32_t lane = 0; lane < CW_WARP; lane++)
        r.at[lane] = share && lane % 2 ? r.at[lane - 1]
                                       : r.bytes * (uint32_t)cw_random_below(&random, range);
    return r;
}

/* With parts of so many lanes: every collision is inside one, and the longest queue of each part
 * makes the price. */
static int explains(const struct cw_request *r, const struct collision *c, uint32_t count,
                    uint32_t part, uint32_t price)
{
    uint32_t sum = 0;

    for (uint32_t first = 0; first < CW_WARP; first += part) {
        const uint32_t mask = (part < 32 ? (UINT32_C(1) << part) - 1 : UINT32_MAX) << first;
        uint32_t most = r->lanes & mask ? 1 : 0;

        for (uint32_t k = 0; k < count; k++) {
            if (!(c[k].lanes & mask))
                continue;
            if (c[k].lanes & ~mask)
                return 0;
            if (c[k].count > most)
                most = c[k].count;
        }
        sum += most;
    }
    return sum == price;
}

static void collisions_account_for_every_wavefront(void **state)
{
    const uint64_t first = cw_test_seed();
    uint32_t larger = 0;

    (void)state;
    for (uint64_t seed = first; seed < first + 20000; seed++) {
        const struct cw_request r = random_request(seed);
        const uint32_t part = 128 / r.bytes;
        struct collision c[COLLISIONS_MAX];
        uint32_t ideal;
        const uint32_t price = cw_wavefronts(&r, &ideal), count = collisions_of(&r, c);
        int so = explains(&r, c, count, part, price);

        if (!so && part < 32) {
            so = explains(&r, c, count, 2 * part, price);
            larger++;
        }
        if (!so)
            fail_msg("seed %llu: the collisions do not make %u wavefronts",
                     (unsigned long long)seed, price);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(c[k].count > 1 && (c[k].lanes & ~r.lanes) == 0);
            for (uint32_t x = 0; x < c[k].count; x++)
                assert_int_equal(c[k].word[x] % CW_BANKS, c[k].bank);
        }
    }
    assert_true(larger > 100);
}

/* ---- changes -------------------------------------------------------------- */

static void no_two_elements_come_to_one_place(void **state)
{
    static struct candidate all[CHANGE_MAX];
    static struct ask ask; /* nobody asks */
    const struct price price = {.memory = 4 * 65536};

    (void)state;
    for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
        const struct pattern p = {bytes, 0, 1, &ask};
        uint32_t count = all_paddings(&p, &price, all);

        assert_true(count > 1000 && count <= CHANGE_MAX);
        for (uint32_t k = 0; k < count; k += CW_SANITIZED ? 7 : 1) /* in order, and apart */
            for (uint32_t x = 0; x < 2200; x++)
                assert_true(change_apply(&all[k].change, x + 1) > change_apply(&all[k].change, x));
        count = all_swizzles(&p, all);
        assert_true(count > 50 && count <= CHANGE_MAX);
        for (uint32_t k = 0; k < count; k++) {
            unsigned char taken[4096] = {0};

            for (uint32_t x = 0; x < sizeof taken; x++) {
                const uint64_t to = change_apply(&all[k].change, x);

                assert_true(to < sizeof taken && !taken[to]);
                taken[to % sizeof taken] = 1;
            }
        }
    }
}

/* ---- the search ----------------------------------------------------------- */

static struct pattern make(const char *text, uint32_t threads, uint32_t bytes, int64_t values,
                           int write)
{
    const struct question q = {
        .threads = threads, .to = values, .has_i = 1, .bytes = bytes, .write = write};
    struct pattern p;
    struct trouble why;

    if (pattern_make(&q, text, &p, &why))
        fail_msg("%s: %s", text, why.error.text);
    return p;
}

/* What all requests take after the change. */
static struct price changed(const struct pattern *p, const struct change *c)
{
    struct pattern copy = *p;
    struct price price;

    copy.ask = (struct ask *)malloc(p->count * sizeof *copy.ask);
    assert_non_null(copy.ask);
    for (uint32_t k = 0; k < p->count; k++) {
        copy.ask[k] = p->ask[k];
        for (uint32_t lane = 0; lane < CW_WARP; lane++)
            copy.ask[k].index[lane] = (uint32_t)change_apply(c, p->ask[k].index[lane]);
    }
    pattern_price(&copy, &price);
    pattern_free(&copy);
    return price;
}

static void a_free_padding_and_a_free_swizzle_are_found_for_strides(void **state)
{
    static const uint32_t strides[] = {2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128};

    (void)state;
    for (size_t k = 0; k < COUNT(strides); k++) {
        const uint32_t stride = strides[k];

        for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
            char text[32];
            struct pattern p;
            struct price now, then;
            struct change c;
            uint32_t tried;

            snprintf(text, sizeof text, "t * %u", stride);
            p = make(text, 64, bytes, 1, 0);
            pattern_price(&p, &now);
            if (now.wavefronts > now.ideal) {
                assert_int_equal(search_change(&p, &now, 0, &c, &tried), 1);
                then = changed(&p, &c);
                if (then.wavefronts != now.ideal)
                    fail_msg("%s: a padding with %llu", text, (unsigned long long)then.wavefronts);
                assert_int_equal(search_change(&p, &now, 1, &c, &tried), 1);
                then = changed(&p, &c);
                assert_true(then.wavefronts < now.wavefronts);
                if ((stride & (stride - 1)) == 0)
                    assert_int_equal(then.wavefronts, now.ideal);
            }
            pattern_free(&p);
        }
    }
}

static void columns_of_a_tile_are_mended_in_all_requests_not_only_in_a_sample(void **state)
{
    static const struct {
        const char *text;
        uint32_t threads, bytes;
        int64_t values;
        uint32_t every, pad;
    } cases[] = {
        {"t * 32 + i", 32, 4, 32, 32, 1},
        {"(t % 32) * 64 + t / 32 + i * 32", 1024, 4, 2, 64, 1},
        {"(t % 32) * 100 + t / 32 + i * 32", 1024, 4, 3, 100, 1},
        {"(t % 16) * 16 + t / 16 + i * 256", 256, 8, 64, 16, 1},
        {"(t % 8) * 8 + t / 8", 64, 16, 1, 8, 1},
        {"t * 32 + i % 32", 32, 4, 4096, 32, 1},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct pattern p =
            make(cases[k].text, cases[k].threads, cases[k].bytes, cases[k].values, 0);
        struct price now;
        struct change c;
        uint32_t tried;

        pattern_price(&p, &now);
        assert_true(now.wavefronts > now.ideal);
        assert_int_equal(search_change(&p, &now, 0, &c, &tried), 1);
        if (c.every != cases[k].every || c.pad != cases[k].pad)
            fail_msg("%s: %u after every %u", cases[k].text, c.pad, c.every);
        assert_int_equal(changed(&p, &c).wavefronts, now.ideal);
        pattern_free(&p);
    }
}

static void no_swizzle_is_better_than_the_one_that_is_found(void **state)
{
    static const char *const texts[] = {
        "(t * t * 7 + i * i * 13) % 4096", "t * t * 3 % 1021 + i * 8", "t * 24 ^ i * 40",
        "(t ^ i) * (t ^ i) % 2039 * 4", "t % 8 * (i + 1) * 16 + t / 8"};

    (void)state;
    for (size_t k = 0; k < COUNT(texts); k++) {
        static struct candidate all[CHANGE_MAX];
        struct pattern p = make(texts[k], 32, 4, 150, 0); /* more than are sampled */
        struct price now;
        struct change c;
        uint32_t tried, count;
        uint64_t best;

        pattern_price(&p, &now);
        assert_int_equal(search_change(&p, &now, 1, &c, &tried), 1);
        best = changed(&p, &c).wavefronts;
        assert_true(best < now.wavefronts);
        count = all_swizzles(&p, all);
        for (uint32_t x = 0; x < count; x++)
            if (changed(&p, &all[x].change).wavefronts < best)
                fail_msg("%s: %llu wavefronts are not the fewest", texts[k],
                         (unsigned long long)best);
        pattern_free(&p);
    }
}

static void nothing_is_offered_that_does_not_help(void **state)
{
    struct pattern p = make("t", 32, 8, 1, 1);
    struct price now;
    struct change c;
    uint32_t tried = 0;

    (void)state;
    p.ask[0].lanes = 0xff00ff; /* 128 bytes in two halves: two wavefronts, never one */
    pattern_price(&p, &now);
    assert_int_equal(now.wavefronts, 2);
    assert_int_equal(now.ideal, 1);
    assert_int_equal(search_change(&p, &now, 0, &c, &tried), 0);
    assert_true(tried > 10);
    assert_int_equal(search_change(&p, &now, 1, &c, &tried), 0);
    assert_true(tried > 10);
    pattern_free(&p);
}

static void a_change_stays_in_shared_memory(void **state)
{
    /* All of it is used, in columns of 1816: a padding would leave it, a swizzle does not. */
    struct pattern p = make("t * 1816 + 1815", 32, 4, 1, 0);
    struct price now;
    struct change c;
    uint32_t tried;

    (void)state;
    pattern_price(&p, &now);
    assert_int_equal(now.memory, SHARED_BYTES);
    assert_int_equal(search_change(&p, &now, 0, &c, &tried), 0);
    assert_int_equal(search_change(&p, &now, 1, &c, &tried), 1);
    assert_true(changed(&p, &c).memory <= SHARED_BYTES);
    pattern_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_account_for_every_wavefront),
        cmocka_unit_test(no_two_elements_come_to_one_place),
        cmocka_unit_test(a_free_padding_and_a_free_swizzle_are_found_for_strides),
        cmocka_unit_test(columns_of_a_tile_are_mended_in_all_requests_not_only_in_a_sample),
        cmocka_unit_test(no_swizzle_is_better_than_the_one_that_is_found),
        cmocka_unit_test(nothing_is_offered_that_does_not_help),
        cmocka_unit_test(a_change_stays_in_shared_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
