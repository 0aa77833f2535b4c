/* trial.h - one algorithm of the registry on one strict machine, run many times.
 *
 * The input stays in `in`, row by row; the output is read to `out` in the algorithm's
 * order; `want` is the input sorted by qsort.  A trial holds an algorithm to all that
 * its row of the registry promises: the order, the steps, no conflict.
 */
#ifndef CW_TEST_TRIAL_H
#define CW_TEST_TRIAL_H

#include "paper/paper.h"
#include "test.h"

struct cw_trial {
    const struct cw_algorithm *alg; /* as asked for; job.algorithm is the one that runs */
    struct cw_job job;
    struct cw_model *model;
    struct cw_counters counters; /* of the last run */
    uint64_t n, runs;
    cw_word *in, *out, *want;
};

/* Is this a sort that promises to be free of conflicts?  Those are iterated over. */
int cw_trial_takes(const struct cw_algorithm *alg);

/* 1, or 0 where the algorithm does not take the shape; any other failure fails the test. */
int cw_trial_open(struct cw_trial *t, const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                  const struct cw_options *opt);
void cw_trial_close(struct cw_trial *t);

/* Put `in` into the matrix, run, take `out`. */
cw_status cw_trial_run(struct cw_trial *t);

/* Is `out` the input, sorted? */
int cw_trial_sorted(struct cw_trial *t);

/* Run, and fail the test with the shape, `what` and `seed` if a promise is broken. */
void cw_trial_check(struct cw_trial *t, const char *what, uint64_t seed);

/* Compare words, for qsort. */
int cw_by_word(const void *a, const void *b);

/* ---- inputs by zero counts: complete for what begins by sorting rows, or columns ---- */

/* zeros[r] zeros, then ones, in every row; or, of every column, zeros[c] at its top. */
void cw_trial_row_zeros(struct cw_trial *t, const uint32_t *zeros);
void cw_trial_column_zeros(struct cw_trial *t, const uint32_t *zeros);

/* The next vector of `count` numbers 0 .. top, like an odometer; 0 after the last. */
int cw_next_vector(uint32_t *x, uint32_t count, uint32_t top);

/* (top + 1)^count, or `limit` if it is more than that. */
uint64_t cw_vectors(uint32_t count, uint32_t top, uint64_t limit);

#endif
