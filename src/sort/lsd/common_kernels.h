/* common_kernels.h - the kernels of the LSD radix sort that look at keys alone, for one width of
 * key; the others, for all, where LSD_COMMON is defined. */
#define TILE_THREADS 256u
#define TILE_ITEMS   2u
#include "sort/lsd/gate.h"
#include "sort/lsd/copy.h"
#include "sort/lsd/histogram.h"
#include "sort/lsd/routes.h"
#include "sort/lsd/table.h"

KERNEL(LSD_NAME(histogram), struct lsd_job, HISTOGRAM_THREADS, 4)
{
    if (lsd_open(arg))
        lsd_histogram(arg);
}

#ifdef LSD_COMMON
KERNEL(cw_sort_lsd_routes, struct lsd_job, LSD_BUCKETS, 1)
{
    if (lsd_open(arg))
        lsd_routes(arg);
}

KERNEL(cw_sort_lsd_copy, struct lsd_job, LSD_COPY_THREADS, 4)
{
    if (lsd_open(arg))
        lsd_copy(arg);
}
#endif
