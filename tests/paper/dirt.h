/* dirt.h - how far the rows of a phase are from sorted, for every threshold at once.
 *
 * The proofs mark each item 0 or 1, below a threshold or not, and count: rows that hold
 * both marks (dirty), zeros of a row.  These find the worst of all thresholds in
 * one pass over the sorted items, so one run with distinct keys tests them all.
 */
#ifndef CW_TEST_DIRT_H
#define CW_TEST_DIRT_H

#include <stdlib.h>

#include "trial.h"

static inline cw_word phase_item(struct cw_model *s, const struct cw_phase *p, uint32_t r,
                                 uint32_t c)
{
    return *cw_model_at(s, p->group.first + r * p->group.stride, p->column + c);
}

/* The most rows that are dirty at once.  A row is, for thresholds above its least item and
 * not above its greatest. */
static inline uint32_t dirty_rows(struct cw_model *s, const struct cw_phase *p)
{
    const uint32_t h = p->group.rows;
    cw_word *const least = (cw_word *)malloc(2 * h * sizeof *least);
    cw_word *const most = least + h;
    uint32_t begun = 0, ended = 0, worst = 0;

    assert_non_null(least);
    for (uint32_t r = 0; r < h; r++) {
        least[r] = most[r] = phase_item(s, p, r, 0);
        for (uint32_t c = 1; c < p->cols; c++) {
            const cw_word x = phase_item(s, p, r, c);

            least[r] = x < least[r] ? x : least[r];
            most[r] = x > most[r] ? x : most[r];
        }
    }
    qsort(least, h, sizeof *least, cw_by_word);
    qsort(most, h, sizeof *most, cw_by_word);
    for (uint32_t r = 0; r < h; r++) { /* threshold most[r] */
        while (begun < h && least[begun] < most[r])
            begun++;
        while (most[ended] < most[r])
            ended++;
        worst = begun - ended > worst ? begun - ended : worst;
    }
    free(least);
    return worst;
}

struct placed {
    cw_word x;
    uint32_t row;
};

static inline int by_value(const void *a, const void *b)
{
    return cw_by_word(&((const struct placed *)a)->x, &((const struct placed *)b)->x);
}

/* The most by which two rows' numbers of zeros differ. */
static inline uint32_t zeros_spread(struct cw_model *s, const struct cw_phase *p)
{
    const uint32_t h = p->group.rows, n = h * p->cols;
    struct placed *const all = (struct placed *)malloc(n * sizeof *all);
    uint32_t *const zeros = (uint32_t *)calloc(h, sizeof *zeros);
    uint32_t *const rows = (uint32_t *)calloc(p->cols + 1, sizeof *rows); /* with so many zeros */
    uint32_t least = 0, most = 0, worst = 0;

    assert_true(all && zeros && rows);
    for (uint32_t x = 0; x < n; x++) {
        all[x].row = x / p->cols;
        all[x].x = phase_item(s, p, x / p->cols, x % p->cols);
    }
    qsort(all, n, sizeof *all, by_value);
    rows[0] = h;
    for (uint32_t x = 0; x < n; x++) {
        uint32_t *const z = &zeros[all[x].row];

        rows[*z]--;
        rows[++*z]++;
        most = *z > most ? *z : most;
        while (rows[least] == 0)
            least++;
        if ((x + 1 == n || all[x].x < all[x + 1].x) && most - least > worst)
            worst = most - least;
    }
    free(all);
    free(zeros);
    free(rows);
    return worst;
}

/* Does every row, or every column, rise? */
static inline int rows_rise(struct cw_model *s, const struct cw_phase *p)
{
    for (uint32_t r = 0; r < p->group.rows; r++)
        for (uint32_t c = 1; c < p->cols; c++)
            if (phase_item(s, p, r, c - 1) > phase_item(s, p, r, c))
                return 0;
    return 1;
}

static inline int columns_rise(struct cw_model *s, const struct cw_phase *p, int falling)
{
    for (uint32_t r = 1; r < p->group.rows; r++) {
        for (uint32_t c = 0; c < p->cols; c++) {
            const cw_word up = phase_item(s, p, r - 1, c), low = phase_item(s, p, r, c);

            if (falling ? up < low : up > low)
                return 0;
        }
    }
    return 1;
}

#endif
