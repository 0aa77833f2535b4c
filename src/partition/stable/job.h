/* job.h - what the host and the kernels of the stable partition both know.
 *
 * Digits of the bucket's number, least significant first: one pass for up to 256 buckets, two for
 * up to 65536.  A pass moves keys, one payload and the index of every item.
 */
#ifndef CW_PARTITION_STABLE_JOB_H
#define CW_PARTITION_STABLE_JOB_H

#include <stdint.h>

#include "partition/job.h"

#define STABLE_BUCKETS 256u
#define STABLE_PASSES  2u

#define STABLE_COUNT_THREADS 512u
#define STABLE_COUNT_ITEMS   8u /* of a thread */

enum { STABLE_ALL, STABLE_COUNT, STABLE_MOVE };

/* Shared memory of the kernels that count, and of the one that finds buckets. */
struct stable_count_shared {
    uint32_t counts[STABLE_PASSES][STABLE_BUCKETS];
    uint64_t cuts[PARTITION_CUTS + 1u]; /* splitters: 4 bytes each of keys of 4 */
};

#define STABLE_COUNT_SHARED ((uint32_t)sizeof(struct stable_count_shared))
#define STABLE_BEGIN_SHARED ((uint32_t)sizeof(uint64_t) * STABLE_BUCKETS) /* block_scan8 */

/* Begins as zeros. */
struct stable_counts {
    uint64_t digit[STABLE_PASSES][STABLE_BUCKETS]; /* how many items have each digit */
};

struct stable_job {
    uint64_t n; /* at most: */
    const void *count;
    uint32_t count_bytes; /* NULL, or a number of 4 or 8 bytes */
    struct partition_rule rule;
    uint32_t drop; /* labels out of range go nowhere */
    uint32_t mark; /* write that labels were bad */
    struct partition_state *state;
    struct stable_counts *counts;
    uint64_t *base;                        /* passes x 2 x 256: where a bucket's next item goes */
    uint64_t *total;                       /* items that there are, and that are kept */
    uint32_t passes, width[STABLE_PASSES]; /* bits of each digit */

    /* One pass: */
    uint32_t pass, shift, mask; /* digit = bucket >> shift & mask */
    const void *keys;
    void *keys_to; /* NULL: not wanted */
    const void *values;
    void *values_to; /* NULL: there are none */
    uint32_t key_bytes, value_bytes;
    const uint32_t *index; /* NULL: items are numbered as they stand */
    void *index_to;        /* NULL: not wanted */
    uint32_t index_bytes;  /* of index_to, and of inverse */
    uint64_t choices;      /* index_to has the number over this */
    uint32_t *places;      /* NULL, or the index before it is divided, for what is gathered */
    void *inverse;         /* NULL: not wanted; where each item goes */
    void *dropped;         /* NULL, or the inverse, where an item that goes nowhere is marked */

    /* One launch of it, a portion of the array: */
    uint32_t tiles, portion;
    uint64_t from, most;  /* its first item, how many it may have */
    uint32_t *state_rows; /* tiles x 256 (prim/look_back.h) */
    uint32_t *next;       /* of the next launch, to be cleared, */
    uint32_t next_rows;   /* so many rows */
    uint32_t *ticket, *next_ticket;

    /* Where buckets begin. */
    uint64_t *starts; /* buckets + 1, in the workspace */
    uint64_t *offsets, *padded;
    uint64_t pad_to;
    uint32_t *blocks; /* NULL, or of each block of pad_to places: its bucket */
    uint64_t block_count;

    /* All in one launch, or in two: */
    uint32_t phase;   /* .. */
    uint32_t *slices; /* blocks x buckets / 2: two counts a word */
};

#endif
