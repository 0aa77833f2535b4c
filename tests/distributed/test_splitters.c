/* test_splitters.c - the search for splitters, on ranks that are simulated.
 *
 * Exact on every input: as many items are cut off before splitter j, on all ranks together, as the shares
 * before it have, and none of them is above one that is not.  Rounds, messages and bytes stay within the
 * bounds of splitters.h. */
#include <stdio.h>
#include <stdlib.h>

#include "distributed/ranks/simulated.h"
#include "distributed/sort/pivots.h"
#include "distributed/sort/virtual_keys.h"
#include "test.h"

struct trial {
    uint32_t ranks;
    uint64_t each; /* items of a rank; the last one may have more */
    int uneven;
    enum cw_virtual_input input;
    int narrow; /* u32, not u64 */
    uint64_t seed;
    uint64_t *cuts; /* of rank r from r * (ranks + 1) on */
    cw_group_report *reports;
    cw_status *statuses;
    uint32_t rounds;
    double sent;   /* bytes a rank, to find the splitters */
    uint64_t held; /* bytes of the host's memory, of the rank that took most */
};

static struct cw_virtual_keys keys_of(const struct trial *t, uint32_t rank)
{
    struct cw_virtual_keys k = {t->input, t->each, t->seed, rank, t->ranks, t->narrow};

    if (t->uneven)
        k.n = rank % 3 == 1 ? 0 : rank % 3 == 2 ? t->each / 7 + 1 : t->each;
    return k;
}

static void body(const cw_group *group, void *user)
{
    struct trial *const t = (struct trial *)user;
    struct cw_virtual_keys keys = keys_of(t, group->rank);
    const struct cw_sorted sorted = cw_virtual_sorted(&keys);
    struct cw_peers peers;
    uint64_t total = 0;

    for (uint32_t r = 0; r < t->ranks; r++)
        total += keys_of(t, r).n;
    t->statuses[group->rank] = cw_peers_begin(&peers, group, &t->reports[group->rank]);
    if (!t->statuses[group->rank])
        t->statuses[group->rank] = cw_splitters_find(
            &peers, &sorted, total, t->seed, t->cuts + (size_t)group->rank * (t->ranks + 1));
}

/* ---- what must hold --------------------------------------------------------------------------- */

static uint64_t total_of(const struct trial *t)
{
    uint64_t total = 0;

    for (uint32_t r = 0; r < t->ranks; r++)
        total += keys_of(t, r).n;
    return total;
}

/* An item, and its rank, which counts among equal ones. */
struct item {
    uint64_t word;
    uint32_t rank;
};

static int less(struct item a, struct item b)
{
    return a.word < b.word || (a.word == b.word && a.rank < b.rank);
}

static void splitter_is_exact(const struct trial *t, uint32_t j)
{
    struct item below = {0, 0}, above = {UINT64_MAX, t->ranks};
    uint64_t before = 0, first, count;

    cw_group_share(total_of(t), t->ranks, j, &first, &count);
    for (uint32_t r = 0; r < t->ranks; r++) {
        const uint64_t cut = t->cuts[(size_t)r * (t->ranks + 1) + j];
        const struct cw_virtual_keys k = keys_of(t, r);

        before += cut;
        if (cut) {
            const struct item last = {cw_virtual_word(&k, cut - 1), r};

            below = less(below, last) ? last : below;
        }
        if (cut < k.n) {
            const struct item next = {cw_virtual_word(&k, cut), r};

            above = less(next, above) ? next : above;
        }
    }
    assert_int_equal(before, first);
    if (before && before < total_of(t))
        assert_false(less(above, below));
}

/* The bounds of splitters.h; a round may be lost by chance once in 10^8 runs. */
static struct cw_splitters_bound bound_of(const struct trial *t)
{
    struct cw_splitters_case x = {t->ranks, total_of(t), 0, t->narrow ? UINT32_MAX : UINT64_MAX};

    for (uint32_t r = 0; r < t->ranks; r++)
        x.most_items = keys_of(t, r).n > x.most_items ? keys_of(t, r).n : x.most_items;
    return cw_splitters_bound(&x, t->reports[0].rounds);
}

static void run(struct trial *t)
{
    const size_t cuts = (size_t)t->ranks * (t->ranks + 1);
    double messages = 0, bytes = 0;
    struct cw_splitters_bound b;

    t->cuts = (uint64_t *)calloc(cuts, sizeof *t->cuts);
    t->reports = (cw_group_report *)calloc(t->ranks, sizeof *t->reports);
    t->statuses = (cw_status *)calloc(t->ranks, sizeof *t->statuses);
    assert_int_equal(cw_simulated_run(t->ranks, body, t), CW_OK);
    for (uint32_t r = 0; r < t->ranks; r++) {
        assert_int_equal(t->statuses[r], CW_OK);
        assert_int_equal(t->reports[r].rounds, t->reports[0].rounds);
        messages += (double)t->reports[r].messages / t->ranks;
        bytes += (double)t->reports[r].control_bytes / t->ranks;
    }
    for (uint32_t j = 1; j < t->ranks; j++)
        splitter_is_exact(t, j);
    b = bound_of(t);
    assert_true(t->reports[0].rounds <= b.rounds || cw_pivots_chance < 15);
    assert_true(messages <= b.messages * (1 + 1e-9) && bytes <= b.bytes * (1 + 1e-9));
    t->rounds = t->reports[0].rounds;
    t->sent = bytes;
    t->held = 0;
    for (uint32_t r = 0; r < t->ranks; r++)
        t->held = t->reports[r].host_bytes > t->held ? t->reports[r].host_bytes : t->held;
    free(t->cuts);
    free(t->reports);
    free(t->statuses);
}

