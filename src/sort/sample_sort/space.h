/* space.h - one sort of items while its launches are made, and where everything is kept. */
#ifndef CW_SORT_SAMPLE_SORT_SPACE_H
#define CW_SORT_SAMPLE_SORT_SPACE_H

#include "sort/sample_sort/passes.h"
#include "backend/rows.h"

#define SAMPLE_ALIGN 256u

struct sample_sort_run {
    struct cw_queue *q; /* NULL: nothing will be launched, only bytes are asked for */
    const struct sample_sort_task *task;
    const struct sample_sort_table *t;
    struct sample_sort_cuts cuts;
    struct sample_sort_job job;
    struct sample_sort_pass pass[SAMPLE_CUTS + 1];
    uint8_t *other; /* the second buffer */
    uint32_t *other_rest;
    uint8_t *scratch;
    int idle[SAMPLE_CUTS]; /* is what a cut needs in the idle buffer?  Not if it is small */
};

void cw_sample_sort_begin(struct sample_sort_run *r, const struct sample_sort_task *task);

/* Lay out the workspace from `base` on.  NULL: only to learn its size, which is returned. */
uint64_t cw_sample_sort_space(struct sample_sort_run *r, uint8_t *base);

/* Lay out what a cut needs for itself.  Returns its size, but for `rest`: where its samples are
 * sorted. */
uint64_t cw_sample_sort_scratch(struct sample_sort_run *r, int l, uint8_t *base, void **rest);

/* The samples of pass l, which are rows unless they are those of the array. */
cw_rows cw_sample_sort_rows_of(const struct sample_sort_run *r, int l);
enum sample_sort_engine cw_sample_sort_keys_alone(const struct sample_sort_table *t);

#endif
