/* short_kernels.h - the partition of short arrays, for keys of any width, and its line of the table.
 *
 * A source defines KEY_LOG: 3. */
#define STABLE_SHORT
#include "dev/shapes.h"
#include "tuning/partition_stable.h"

#include "partition/stable/short.h"
#include "partition/stable/table.h"

KERNEL(cw_partition_short, struct stable_job, TILE_THREADS, 1)
{
    stable_short(arg);
}

FITS(SHORT_SHARED);

#if !defined(__CUDACC__)
void SHAPES_TABLE(cw_partition_short_table)(struct stable_shape *s)
{
    *s = (struct stable_shape){.kernel = KERNEL_ID(cw_partition_short),
                               .threads = TILE_THREADS,
                               .items = TILE_ITEMS,
                               .shared = SHORT_SHARED,
                               .rows = SHORT_BLOCKS,
                               .most = TILE_SIZE};
}
#endif
