/* grid_table.h - the kernels of the whole-device sort for one type of item, as launches want them.
 *
 * A GPU's source defines KEY_LOG, GRID_VALUES, GRID_NAME and the shapes, and includes
 * grid_kernels.h; that gives one such table.  grid_plan.h says which kernel is launched when.
 */
#ifndef CW_GRID_TABLE_H
#define CW_GRID_TABLE_H

#include "kernels/grid_plan.h"

#define GRID_ROW_LOGS 4 /* rows of 2^10 .. 2^13 */

struct grid_table {
    uint32_t key_bytes, value_bytes;
    uint32_t round_items, move_blocks, row_threads; /* as in struct grid_task */
    const void *kernel[GRID_KERNELS];
    uint32_t threads[GRID_KERNELS], shared[GRID_KERNELS];
    const void *row[GRID_ROW_LOGS];
    uint32_t row_shared[GRID_ROW_LOGS];
};

#endif
