/* test_rules.c - other rules of the model's engine: merging of equal words, Nakano's UMM, several warps
 * on one matrix, the hierarchical machine; against plain recounts and closed forms. */
#include <string.h>

#include "dev/dev.h"
#include "test.h"

#define W     24
#define COLS  7
#define STEPS 40

/* A program: what each processor asks for in each step; a negative row is a skip. */
struct program {
    int row[STEPS][W], col[STEPS][W];
};

static void follow(struct cw_model *s, const void *arg)
{
    const struct program *const p = (const struct program *)arg;
    const int i = lane_id(s);

    for (int t = 0; t < STEPS; t++) {
        if (p->row[t][i] < 0)
            lane_skip(s);
        else if ((t + i) % 3)
            (void)bank_read(s, p->row[t][i], p->col[t][i]);
        else
            bank_write(s, p->row[t][i], p->col[t][i], 1);
    }
}

static struct cw_model *machine(uint32_t w, uint32_t m, uint32_t latency,
                                const struct cw_model_rules *rules)
{
    const struct cw_model_config config = {w, m, 1, latency, 0};
    struct cw_model *s;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(cw_model_rules(s, rules), CW_OK);
    return s;
}

/* The degree of a warp's request, by comparing each with each; and how many found their bank, or on a UMM
 * the memory, taken. */
static uint32_t plain_degree(const struct program *p, int t, int first, int banks,
                             enum cw_model_rule rule, uint64_t *conflicts)
{
    uint32_t most = 0, groups = 0;

    for (int b = 0; b < banks; b++) {
        uint32_t load = 0;

        for (int i = first; i < first + banks; i++) {
            int before = 0;

            if (p->row[t][i] < 0 || p->row[t][i] % banks != b)
                continue;
            for (int k = first; k < i; k++)
                before |= p->row[t][k] == p->row[t][i] && p->col[t][k] == p->col[t][i];
            load += rule == CW_MODEL_DMM || !before;
        }
        most = load > most ? load : most;
        *conflicts += rule != CW_MODEL_UMM && load ? load - 1 : 0;
    }
    for (int i = first; i < first + banks; i++) {
        int before = 0;

        for (int k = first; k < i; k++)
            before |= p->row[t][k] >= 0 && p->row[t][i] >= 0 && p->col[t][k] == p->col[t][i] &&
                      p->row[t][k] / banks == p->row[t][i] / banks;
        groups += p->row[t][i] >= 0 && !before;
    }
    *conflicts += rule == CW_MODEL_UMM && groups ? groups - 1 : 0;
    return rule == CW_MODEL_UMM ? groups : most;
}

static void every_rule_agrees_with_a_plain_recount(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (uint32_t run = 0; run < 60; run++) {
        static const uint32_t widths[] = {24, 12, 8, 4};
        const struct cw_model_rules rules = {(enum cw_model_rule)(run % 3), widths[run / 3 % 4], 0,
                                             0};
        const uint32_t latency = 1 + run % 5, warps = W / rules.banks;
        struct cw_model *const s = machine(W, COLS, latency, &rules);
        uint64_t stages = 0, conflicts = 0, pipe = 0, ready[W] = {0}, last = 0;
        uint32_t worst = 0;
        struct cw_counters k;
        struct program p;

        for (int t = 0; t < STEPS; t++) {
            uint32_t all = 0;

            for (int i = 0; i < W; i++) {
                p.row[t][i] = (int)cw_random_below(&random, 5 + W) - 5;
                p.col[t][i] = (int)cw_random_below(&random, t % 2 ? COLS : 2);
            }
            for (uint32_t q = 0; q < warps; q++) {
                const uint32_t d = plain_degree(&p, t, (int)(q * rules.banks), (int)rules.banks,
                                                rules.rule, &conflicts);
                const uint64_t start = ready[q] > pipe ? ready[q] : pipe;

                all += d;
                worst = d > worst ? d : worst;
                pipe = d ? start + d : pipe;
                ready[q] = d ? pipe + latency - 1 : ready[q] + 1;
            }
            stages += all ? all : 1;
        }
        for (uint32_t q = 0; q < warps; q++)
            last = ready[q] > last ? ready[q] : last;
        assert_int_equal(cw_model_run(s, follow, &p), CW_OK);
        cw_model_counters(s, &k);
        if (k.steps != stages || k.time != last)
            fail_msg("rule %d, %u banks, latency %u, CW_SEED=%llu: %llu stages, not %llu; time "
                     "%llu, not %llu",
                     (int)rules.rule, rules.banks, latency, (unsigned long long)cw_test_seed(),
                     (unsigned long long)k.steps, (unsigned long long)stages,
                     (unsigned long long)k.time, (unsigned long long)last);
        assert_int_equal(k.conflicts, conflicts);
        assert_int_equal(k.worst_degree, worst);
        cw_model_destroy(s);
    }
}

/* ---- Nakano's closed forms ------------------------------------------------------------ */

#define ROUNDS 6

