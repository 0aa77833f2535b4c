/* job.h - what the host and the kernels of a partition both know.
 *
 * An array is split by digits of the bucket's number, most significant first.  A level's parts are
 * the ranges that the levels before it made; level 0 has one part, the array.  Every level cuts
 * the array into pieces, at multiples of `chunk` and where parts begin:
 *
 *      count     the digits of every piece
 *      columns   of a part: counts of a digit are added up over pieces, in their order
 *      starts    of a part: where the items of each digit begin
 *      move      pieces, or tickets within them: items go where starts and counts say
 *
 * A chunk's begin comes before that of a part that begins in the same place, so piece c + p begins
 * with chunk c, if p parts begin before it, and piece p + start / chunk + 1 with part p: both can be
 * found without a list of what comes before (partition/piece.h).  Level 0's pieces are its chunks.
 */
#ifndef CW_PARTITION_JOB_H
#define CW_PARTITION_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define PARTITION_LEVELS 4u   /* at most */
#define PARTITION_CUTS   255u /* splitters that a block keeps in shared memory */

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
    uint32_t bad; /* labels out of range: nothing more is done */
    uint32_t taken[PARTITION_LEVELS][2];
    uint64_t ends[2]; /* two buckets at once: 0, and the end of the first */
    uint64_t back;    /* items of the second, which is filled from the end */
};

/* From where to where a level moves items; in_values NULL: they are places. */
struct partition_move {
    const void *in, *in_values;
    void *out, *out_values;
};

struct partition_job {
    struct partition_move move;
    struct partition_rule rule;
    uint64_t n;
    uint64_t chunk;
    uint32_t chunks, parts, pieces;
    uint32_t level;
    uint32_t shift, width;  /* digit = bucket >> shift, its lower `width` bits */
    uint64_t ticket_items;  /* items that a block moves in tiles before it takes others, */
    uint32_t tickets;       /* of which a piece has so many, at most */
    uint32_t tiled;         /* all pieces are moved in tiles; else: */
    uint32_t round, cap;    /* items of a round of queues, and that a queue holds */
    const uint64_t *starts; /* of parts */
    uint64_t *next;         /* of what they are split into */
    uint64_t *bounds;       /* where pieces begin, and the end */
    uint32_t *part;         /* of a piece */
    uint32_t *way;          /* of a piece: 1: in tiles */
    uint64_t *counts;       /* a piece and digit */
    uint32_t *before; /* a ticket and digit: items of the piece before it; NULL: tickets is 1 */
    uint64_t *totals; /* a part and digit */
    struct partition_state *state;
};

/* What is around the moves. */
struct partition_around {
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
