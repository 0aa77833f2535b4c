/* test_conflicts.c - collisions explain the price, changes are one to one, and the search finds
 * the paddings and swizzles that are known to exist.  What users see is tested in conflicts.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/wavefronts.h"
#include "test.h"

#include "cli/conflicts/conflicts_lanes.c"
#include "cli/conflicts/conflicts_search.c"
#include "cli/conflicts/conflicts_pattern.c"
#include "cli/conflicts/conflicts_kernel.c"

static const struct cw_bank_machine *const nvidia = &cw_bank_machines[0];

static struct cw_lanes_request random_request(const struct cw_bank_machine *m, uint64_t seed)
{
    struct cw_random random = cw_random_from(seed);
    struct cw_lanes_request r = {1u << cw_random_below(&random, 5), 0, 0, {0}};
    const uint64_t range = UINT64_C(1) << cw_random_below(&random, 12);
    const int share = cw_random_below(&random, 3) == 0;

    r.write = (int)cw_random_below(&random, 2);
    r.lanes = cw_random_below(&random, 3) ? UINT64_MAX : cw_random_next(&random) | 1;
    if (m->lanes < 64)
        r.lanes &= UINT32_MAX;
    for (uint32_t lane = 0; lane < m->lanes; lane++)
        r.at[lane] = share && lane % 2 ? r.at[lane - 1]
                                       : r.bytes * (uint32_t)cw_random_below(&random, range);
    return r;
}

static void nvidia_is_what_the_emulator_counts(void **state)
{
    const uint64_t first = cw_test_seed();
    uint32_t above = 0;

    (void)state;
    for (uint64_t seed = first; seed < first + 20000; seed++) {
        const struct cw_lanes_request r = random_request(nvidia, seed);
        struct cw_request same = {r.bytes, 0, r.write, (uint32_t)r.lanes, {0}};
        uint32_t ideal, want_ideal, got, want;

        if (r.bytes < 4)
            same.bytes = 4; /* the word in which the bytes lie */
        for (uint32_t lane = 0; lane < CW_WARP; lane++)
            same.at[lane] = r.bytes < 4 ? r.at[lane] / 4 * 4 : r.at[lane];
        got = cw_bank_wavefronts(nvidia, &r, &ideal);
        want = cw_wavefronts(&same, &want_ideal);
        if (got != want || ideal != want_ideal)
            fail_msg("seed %llu: %u wavefronts, ideal %u, not %u and %u", (unsigned long long)seed,
                     got, ideal, want, want_ideal);
        above += got > ideal;
    }
    assert_true(above > 1000);
}

/* What is published of other machines. */
static void other_machines_serve_lanes_in_their_order(void **state)
{
    static const uint8_t amd[] = {0, 1, 2, 3, 1, 0, 3, 2, 4, 5, 6, 7, 5, 4, 7, 6};
    struct cw_lanes_request r = {16, 0, UINT64_MAX, {0}};
    uint8_t part[CW_LANES_MAX];
    uint32_t ideal;

    (void)state;
    for (uint32_t lane = 0; lane < 64; lane++)
        r.at[lane] = 16 * lane;
    assert_int_equal(cw_bank_parts(&cw_bank_machines[1], &r, part), 8);
    for (uint32_t lane = 0; lane < 64; lane++)
        assert_int_equal(part[lane], amd[lane / 4]);
    assert_int_equal(cw_bank_wavefronts(&cw_bank_machines[1], &r, &ideal), 8);
    assert_int_equal(ideal, 8);
    assert_int_equal(cw_bank_wavefronts(&cw_bank_machines[2], &r, &ideal), 4);
    r.write = 1;
    assert_int_equal(cw_bank_parts(&cw_bank_machines[1], &r, part), 8);
    assert_int_equal(part[8], 1);
    r.bytes = 4;
    assert_int_equal(cw_bank_parts(&cw_bank_machines[1], &r, part), 2);
    assert_int_equal(cw_bank_parts(&cw_bank_machines[2], &r, part), 1);
    assert_int_equal(cw_bank_wavefronts(&cw_bank_machines[2], &r, &ideal), 4); /* stride 4 */
    assert_int_equal(ideal, 1);
    r.bytes = 2;
    assert_int_equal(cw_bank_parts(&cw_bank_machines[1], &r, part), 2);
}

/* Every collision is inside one part, and the longest queue of each part makes the price. */
static void collisions_account_for_every_wavefront(void **state)
{
    const uint64_t first = cw_test_seed();

    (void)state;
    for (uint64_t seed = first; seed < first + 20000; seed++) {
        const struct cw_bank_machine *const m = &cw_bank_machines[seed % 3];
        const struct cw_lanes_request r = random_request(m, seed);
        struct collision c[COLLISIONS_MAX];
        uint8_t part[CW_LANES_MAX];
        uint32_t ideal, sum = 0;
        const uint32_t parts = cw_bank_parts(m, &r, part), count = collisions_of(m, &r, c);

        for (uint32_t x = 0; x < parts; x++) {
            uint64_t mask = 0;
            uint32_t most;

            for (uint32_t lane = 0; lane < m->lanes; lane++)
                mask |= (uint64_t)(part[lane] == x) << lane;
            most = (r.lanes & mask) != 0;
            for (uint32_t k = 0; k < count; k++) {
                assert_true(!(c[k].lanes & mask) || !(c[k].lanes & ~mask));
                if (c[k].lanes & mask && c[k].count > most)
                    most = c[k].count;
            }
            sum += most;
        }
        if (sum != cw_bank_wavefronts(m, &r, &ideal))
            fail_msg("seed %llu: the collisions do not make the wavefronts",
                     (unsigned long long)seed);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(c[k].count > 1 && (c[k].lanes & ~r.lanes) == 0);
            for (uint32_t x = 0; x < c[k].count; x++)
                assert_int_equal(c[k].word[x] % m->banks, c[k].bank);
        }
    }
}

/* ---- changes -------------------------------------------------------------- */

static void no_two_elements_come_to_one_place(void **state)
{
    static struct candidate all[CHANGE_MAX];
    static struct ask ask; /* nobody asks */
    const struct price price = {.memory = 4 * 65536};

    (void)state;
    for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
        const struct pattern p = {.machine = nvidia, .bytes = bytes, .count = 1, .ask = &ask};
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
    const struct question q = {.machine = nvidia,
                               .threads = threads,
                               .block = {threads, 1, 1},
                               .to = values,
                               .has_i = 1,
                               .bytes = bytes,
                               .write = write};
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
        for (uint32_t lane = 0; lane < CW_LANES_MAX; lane++)
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
    assert_int_equal(now.memory, nvidia->shared);
    assert_int_equal(search_change(&p, &now, 0, &c, &tried), 0);
    assert_int_equal(search_change(&p, &now, 1, &c, &tried), 1);
    assert_true(changed(&p, &c).memory <= nvidia->shared);
    pattern_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvidia_is_what_the_emulator_counts),
        cmocka_unit_test(other_machines_serve_lanes_in_their_order),
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