/* ---- the claims ------------------------------------------------------------------------------- */

static void splitters_are_exact_on_every_input(void **state)
{
    static const uint32_t ranks[] = {1, 2, 3, 5, 8, 33, 70};
    static const uint64_t each[] = {0, 1, 2, 7, 1000, 30000};

    (void)state;
    for (size_t p = 0; p < COUNT(ranks); p++) {
        for (int input = 0; input < CW_VIRTUAL_COUNT; input++) {
            for (size_t n = 0; n < COUNT(each); n++) {
                struct trial t = {ranks[p], each[n],           0, (enum cw_virtual_input)input,
                                  n % 2,    cw_test_seed() + n};

                if (CW_SANITIZED && ranks[p] > 33)
                    continue;
                run(&t);
                t.uneven = 1;
                run(&t);
            }
        }
    }
    print_message("CW_SEED=%llu\n", (unsigned long long)cw_test_seed());
}

static void rounds_stay_within_the_bound(void **state)
{
    const uint32_t ranks = CW_SANITIZED ? 64 : cw_long_run() ? 1024 : 256;

    (void)state;
    for (int input = 0; input < CW_VIRTUAL_COUNT; input++) {
        struct trial t = {ranks,     (uint64_t)1 << 20, 0, (enum cw_virtual_input)input,
                          input % 2, cw_test_seed()};

        run(&t);
    }
}

/* Intervals that do not hold their splitter are seen by their counts, and it is looked for beside them. */
static void wrong_intervals_are_left_again(void **state)
{
    uint32_t most = 0;

    (void)state;
    cw_pivots_chance = 0.001;
    for (int input = 0; input < CW_VIRTUAL_COUNT; input++) {
        struct trial t = {16, 100000, 0, (enum cw_virtual_input)input, 0, cw_test_seed()};

        run(&t);
        t.uneven = 1;
        run(&t);
        most = t.rounds > most ? t.rounds : most;
    }
    cw_pivots_chance = 15;
    assert_true(most > 4);
}

/* What is said to find the splitters, beside the items that then change ranks: of u32. */
static void volume_is_little_more_than_the_exchange(void **state)
{
    static const struct {
        uint32_t ranks, log;
        double most;
    } cases[] = {{8, 15, 0.1}, {8, 17, 0.05}, {8, 20, 0.015}, {64, 20, 0.02}, {256, 20, 0.03}};

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct trial t = {cases[x].ranks, (uint64_t)1 << cases[x].log, 0, CW_VIRTUAL_UNIFORM, 1,
                          cw_test_seed()};
        double leave;

        if (CW_SANITIZED && t.ranks > 64)
            continue;
        run(&t);
        leave = 4.0 * (double)t.each * (1 - 1.0 / t.ranks);
        print_message("%u ranks, 2^%u u32 each: %.4f\n", t.ranks, cases[x].log, t.sent / leave);
        assert_true(t.sent <= cases[x].most * leave);
        assert_true(t.ranks > 8 || cases[x].log < 17 ||
                    (double)t.held <= 0.05 * 4 * (double)t.each);
    }
}

/* The numbers that splitters.h states. */
static void bounds_are_those_of_the_head_comment(void **state)
{
    const struct cw_splitters_case x = {4096, (uint64_t)1 << 32, (uint64_t)1 << 20, UINT32_MAX};
    const struct cw_splitters_case small = {8, (uint64_t)8 << 17, (uint64_t)1 << 17, UINT32_MAX};

    (void)state;
    assert_int_equal(cw_splitters_bound(&x, 4).rounds, 5);
    assert_int_equal(cw_splitters_samples(4096, x.total), 15896);
    assert_int_equal(cw_splitters_spacing(4096, x.total), 1 << 20);
    assert_int_equal((int)cw_splitters_bound(&x, 4).messages, 4095 * 13 + 12 * 11);
    assert_int_equal(cw_splitters_samples(8, small.total), 1024);
    assert_int_equal(cw_splitters_spacing(8, small.total), small.total / 256);
}

/* Which shares the inputs have that are known key by key. */
static void inputs_are_what_their_names_say(void **state)
{
    enum { RANKS = 5, N = 50 };

    (void)state;
    for (uint32_t r = 0; r < RANKS; r++) {
        for (uint64_t at = 0; at < N; at++) {
            struct cw_virtual_keys k = {.n = N, .seed = 1, .rank = r, .ranks = RANKS};

            k.input = CW_VIRTUAL_SORTED;
            assert_int_equal(cw_virtual_word(&k, at), r * N + at);
            k.input = CW_VIRTUAL_REVERSE;
            assert_int_equal(cw_virtual_word(&k, at), (RANKS - 1 - r) * N + at);
            k.input = CW_VIRTUAL_INTERLEAVED;
            assert_int_equal(cw_virtual_word(&k, at), at * RANKS + r);
            k.input = CW_VIRTUAL_HEAVY;
            assert_int_equal(cw_virtual_word(&k, at), at < 5 ? at : at < 45 ? N : N + at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitters_are_exact_on_every_input),
        cmocka_unit_test(rounds_stay_within_the_bound),
        cmocka_unit_test(wrong_intervals_are_left_again),
        cmocka_unit_test(volume_is_little_more_than_the_exchange),
        cmocka_unit_test(inputs_are_what_their_names_say),
        cmocka_unit_test(bounds_are_those_of_the_head_comment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
