/* kernels.h - the passes of radix/pass.h for one type of item, and their part of the table. */
#include "dev/kernel.h"
#include "sort/radix/table.h"
#include "sort/radix/medium_buckets.h"

FITS(CLASSIFY_SHARED);
FITS(RING_BYTES);
FITS(TILE_BYTES(TILE_THREADS, TILE_PER));
FITS(MIDS_SHARED);
FITS(SAMPLE_BYTES);
FITS(MOVE_TREE + TREE_SHARED);
FITS(TILE_TREE + TREE_SHARED);
#if PAYLOAD_BYTES
FITS(COUNT_TREE + TREE_SHARED);
#else
FITS(EXPAND_SHARED);
FITS(EXACT_SHARED);
#endif

#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
#include "sort/radix/sizes.h"

void SHAPES_TABLE(RADIX_NAME(passes))(struct radix_table *t)
{
    for (int k = 0; k < RADIX_KERNELS; k++) {
        t->kernel[k] = CW_KERNEL_COUNT;
        t->shared[k] = 0;
    }
    radix_sizes(t);
    t->kernel[RADIX_BEGIN] = RADIX_ENUM(begin);
    t->kernel[RADIX_HISTOGRAM] = RADIX_ENUM(histogram);
    t->kernel[RADIX_HISTOGRAM_PLAIN] = RADIX_ENUM(histogram_plain);
    t->kernel[RADIX_CLASSIFY] = RADIX_ENUM(classify);
    t->kernel[RADIX_SCATTER] = RADIX_ENUM(scatter);
    t->kernel[RADIX_SCATTER_PLAIN] = RADIX_ENUM(scatter_plain);
    t->kernel[RADIX_SCATTER_HEAVY] = RADIX_ENUM(scatter_heavy);
    t->kernel[RADIX_SCATTER_TILES] = RADIX_ENUM(scatter_tiles);
    t->kernel[RADIX_MEDIUM] = RADIX_ENUM(medium);
    t->kernel[RADIX_SAMPLE_KEYS] = RADIX_ENUM(sample);
    t->kernel[RADIX_HISTOGRAM_TREE] = RADIX_ENUM(histogram_tree);
    t->kernel[RADIX_SCATTER_TREE] = RADIX_ENUM(scatter_tree);
    t->kernel[RADIX_SCATTER_TILES_TREE] = RADIX_ENUM(scatter_tiles_tree);
#if PAYLOAD_BYTES
    t->kernel[RADIX_SCAN] = RADIX_ENUM(scan);
    t->shared[RADIX_SCAN] = ORDER_SHARED;
    t->shared[RADIX_HISTOGRAM_TREE] = COUNT_TREE + TREE_SHARED;
#else
    t->kernel[RADIX_WRITE_OUT] = RADIX_ENUM(write_out);
    t->shared[RADIX_WRITE_OUT] = EXPAND_SHARED;
    t->shared[RADIX_HISTOGRAM_TREE] = EXACT_SHARED;
#endif
    t->shared[RADIX_HISTOGRAM] = CLASSIFY_SHARED;
    t->shared[RADIX_HISTOGRAM_PLAIN] = CLASSIFY_SHARED;
    t->shared[RADIX_CLASSIFY] = CLASSIFY_SHARED;
    t->shared[RADIX_SCATTER] = RING_BYTES;
    t->shared[RADIX_SCATTER_PLAIN] = RING_BYTES;
    t->shared[RADIX_SCATTER_HEAVY] = RING_BYTES;
    t->shared[RADIX_SCATTER_TILES] = TILE_BYTES(TILE_THREADS, TILE_PER);
    t->shared[RADIX_MEDIUM] = MIDS_SHARED;
    t->shared[RADIX_SAMPLE_KEYS] = SAMPLE_BYTES;
    t->shared[RADIX_SCATTER_TREE] = MOVE_TREE + TREE_SHARED;
    t->shared[RADIX_SCATTER_TILES_TREE] = TILE_TREE + TREE_SHARED;
}
#endif
