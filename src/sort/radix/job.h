/* job.h - what the host and the kernels of the MSD radix sort both know.
 *
 * radix/bucket.h says what buckets, chunks and rows are.  radix/plan.c makes a job and its
 * launches.
 */
#ifndef CW_SORT_RADIX_JOB_H
#define CW_SORT_RADIX_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define RADIX_PASSES     8    /* at most */
#define RADIX_HUGE       2024 /* a bucket of a pass has more than this part of the array */
#define RADIX_ROWS       2    /* classes of buckets that the last stage sorts */
#define RADIX_WRITE_OUTS 1024 /* buckets that are written from counts, at most */

/* Words of 8 bytes: of chunk_keys for a chunk, of `medium` for a bucket (start and buffer, length,
 * range). */
#define RADIX_CHUNK_KEYS              3u
#define RADIX_MEDIUM_WORDS(key_bytes) (2u + (key_bytes) / 4u)

#define RADIX_MEDIUM_BLOCKS 512 /* blocks for medium buckets, if they work in rounds */

enum { AT_IN, AT_TMP, AT_OUT };
enum { BUCKET_SPLIT, BUCKET_STAYS, BUCKET_COPY, BUCKET_WRITTEN };

struct radix_bucket {
    uint64_t start, len;
    uint64_t lo, last;
    uint32_t lead, mult, bins;
    uint32_t tree;          /* whether its digit is that of the tree */
    uint32_t open;          /* its first and its last bin are for keys beyond its range */
    uint32_t at;            /* which buffer it stands in */
    uint32_t action;        /* found by the kernel that splits */
    uint32_t first, chunks; /* of its pass's */
    uint32_t bin, count;    /* where its bins begin in `starts`, and its chunks' in `counts` */
};

/* Some tiles of a chunk, which one block moves. */
struct radix_ticket {
    uint64_t from;
    uint32_t items, chunk;
};

struct radix_pass {
    uint32_t buckets, chunks;
    uint32_t counted, moved;         /* chunks taken so far */
    uint32_t crowded, tiled;         /* chunks that go by tiles, of these taken so far */
    uint32_t tickets, tickets_taken; /* stable sorts: entries of ticket_list, taken so far */
    uint32_t bins, counts;           /* of `starts` and `counts`: given away */
    uint32_t few;                    /* bins of buckets of few values, at most */
};

/* Begins as zeros. */
struct radix_state {
    struct radix_pass pass[RADIX_PASSES + 1];
    /* Where lists are worked off several times, by tickets: */
    uint32_t rows[2][RADIX_ROWS]; /* entries of the lists, or more where a list was full */
    uint32_t rows_taken[2][RADIX_ROWS + 1]; /* of these, by blocks that were done with others */
    uint32_t claimed[2];                    /* rows that medium buckets may make */
    uint32_t medium, medium_taken;
    uint32_t waiting
        [RADIX_MEDIUM_BLOCKS]; /* a block's medium bucket that found no room for its rows, and 1 */
    uint32_t left, classified; /* radix/leave.h: items, blocks that have added theirs */
    struct {
        uint32_t rows[RADIX_ROWS], medium, write_outs, write_out_chunks;
    } before; /* entries of lists when this pass began: radix/leave.h */
    uint32_t write_outs, write_out_chunks;
    uint32_t write_out_counters; /* given away, of those behind counting/counted_buckets.h's */
    uint32_t write_out_counted, written; /* chunks taken so far */
};

/* A bucket that is written from how often each of its values occurs: counting/narrow_buckets.h. */
struct radix_write_out {
    uint64_t start, len;
    uint64_t lo;     /* its first value, a word */
    uint32_t values; /* from there on, 2^shift apart */
    uint32_t shift;
    uint32_t counter;       /* of the first value */
    uint32_t at;            /* which buffer its keys stand in */
    uint32_t counted;       /* whether they were */
    uint32_t first, chunks; /* of all of the list's */
};

