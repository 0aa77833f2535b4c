/* pass_kernels.h - the LSD sort's pass over digits of the numbers of buckets, for one width of
 * payload. */
#define TILE_MAPPED
#include "dev/shapes.h"
#include "tuning/sort_lsd.h"

#include "sort/lsd/pass.h"
#include "sort/hybrid/table.h"

KERNEL(HYBRID_NAME(pass), struct lsd_job, TILE_THREADS, PASS_BLOCKS)
{
    lsd_pass(arg);
}

#if !defined(__CUDACC__)
void SHAPES_TABLE(NAME_OF2(cw_sort_hybrid_pass_, HYBRID_TYPE))(struct lsd_shape *s)
{
    s->kernel = KERNEL_ID(HYBRID_NAME(pass));
    s->threads = TILE_THREADS;
    s->items = TILE_SIZE;
    s->shared = PASS_SHARED;
    s->rows = PASS_ROWS;
}

FITS(PASS_SHARED);
#endif
