/* sizes.h - the part of sample_sort/table.h that levels and workspaces follow from: no kernels.
 *
 * A source includes tuning/sort_sample.h before.
 */
#include "sort/sample_sort/table.h"

static void sample_sort_sizes(struct sample_sort_table *t)
{
    t->part_bytes = 1u << PART_LOG;
    t->log_a = SAMPLE_LOG_A;
    t->log_b = SAMPLE_LOG_B;
    t->target = SAMPLE_TARGET;
    t->coarse = SAMPLE_COARSE;
    t->fan = SAMPLE_FAN;
    t->wide = SAMPLE_WIDE;
    t->row = SAMPLE_ROW;
    t->cells = SAMPLE_CELLS;
    t->most = SAMPLE_MOST;
}
