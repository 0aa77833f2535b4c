/* grid_compare_sizes.h - the part of grid_compare_table.h that levels and workspaces follow from: no kernels.
 *
 * A source includes grid_compare_shapes.h before.
 */
#include "kernels/grid_compare_table.h"

static void compare_sizes(struct compare_table *t)
{
    t->part_bytes = 1u << PART_LOG;
    t->log_a = COMPARE_LOG_A;
    t->log_b = COMPARE_LOG_B;
    t->target = COMPARE_TARGET;
    t->coarse = COMPARE_COARSE;
    t->fan = COMPARE_FAN;
    t->wide = COMPARE_WIDE;
    t->row = COMPARE_ROW;
    t->cells = COMPARE_CELLS;
    t->most = COMPARE_MOST;
}
