/* kernels.h - the local sort of the hybrid sort, for one width of payload.
 *
 * A source defines HYBRID_TYPE (k8, k8_v4 ..) and, with a payload, PAYLOAD_LOG.  Keys have 8 bytes;
 * what moves in the block's passes has 4, so that KEY_LOG is 2 here. */
#include "dev/shapes.h"
#include "tuning/sort_hybrid.h"

#include "sort/hybrid/local.h"
#include "sort/hybrid/table.h"

#if defined(BLOCK_ALONE)
#define LOCAL_NAME  NAME_OF2(cw_sort_block_, HYBRID_TYPE)
#define LOCAL_TABLE NAME_OF2(cw_sort_block_table_, HYBRID_TYPE)
#else
#define LOCAL_NAME  HYBRID_NAME(local)
#define LOCAL_TABLE NAME_OF2(cw_sort_hybrid_local_, HYBRID_TYPE)
#endif

KERNEL(LOCAL_NAME, struct hybrid_job, TILE_THREADS, LOCAL_BLOCKS)
{
    hybrid_local(arg);
}

#if !defined(__CUDACC__)
void SHAPES_TABLE(LOCAL_TABLE)(struct hybrid_shape *s)
{
    s->local = KERNEL_ID(LOCAL_NAME);
    s->local_threads = TILE_THREADS;
    s->capacity = TILE_SIZE;
    s->local_shared = LOCAL_SHARED;
}

FITS(LOCAL_SHARED);
#endif
