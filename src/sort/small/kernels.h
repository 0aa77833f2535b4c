/* kernels.h - the sort of one_launch.h for one width of key and payload, and its line of the table.
 *
 * A source defines SMALL_TYPE (k4, k8_v4 ..), KEY_LOG and, with a payload, PAYLOAD_LOG. */
#include "dev/shapes.h"
#include "tuning/sort_small.h"

#include "sort/small/one_launch.h"
#include "sort/small/table.h"

KERNEL(SMALL_NAME, struct small_job, TILE_THREADS, 1)
{
    if (!arg->gate || gm_ld4(arg->gate))
        small_sort(arg);
}

#if !defined(__CUDACC__)
void SHAPES_TABLE(NAME_OF2(cw_sort_small_table_, SMALL_TYPE))(struct small_shape *s)
{
    *s = (struct small_shape){KERNEL_ID(SMALL_NAME), TILE_THREADS, TILE_ITEMS,
                              TILE_SHARED,           SMALL_BLOCKS, SMALL_MOST};
}

_Static_assert(TILE_SHARED <= SHAPES_SHARED, "more shared memory than a block has");
#endif
