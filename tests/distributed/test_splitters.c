/* test_splitters.c - the search for splitters, on ranks that are simulated.
 *
 * Exact on every input: as many items are cut off before splitter j, on all ranks together, as the shares
 * before it have, and none of them is above one that is not.  Rounds, messages and bytes stay within the
 * bounds of splitters.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "distributed/ranks/simulated.h"
#include "distributed/sort/virtual_keys.h"
#include "test.h"

struct trial {
    uint32_t ranks;
    uint64_t each; /* items of a rank; the last one may have more */
    int uneven;
    enum cw_virtual_input input;
    uint64_t seed;
    uint64_t *cuts; /* of rank r from r * (ranks + 1) on */
    cw_group_report *reports;
    cw_status *statuses;
};

static struct cw_virtual_keys keys_of(const struct trial *t, uint32_t rank)
{
    struct cw_virtual_keys k = {t->input, t->each, t->seed, rank, t->ranks};

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

/* The bound of splitters.h; a round may be lost by chance once in 10^8 runs. */
static uint32_t most_rounds(const struct trial *t)
{
    const double p = t->ranks, c = (double)cw_splitters_samples(t->ranks);
    const double d = p < sqrt(15 * p) ? p : sqrt(15 * p);
    const double candidates = (double)total_of(t);

    if (candidates <= c)
        return 1;
    return 1 + (uint32_t)ceil(log(candidates / c) / log(c / (4 * d + 2)));
}

static void run(struct trial *t)
{
    const size_t cuts = (size_t)t->ranks * (t->ranks + 1);
    uint64_t control = 0;

    t->cuts = (uint64_t *)calloc(cuts, sizeof *t->cuts);
    t->reports = (cw_group_report *)calloc(t->ranks, sizeof *t->reports);
    t->statuses = (cw_status *)calloc(t->ranks, sizeof *t->statuses);
    assert_int_equal(cw_simulated_run(t->ranks, body, t), CW_OK);
    for (uint32_t r = 0; r < t->ranks; r++) {
        assert_int_equal(t->statuses[r], CW_OK);
        assert_int_equal(t->reports[r].rounds, t->reports[0].rounds);
        assert_true(t->reports[r].messages <=
                    (t->ranks - 1) * (uint64_t)(5 * t->reports[r].rounds + 1));
        control += t->reports[r].control_bytes;
    }
    for (uint32_t j = 1; j < t->ranks; j++)
        splitter_is_exact(t, j);
    assert_true(t->reports[0].rounds <= most_rounds(t));
    assert_true(control <=
                (double)t->ranks * (t->ranks - 1) *
                    (8 + t->reports[0].rounds *
                             (112 + 8.0 * (3 * cw_splitters_samples(t->ranks) / t->ranks + 1))));
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
                struct trial t = {ranks[p], each[n], 0, (enum cw_virtual_input)input,
                                  cw_test_seed() + n};

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
        struct trial t = {ranks, (uint64_t)1 << 20, 0, (enum cw_virtual_input)input,
                          cw_test_seed()};

        run(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitters_are_exact_on_every_input),
        cmocka_unit_test(rounds_stay_within_the_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
