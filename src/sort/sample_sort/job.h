/* job.h - what the host and the kernels of the comparison sort both know.
 *
 * Items are keys of key_bytes bytes, as words (prim/key_map.h).  In some engines each has a number
 * of 4 bytes besides: its value or its index.  Items stand in sorted tiles of 2^log_tile items.
 * Several tiles are a segment.  Every tile of a segment is cut into buckets.  All items of a
 * bucket come before those of the next.  Buckets are the next pass's segments.
 *
 * sample_sort/plan.c makes a job and its launches.  docs/comparison.md has the whole.
 */
#ifndef CW_SORT_SAMPLE_SORT_JOB_H
#define CW_SORT_SAMPLE_SORT_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

/* Segments, and where the tiles, samples, .. of each begin.  There is one entry more than there are
 * segments, and all entries behind it are the same. */
struct sample_sort_pass {
    uint64_t *start;   /* item */
    uint64_t *samples; /* sample */
    uint64_t *rows;    /* two for each: samples up to `row`, and those beyond */
    uint32_t *tiles;   /* tile */
    uint32_t *buckets; /* bucket, which is a segment of the next pass */
    uint32_t *units;   /* piece of work of the kernel that cuts: `span` tiles at 32 places */
    uint32_t *cells;   /* position: a bucket's begin in a tile */
    uint32_t *windows; /* sum: of the positions of a bucket in the tiles before the next 32 */
    uint32_t *count;   /* of segments */
    uint32_t room;     /* for so many */
    uint32_t target;   /* items that a bucket should have */
    uint32_t every;    /* one sample for so many items of a tile */
    uint32_t row;      /* so many samples of a segment are sorted together */
    uint32_t span;     /* 32, or 8 */
};

/* How many of everything a segment has, or all before it have. */
struct sample_sort_sums {
    uint32_t tiles, samples, buckets, units, cells, windows;
};

/* Where to find the pieces of a bucket, as two words of 16 bytes: */
#define SAMPLE_GUIDE 32u /* bytes: its first cell, its first window, its segment's first item, .. */
                         /* .. items and tiles, whether the segment has no bucket after it */

struct sample_sort_job {
    uint64_t n;
    const void *in;
    const uint32_t *in_rest;
    void *out; /* NULL: not wanted */
    uint32_t *out_rest;
    struct cw_key_map map;
    uint32_t key_bytes;
    uint32_t to_words;   /* keys are read, and words made of them: bits from `shift` on, */
    uint32_t from_words; /* keys are written */
    uint32_t places;     /* the rest of an item that is read is its index */
    uint32_t shift;
    uint64_t mask;        /* as many as are 1 here */
    const void *original; /* NULL, or the keys, which are fetched where several share a word */

    uint32_t log_tile;
    uint32_t level;               /* merge: runs of 2^(level - 1) tiles, two at a time */
    struct sample_sort_pass at;   /* what the input is */
    struct sample_sort_pass next; /* what its buckets are */
    void *drawn;                  /* samples as tiles have them, words of 4 or 8 bytes */
    void *samples;                /* these, each row of them sorted */
    uint32_t *raw;                /* a cell: items of the tile below the splitter, and 65536 times
                                  those that are equal to it */
    uint16_t *cuts;               /* a cell: items of the tile that are before the bucket */
    uint32_t *sums;               /* a window */
    uint8_t *guides;              /* a bucket: SAMPLE_GUIDE */

    struct sample_sort_sums whole; /* of the array, a segment of its own */
    uint32_t *list;                /* of buckets that were too long */
    uint32_t *list_count;
    uint32_t draw; /* first: whether it draws samples */
    uint32_t one;  /* 1 (prim/thread_sort.h) */
};

#endif
