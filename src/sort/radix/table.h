/* table.h - the kernels of the MSD radix sort for one type of item, as launches want them.
 *
 * An instance (src/instances.def) defines KEY_LOG, PAYLOAD_BYTES, RADIX_TYPE and SHAPES.  It
 * includes radix/kernels.h and radix/local_sort_kernels.h, which fill such a table.
 */
#ifndef CW_SORT_RADIX_TABLE_H
#define CW_SORT_RADIX_TABLE_H

#include "backend/kernel_list.h"

enum radix_kernel {
    RADIX_BEGIN,
    RADIX_HISTOGRAM,
    RADIX_HISTOGRAM_PLAIN, /* for keys that are words as they are */
    RADIX_SCAN,
    RADIX_CLASSIFY,
    RADIX_SCATTER,
    RADIX_SCATTER_PLAIN,
    RADIX_SCATTER_TILES,
    RADIX_MEDIUM,
    RADIX_SAMPLE_KEYS, /* of keys alone it may make a tree for the first pass: then these are used */
    RADIX_HISTOGRAM_TREE,
    RADIX_SCATTER_TREE,
    RADIX_SCATTER_TILES_TREE,
    RADIX_WRITE_OUT, /* keys alone: buckets that are written from counts */
    RADIX_STABLE,    /* stable sorts, which only pairs have */
    RADIX_STABLE_PLAIN,
    RADIX_KERNELS
};

#define RADIX_ROW_LOGS   4 /* rows of 2^10 .. 2^13 */
#define RADIX_ROW_FIRST  10
#define RADIX_MOST_SPLIT 264u /* `bins` of any shapes, at most */

struct radix_row_kernel {
    enum cw_kernel kernel;
    uint32_t shared; /* bytes */
    uint32_t blocks; /* that a multiprocessor holds */
};

struct radix_table {
    uint32_t key_bytes, value_bytes;
    uint32_t threads; /* of all kernels but these and those of rows: */
    uint32_t tile_threads, tile_blocks;
    uint32_t ticket_threads, ticket_blocks, ticket_items; /* of pairs, in stable sorts */
    uint32_t tickets;                                     /* of a pass, about, at most */
    uint32_t bins;                                        /* the most that a bucket is split into */
    uint32_t few_bins;                                    /* the same for buckets of few values */
    uint32_t one_bins;                                    /* the same where there is but one pass */
    uint32_t most_bins;    /* the same for the first pass by a tree */
    uint32_t tree_room;    /* entries of its table; 0: there is no tree */
    uint32_t sample_least; /* items, for a sample to be taken */
    uint32_t apart_least;  /* the same, for linear digits to have their own kernels there */
    uint32_t counters;     /* of values, for keys alone */
    enum cw_kernel kernel[RADIX_KERNELS];
    uint32_t shared[RADIX_KERNELS];

    struct radix_row_kernel
        row[2][RADIX_ROW_LOGS]; /* the last stage; of long arrays, the second ones */
    uint32_t narrow_least;      /* items for these: rows mostly are narrow */

    /* What arrays are divided into. */
    uint32_t processors;  /* multiprocessors that chunks are made for */
    uint32_t move_blocks; /* that each of them holds */
    uint64_t alone_most;  /* items of arrays that are sorted so, by one block; */
    uint64_t least;       /* and from here on; */
    uint64_t gated;       /* from here on arrays may be left to the LSD sort; */
    uint64_t trees;       /* up to here all that are skewed, then splitters win */
    uint64_t runs;        /* up to here those of runs; */
    uint64_t open;        /* from here on none is left */
    uint32_t alone;       /* items that are sorted as one row */
    uint32_t chunk_least; /* items of a chunk, unless the array is shorter */
    uint32_t huge_least;  /* no bucket shorter than this is worked on by several blocks */
    uint32_t count_items; /* of a chunk for each bin of its bucket, at least */
    uint32_t few_items;   /* keys alone: for each bin of a bucket of few values */
    /* 0, or so many lengths: one has counts of 8 bytes, for tests to meet them */
    uint32_t wide_every;
    uint32_t passes; /* 0: by n */
    uint64_t spare;  /* bytes of workspace that a sort may need besides arrays like the caller's */
    uint32_t drain_least; /* for more items, lists are worked off after every pass */
};

/* What sorts: keys of 4 and of 8 bytes, and keys of 4 with values of 4. */
#define CW_RADIX_ENGINES(E) E(u32) E(u64) E(p32)

#ifdef __cplusplus
extern "C" {
#endif
#define RADIX_DECLARE(type)                                          \
    void cw_sort_radix_##type##_passes_tiny(struct radix_table *t);  \
    void cw_sort_radix_##type##_rows_tiny(struct radix_table *t);    \
    void cw_sort_radix_##type##_passes_large(struct radix_table *t); \
    void cw_sort_radix_##type##_rows_large(struct radix_table *t);
CW_RADIX_ENGINES(RADIX_DECLARE)
#undef RADIX_DECLARE
void cw_sort_radix_p32_stable_kernels_tiny(struct radix_table *t);
void cw_sort_radix_p32_stable_kernels_large(struct radix_table *t);
#ifdef __cplusplus
}
#endif

/* cw_sort_radix_u32_histogram and the like, from RADIX_TYPE. */
#define RADIX_PASTE3(a, b, c) a##b##c
#define RADIX_PASTE(a, b, c)  RADIX_PASTE3(a, b, c)
#define RADIX_NAME(x)         RADIX_PASTE(cw_sort_radix_, RADIX_TYPE, _##x)
#define RADIX_ENUM(x)         KERNEL_ID(RADIX_NAME(x))

#endif
