/* kernels.h - the passes of radix/pass.h for one type of item, and their lines of the table. */
#include "dev/kernel.h"
#include "sort/radix/table.h"
#include "sort/radix/medium_buckets.h"

FITS(sizeof(struct classify_shared));
FITS(sizeof(struct queues_shared));
FITS(sizeof(struct tile_alone));
FITS(sizeof(struct medium_shared));
FITS(sizeof(struct sample_shared));
#if PAYLOAD_BYTES
FITS(sizeof(struct order_shared));
#else
FITS(sizeof(struct queues_tree_shared));
FITS(sizeof(struct tile_tree_shared));
FITS(sizeof(struct expand_shared));
FITS(sizeof(struct counted_shared));
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
    t->kernel[RADIX_SCATTER_TILES] = RADIX_ENUM(scatter_tiles);
    t->kernel[RADIX_MEDIUM] = RADIX_ENUM(medium);
    t->kernel[RADIX_SAMPLE_KEYS] = RADIX_ENUM(sample);
#if PAYLOAD_BYTES
    t->kernel[RADIX_SCAN] = RADIX_ENUM(scan);
    t->shared[RADIX_SCAN] = sizeof(struct order_shared);
#else
    t->kernel[RADIX_HISTOGRAM_TREE] = RADIX_ENUM(histogram_tree);
    t->kernel[RADIX_SCATTER_TREE] = RADIX_ENUM(scatter_tree);
    t->kernel[RADIX_SCATTER_TILES_TREE] = RADIX_ENUM(scatter_tiles_tree);
    t->shared[RADIX_SCATTER_TREE] = sizeof(struct queues_tree_shared);
    t->shared[RADIX_SCATTER_TILES_TREE] = sizeof(struct tile_tree_shared);
    t->kernel[RADIX_WRITE_OUT] = RADIX_ENUM(write_out);
    t->shared[RADIX_WRITE_OUT] = sizeof(struct expand_shared);
    t->shared[RADIX_HISTOGRAM_TREE] = sizeof(struct counted_shared);
#endif
    t->shared[RADIX_HISTOGRAM] = sizeof(struct classify_shared);
    t->shared[RADIX_HISTOGRAM_PLAIN] = sizeof(struct classify_shared);
    t->shared[RADIX_CLASSIFY] = sizeof(struct classify_shared);
    t->shared[RADIX_SCATTER] = sizeof(struct queues_shared);
    t->shared[RADIX_SCATTER_PLAIN] = sizeof(struct queues_shared);
    t->shared[RADIX_SCATTER_TILES] = sizeof(struct tile_alone);
    t->shared[RADIX_MEDIUM] = sizeof(struct medium_shared);
    t->shared[RADIX_SAMPLE_KEYS] = sizeof(struct sample_shared);
}
#endif
