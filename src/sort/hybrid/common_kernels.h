/* common_kernels.h - the kernels of the hybrid sort that look at keys alone. */
#define TILE_THREADS 256u
#define TILE_ITEMS   4u
#define TILE_MAPPED
#define BUCKET_CELLS 0u
#include "dev/shapes.h"
#include "tuning/sort_hybrid.h"

#include "prim/radix_tile.h"
#include "sort/hybrid/groups.h"
#include "sort/hybrid/histogram.h"
#include "sort/hybrid/routes.h"
#include "sort/hybrid/sample.h"
#include "sort/hybrid/table.h"

KERNEL(cw_sort_hybrid_gather, struct hybrid_job, SAMPLE_GATHER, 1)
{
    hybrid_gather(arg);
}

KERNEL(cw_sort_hybrid_sample, struct hybrid_job, SAMPLE_THREADS, 1)
{
    hybrid_sample(arg);
}

KERNEL(cw_sort_hybrid_histogram, struct hybrid_job, COUNT_THREADS, 3)
{
    hybrid_histogram(arg);
}

KERNEL(cw_sort_hybrid_routes, struct hybrid_job, LSD_BUCKETS, 1)
{
    hybrid_routes(arg);
}

KERNEL(cw_sort_hybrid_groups, struct hybrid_job, GROUPS_THREADS, 4)
{
    hybrid_groups(arg);
}

#if !defined(__CUDACC__)
void SHAPES_TABLE(cw_sort_hybrid_table)(struct hybrid_shape *s)
{
    *s = (struct hybrid_shape){.sample_threads = SAMPLE_THREADS,
                               .gather_threads = SAMPLE_GATHER,
                               .sample_rounds = SAMPLE_ITEMS,
                               .sample_shared = SAMPLE_SHARED,
                               .count_threads = COUNT_THREADS,
                               .count_tile = COUNT_TILE,
                               .count_shared = COUNT_SHARED,
                               .groups_threads = GROUPS_THREADS,
                               .groups_shared = GROUPS_SHARED,
                               .tiles = HYBRID_TILES,
                               .least = HYBRID_LEAST,
                               .least_v4 = HYBRID_LEAST_V4,
                               .one_most = HYBRID_ONE_MOST,
                               .few_most = HYBRID_SHORT};
}
#endif
