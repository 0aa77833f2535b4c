/* kernels.h - the pass of pass.h for one width of key and payload, and its line of the table.
 *
 * A source defines LSD_TYPE (k4, k8_v4 ..), KEY_LOG and, with a payload, PAYLOAD_LOG. */
#include "dev/shapes.h"
#include "tuning/sort_lsd.h"

#include "sort/lsd/gate.h"
#include "sort/lsd/pass.h"
#include "sort/lsd/table.h"

KERNEL(LSD_NAME(pass), struct lsd_job, TILE_THREADS, PASS_BLOCKS)
{
    if (lsd_open(arg))
        lsd_pass(arg);
}

FITS(PASS_SHARED);
STATIC_ASSERT(PASS_ROWS <= LOOK_COUNT / TILE_SIZE, "a word of look-back counts no more");

#if !defined(__CUDACC__)
void SHAPES_TABLE(NAME_OF2(cw_sort_lsd_, LSD_TYPE))(struct lsd_shape *s)
{
    s->kernel = LSD_ENUM(pass);
    s->threads = TILE_THREADS;
    s->items = TILE_SIZE;
    s->shared = PASS_SHARED;
    s->rows = PASS_ROWS;
}
#endif
