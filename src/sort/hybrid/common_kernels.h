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
    s->sample_threads = SAMPLE_THREADS;
    s->sample_rounds = SAMPLE_ITEMS;
    s->sample_shared = SAMPLE_SHARED;
    s->count_threads = COUNT_THREADS;
    s->count_tile = COUNT_TILE;
    s->count_shared = COUNT_SHARED;
    s->groups_threads = GROUPS_THREADS;
    s->groups_shared = GROUPS_SHARED;
    s->tiles = HYBRID_TILES;
    s->least = HYBRID_LEAST;
    s->least_v4 = HYBRID_LEAST_V4;
    s->one_most = HYBRID_ONE_MOST;
    s->few_most = HYBRID_SHORT;
}
#endif