static void contiguous(struct cw_model *s, const void *arg)
{
    (void)arg;
    for (int t = 0; t < ROUNDS; t++)
        (void)bank_read(s, lane_id(s), t);
}

/* n words by p threads, width w, latency l: O(n/w + nl/p + l); exactly as below, on both machines. */
static void contiguous_access_takes_nakanos_time(void **state)
{
    (void)state;
    for (uint32_t banks = 1; banks <= 16; banks *= 2) {
        for (uint32_t latency = 1; latency <= 40; latency += 13) {
            for (int rule = CW_MODEL_DMM; rule <= CW_MODEL_UMM; rule++) {
                const struct cw_model_rules rules = {(enum cw_model_rule)rule, banks, 0, 0};
                const uint64_t warps = 16 / banks, slow = latency > warps ? latency : warps;
                const uint64_t n = 16 * ROUNDS;
                struct cw_model *const s = machine(16, ROUNDS, latency, &rules);
                struct cw_counters k;

                assert_int_equal(cw_model_run(s, contiguous, NULL), CW_OK);
                cw_model_counters(s, &k);
                assert_int_equal(k.steps, n / banks);
                assert_int_equal(k.time, (ROUNDS - 1) * slow + warps + latency - 1);
                assert_true(k.time <= n / banks + n * latency / 16 + latency);
                cw_model_destroy(s);
            }
        }
    }
}

static void one_word(struct cw_model *s, const void *arg)
{
    (void)bank_read(s, *(const int *)arg ? 3 : 0, *(const int *)arg ? lane_id(s) : 0);
}

/* All at one word: w steps on a DMM, one where equal words merge, one address group.  All at one bank,
 * w words: w steps under every rule. */
static void equal_words_merge_and_different_ones_do_not(void **state)
{
    (void)state;
    for (int rule = CW_MODEL_DMM; rule <= CW_MODEL_UMM; rule++) {
        for (int many = 0; many < 2; many++) {
            const struct cw_model_rules rules = {(enum cw_model_rule)rule, 0, 0, 0};
            struct cw_model *const s = machine(10, 10, 1, &rules);
            struct cw_counters k;

            assert_int_equal(cw_model_run(s, one_word, &many), CW_OK);
            cw_model_counters(s, &k);
            assert_int_equal(k.steps, rule == CW_MODEL_DMM || many ? 10 : 1);
            cw_model_destroy(s);
        }
    }
}

/* d DMMs load and store m requests each through one UMM of latency g. */
static void the_hierarchical_machine_loads_and_stores(void **state)
{
    const struct cw_model_rules plain = {CW_MODEL_DMM, 0, 0, 0}, four = {CW_MODEL_DMM, 0, 4, 100};
    struct cw_model *const s = machine(8, ROUNDS, 1, &plain);
    struct cw_counters before, after;

    (void)state;
    assert_int_equal(cw_model_run(s, contiguous, NULL), CW_OK);
    cw_model_counters(s, &before);
    assert_int_equal(cw_model_rules(s, &four), CW_OK);
    assert_int_equal(cw_model_run(s, contiguous, NULL), CW_OK);
    cw_model_counters(s, &after);
    assert_int_equal(after.steps, before.steps);
    assert_int_equal(after.time, before.time + 2 * (4 * ROUNDS + 100 - 1));
    cw_model_destroy(s);
}

static void rules_that_do_not_fit_are_refused(void **state)
{
    const struct cw_model_config strict = {8, 4, 0, 0, 0}, many = {8, 4, 1, 0, 32},
                                 one = {8, 4, 1, 0, 0};
    const struct cw_model_rules umm = {CW_MODEL_UMM, 0, 0, 0}, three = {CW_MODEL_DMM, 3, 0, 0},
                                none = {(enum cw_model_rule)9, 0, 0, 0},
                                paper = {CW_MODEL_DMM, 8, 0, 0};
    struct cw_model *s;

    (void)state;
    assert_int_equal(cw_model_create(&strict, &s), CW_OK);
    assert_int_equal(cw_model_rules(s, &umm), CW_ERR_ARGUMENT);
    assert_int_equal(cw_model_rules(s, &paper), CW_OK);
    cw_model_destroy(s);
    assert_int_equal(cw_model_create(&many, &s), CW_OK);
    assert_int_equal(cw_model_rules(s, &umm), CW_ERR_ARGUMENT);
    cw_model_destroy(s);
    assert_int_equal(cw_model_create(&one, &s), CW_OK);
    assert_int_equal(cw_model_rules(s, &three), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "banks must divide w"));
    assert_int_equal(cw_model_rules(s, &none), CW_ERR_ARGUMENT);
    cw_model_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_agrees_with_a_plain_recount),
        cmocka_unit_test(contiguous_access_takes_nakanos_time),
        cmocka_unit_test(equal_words_merge_and_different_ones_do_not),
        cmocka_unit_test(the_hierarchical_machine_loads_and_stores),
        cmocka_unit_test(rules_that_do_not_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
