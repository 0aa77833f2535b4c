/* one_kernels.h - the partition in one launch for one width of key, and its line of the table.
 *
 * A source defines STABLE_TYPE (k4_256 ..), KEY_LOG and STABLE_ONE, the buckets it has room for. */
#include "dev/shapes.h"
#include "tuning/partition_stable.h"

#include "partition/stable/one.h"
#include "partition/stable/table.h"

#define STABLE_NAME NAME_OF2(cw_partition_one_, STABLE_TYPE)

KERNEL(STABLE_NAME, struct stable_job, TILE_THREADS, 1)
{
    stable_one(arg);
}

FITS(STABLE_SHARED);

#if !defined(__CUDACC__)
void SHAPES_TABLE(NAME_OF2(cw_partition_one_table_, STABLE_TYPE))(struct stable_shape *s)
{
    *s = (struct stable_shape){.kernel = KERNEL_ID(STABLE_NAME),
                               .threads = TILE_THREADS,
                               .items = TILE_ITEMS,
                               .shared = STABLE_SHARED,
                               .rows = ONE_BLOCKS,
                               .few = ONE_FEW,
                               .self = ONE_SELF,
                               .alone = ONE_ALONE,
                               .most = ONE_MOST};
}
#endif
