/* stable_kernels.h - the pass of stable_pass.h for one width of key and payload, and its line of
 * the table.
 *
 * A source defines STABLE_TYPE (k4, k8_v4 ..), KEY_LOG and, with a payload, PAYLOAD_LOG. */
#include "dev/shapes.h"
#include "tuning/partition_stable.h"

#include "partition/stable_pass.h"
#include "partition/stable_table.h"

#define STABLE_NAME STABLE_PASTE(cw_partition_pass_, STABLE_TYPE)

KERNEL(STABLE_NAME, struct stable_job, TILE_THREADS, PASS_BLOCKS)
{
    stable_pass(arg);
}

FITS(STABLE_SHARED);

#if !defined(__CUDACC__)
void SHAPES_TABLE(STABLE_PASTE(cw_partition_pass_table_, STABLE_TYPE))(struct stable_shape *s)
{
    s->kernel = KERNEL_ID(STABLE_NAME);
    s->threads = TILE_THREADS;
    s->items = TILE_SIZE;
    s->shared = STABLE_SHARED;
    s->rows = PASS_ROWS;
}
#endif