/* Keys alone: a digit by a sample of them (splitters/tree_build.h). */
struct radix_tree {
    uint64_t lo, last;
    uint32_t lead;
    uint32_t used;  /* in the first pass */
    uint32_t steps; /* nodes on the longest way from the root to a leaf */
};

/* `in` may be `out`, and so may their values: the first pass moves the whole array before anything
 * is written to `out`. */
struct radix_job {
    const void *in;
    void *tmp, *out;
    const void *in_values;
    void *tmp_values, *out_values;
    struct cw_key_map map; /* of keys, which move as they are */
    uint64_t n;
    uint64_t seed;  /* where keys are sampled: drawn for the call, lest it be foreseen */
    uint32_t *gate; /* NULL, or: becomes 1 if the array is left to another method: none is sorted */
    uint32_t leaves;               /* keys alone: it is left if they are skewed; */
    uint32_t leaves_runs;          /* if neighbours tell of runs */
    uint64_t chunk;                /* items, about */
    uint64_t huge;                 /* buckets longer than this get many blocks */
    uint32_t pass;                 /* of this launch */
    uint32_t passes;               /* there are */
    uint32_t row_items;            /* what bins should be split down to */
    uint32_t row_most[RADIX_ROWS]; /* items that a class holds */
    uint32_t done_most;            /* a longer bin of equal keys in the output is done */
    uint32_t stable;
    struct radix_state *state;
    struct radix_bucket *buckets[2];  /* of even and odd passes, most_buckets each */
    uint32_t *chunk_bucket[2];        /* the bucket of a chunk */
    uint64_t *chunk_keys;             /* least and greatest key, bits in which keys differ */
    uint32_t *chunk_way;              /* how a chunk is moved: radix/histogram.h */
    uint32_t *crowded;                /* a list of those that do not go by queues alone */
    uint32_t wide;                    /* whether `counts` and `starts` have 8 bytes each, not 4 */
    uint32_t count_items;             /* a chunk has so many items for each of its bins */
    void *counts;                     /* a bin and chunk: items of the bin before the chunk's */
    uint64_t ticket_items;            /* stable sorts: of a ticket; */
    struct radix_ticket *ticket_list; /* tickets of a pass; */
    uint32_t *before;      /* a bin and ticket: items of the bin before it, in its chunk */
    void *starts;          /* a bin and bucket of an even and of an odd pass: items of the bin, then
                            where it starts */
    uint32_t start_room;   /* bins of all buckets of a pass, at most */
    uint32_t few_room;     /* of these, of buckets of few values */
    uint64_t most_buckets; /* of a pass */
    uint32_t few_bins;     /* the most that a bucket is split into, if it has few values */
    uint64_t *medium;      /* buckets for one block: medium_store */
    struct radix_tree *tree; /* NULL: there is none */
    /* the tree's kernels do the first pass, whatever its digit: short arrays, where launches count */
    uint32_t both;
    uint32_t *tree_table;
    uint64_t *tree_ends;    /* the last key of each bin */
    uint32_t *tree_counted; /* the first counter of each bin that is counted by values */
    struct radix_write_out *write_outs; /* NULL: there is no such list */
    uint32_t *counters;                 /* of values; begin as 0 */
    uint64_t *row_list[RADIX_ROWS];
    uint32_t row_room[RADIX_ROWS]; /* entries that the lists have room for */
    uint32_t medium_room;
    uint32_t drains; /* whether lists are worked off after every pass */
    uint32_t half;   /* `drains`: 0 and 1, alternately */
    uint32_t forced; /* `drains`: whether no medium bucket may wait any more */

    /* The last stage: */
    uint32_t which; /* list; RADIX_ROWS: both, by the kernel for the longer ones */
    uint32_t alone; /* whether there is no list: the array is the one row */
    uint32_t one;   /* 1 (prim/thread_sort.h) */
};

#endif
