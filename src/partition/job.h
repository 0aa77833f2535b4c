/* job.h - what the host and the kernels of a partition, most significant digit first, both know.
 *
 * An array is split by digits of the bucket's number.  A pass splits the ranges that the passes
 * before it made.  The first pass has one range, the array.  Every pass cuts the array into pieces,
 * at multiples of `chunk` and where ranges begin:
 *
 *      histogram   of every piece: how many items have each digit
 *      columns     of a range: counts of a digit are added up over pieces, in their order
 *      starts      of a range: where the items of each digit begin
 *      scatter     of pieces, or of tickets within them: items go where starts and counts say
 *
 * If a chunk and a range begin at the same place, the chunk comes first.  So piece c + p begins
 * with chunk c, if p ranges begin before it, and piece p + start / chunk + 1 begins with range p.
 * Both are found without a list of what comes before (partition/piece.h).  The pieces of the first
 * pass are its chunks.
 *
 * Histogram, scan and scatter of a digit: Merrill and Grimshaw (2011).
 */
#ifndef CW_PARTITION_JOB_H
#define CW_PARTITION_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define PARTITION_LEVELS 4u   /* at most */
#define PARTITION_CUTS   255u /* splitters that a block keeps in shared memory */
#define PARTITION_PLAIN  256u /* threads of kernels that need no shared memory but for splitters */

enum { PARTITION_BY_BITS, PARTITION_BY_CUTS, PARTITION_BY_HASH };

/* Which bucket a key of 1, 2, 4 or 8 bytes goes to. */
struct partition_rule {
    uint32_t by, bytes;
    uint32_t plain; /* bucket = key >> first & mask, the key being rotated */
    uint32_t buckets;
    uint32_t first, mask; /* bits */
    struct cw_key_map map;
    uint64_t most;    /* labels: the largest; else as large as can be */
    const void *cuts; /* splitters, buckets - 1 */
    uint64_t multiplier;
};

/* Begins as zeros. */
struct partition_state {
    uint32_t bad; /* labels out of range, or 2^32 - 1 of more: nothing more is done */
    uint32_t taken[PARTITION_LEVELS][2];
    uint64_t ends[2]; /* two buckets at once: 0, and the end of the first */
    uint64_t back;    /* items of the second, which is filled from the end */
};

/* From where to where a pass moves items; in_values NULL: they are places. */
struct partition_move {
    const void *in, *in_values;
    void *out, *out_values;
};

struct partition_job {
    struct partition_move move;
    struct partition_rule rule;
    uint64_t n;
    uint64_t chunk;
    uint32_t chunks, ranges, pieces;
    uint32_t pass;
    uint32_t shift, width;  /* digit = bucket >> shift, its lower `width` bits */
    uint64_t ticket_items;  /* items that a block moves in tiles before it takes others, */
    uint32_t tickets;       /* of which a piece has so many, at most */
    uint32_t tiled;         /* all pieces are moved in tiles; else: */
    uint32_t round, cap;    /* items of a round of queues, and that a queue holds */
    const uint64_t *starts; /* of ranges */
    uint64_t *next;         /* of what they are split into */
    uint64_t *bounds;       /* where pieces begin, and the end */
    uint32_t *range;        /* of a piece */
    uint32_t *way;          /* of a piece: 1: in tiles */
    uint64_t *counts;       /* a piece and digit */
    uint32_t *before; /* a ticket and digit: items of the piece before it; NULL: tickets is 1 */
    uint64_t *totals; /* a range and digit */
    struct partition_state *state;
};

/* What comes after items have moved: offsets, padding, and what is gathered. */
struct partition_after {
    uint64_t n;
    const uint64_t *total; /* NULL, or how many items there are in the output, which is at most n */
    struct partition_rule rule;
    struct partition_state *state;
    const void *in; /* rows */
    void *out;
    const uint32_t *places;
    uint64_t choices; /* row (place / choices) of the input */
    uint64_t row;     /* bytes of a row */
    uint32_t unit;    /* bytes that are moved at once */

    /* finish: */
    const uint64_t *starts; /* of all buckets, */
    uint32_t finer;         /* each of them in 2^finer pieces */
    uint64_t *offsets, *padded;
    uint64_t pad_to;
    uint32_t mark; /* write that labels were bad */
};

#endif
