/* kernels.h - the pass of pass.h for one width of key and payload, and its line of the table.
 *
 * A source defines STABLE_TYPE (k4, k8_v4 ..), KEY_LOG and, with a payload, PAYLOAD_LOG. */
#include "dev/shapes.h"
#include "tuning/partition_stable.h"

#include "partition/stable/pass.h"
#include "partition/stable/table.h"

#define STABLE_NAME NAME_OF2(cw_partition_pass_, STABLE_TYPE)

KERNEL(STABLE_NAME, struct stable_job, TILE_THREADS, PASS_BLOCKS)
{
    stable_pass(arg);
}

FITS(STABLE_SHARED);
STATIC_ASSERT(PASS_ROWS <= LOOK_COUNT / TILE_SIZE, "a word of look-back counts no more");

#if !defined(__CUDACC__)
void SHAPES_TABLE(NAME_OF2(cw_partition_pass_table_, STABLE_TYPE))(struct stable_shape *s)
{
    *s = (struct stable_shape){.kernel = KERNEL_ID(STABLE_NAME),
                               .threads = TILE_THREADS,
                               .items = TILE_SIZE,
                               .shared = STABLE_SHARED,
                               .rows = PASS_ROWS};
}
#endif
