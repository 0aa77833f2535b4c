/* hash_bench.h - counts held against chances, and one hash function after the other, for
 * test_permute_random.c.
 *
 * Pearson's chi-square X of k degrees of freedom is near normal as sqrt(2 X) - sqrt(2 k - 1) (Fisher).
 */
#ifndef CW_TEST_HASH_BENCH_H
#define CW_TEST_HASH_BENCH_H

#include <math.h>
#include <string.h>

#include "paper/paper.h"
#include "paper/permute/permute.h"
#include "test.h"

#define CELL_LEAST 10 /* expected in a cell; neighbours that have fewer are counted as one */

/* Are the counts those of the chances?  `chance` NULL: all alike. */
static void assert_chances(const char *what, const uint32_t *seen, const double *chance,
                           uint32_t cells)
{
    double draws = 0, chi = 0, want = 0, left = 0, got = 0, far;
    uint32_t kept = 0;

    for (uint32_t c = 0; c < cells; c++)
        draws += seen[c];
    left = draws;
    for (uint32_t c = 0; c < cells; c++) {
        const double one = draws * (chance ? chance[c] : 1.0 / cells);

        if (one <= 0)
            assert_int_equal(seen[c], 0);
        want += one;
        got += seen[c];
        if (want < CELL_LEAST || (left - want < CELL_LEAST && c + 1 < cells))
            continue;
        chi += (got - want) * (got - want) / want;
        left -= want;
        want = got = 0;
        kept++;
    }
    if (kept < 2)
        fail_msg("%s: %.0f draws are too few to count", what, draws);
    far = sqrt(2 * chi) - sqrt(2.0 * (kept - 1) - 1);
    if (!(far <= 9))
        fail_msg("%s: chi-square %.1f in %u cells, %.1f away; CW_SEED=%llu", what, chi, kept, far,
                 (unsigned long long)cw_test_seed());
}

#define KEYS      5
#define KEYS_MOST 40

/* One function a run, drawn and evaluated by one processor. */
struct one_hash {
    hash_shape shape;
    dice d;
    int key[KEYS_MOST], count;
    int y[KEYS_MOST];
    int redraw; /* 0: the words stand there already */
};

static void hash_body(struct cw_model *s, const void *arg)
{
    struct one_hash *const x = (struct one_hash *)arg;
    permuter e;
    hash h;

    memset(&e, 0, sizeof e);
    e.w = 1;
    e.m = x->shape.m;
    for (int j = 0; x->redraw && j < x->shape.words; j++)
        bank_write(s, 0, j, draw_hash_word(x->shape, &x->d, j));
    h = hash_load(s, e, x->shape);
    for (int k = 0; k < x->count; k++)
        x->y[k] = hash_at(s, &h, x->key[k]);
}

static struct cw_model *hash_machine(const hash_shape *f)
{
    const struct cw_model_config config = {.w = 1, .m = (uint32_t)f->words};
    struct cw_model *s;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    return s;
}

#endif
