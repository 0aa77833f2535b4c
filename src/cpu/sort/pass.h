/* pass.h - deal the items of a bucket into buckets on another side. */
#ifndef CW_CPU_SORT_PASS_H
#define CW_CPU_SORT_PASS_H

#include "cpu/sort/cuts.h"

struct cw_sort_team;

/* By those threads; end[b] is where bucket b ends, from the bucket's own
 * first item on.  The order of items of a bucket is kept. */
void cw_sort_pass(const struct cw_sorter *s, const struct cw_sort_team *by,
                  const struct cw_bucket *p, enum cw_side to, const struct cw_cuts *cuts,
                  size_t *end);

#endif
