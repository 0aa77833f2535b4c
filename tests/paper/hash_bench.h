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

/* Are the counts those of the chances?  `chance` NULL: all alike. */
static void assert_chances(const char *what, const uint32_t *seen, const double *chance,
                           uint32_t cells)
{
    double draws = 0, chi = 0, far;

    for (uint32_t c = 0; c < cells; c++)
        draws += seen[c];
    for (uint32_t c = 0; c < cells; c++) {
        const double want = draws * (chance ? chance[c] : 1.0 / cells);

        if (want > 0)
            chi += (seen[c] - want) * (seen[c] - want) / want;
        else
            assert_int_equal(seen[c], 0);
    }
    far = sqrt(2 * chi) - sqrt(2.0 * (cells - 1) - 1);
    if (far > 7 || far != far)
        fail_msg("%s: chi-square %.1f in %u cells, %.1f away; CW_SEED=%llu", what, chi, cells, far,
                 (unsigned long long)cw_test_seed());
}

#define KEYS 5

/* One function a run, drawn and evaluated by one processor. */
struct one_hash {
    hash_shape shape;
    dice d;
    int key[KEYS], count;
    int y[KEYS];
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
