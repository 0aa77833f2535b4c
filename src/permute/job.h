/* job.h - what the host and the kernels of cw_permute both know.
 *
 * permute/plan.c says which kernels run, and why.
 */
#ifndef CW_PERMUTE_JOB_H
#define CW_PERMUTE_JOB_H

#include <stdint.h>

#include "prim/bijection.h"

#define PERMUTE_NONE   0xffffffffu /* no target: the index was out of range, or there is no item */
#define PERMUTE_DIRECT 0xffffu     /* instead of a place in a tile: fetch it where it is */
#define PERMUTE_LEAVE  0xfffeu     /* the index was out of range */

/* Shapes.  On the emulator they are small, so that small tests meet every case, unless it is to try
 * those of a GPU. */
#define PERMUTE_FULL(cuda) (cuda)
#if defined(SHAPES_EARLY) /* a test: large shapes, but windows and passes of a small array */
#define PERMUTE_LATE(cuda) ((cuda) && 0)
#else
#define PERMUTE_LATE(cuda) (cuda)
#endif
#define PERMUTE_THREADS(cuda)     (PERMUTE_FULL(cuda) ? 512u : 64u)
#define PERMUTE_ITEMS(cuda, log)  (PERMUTE_FULL(cuda) ? (log) <= 2 ? 16u : 8u : 4u)
#define PERMUTE_TILE(cuda, log)   (PERMUTE_THREADS(cuda) * PERMUTE_ITEMS(cuda, log))
#define PERMUTE_BIN_LOG(cuda)     (PERMUTE_FULL(cuda) ? 9u : 3u) /* bins of a pass, at most */
#define PERMUTE_PLACE(cuda, log)  (PERMUTE_FULL(cuda) ? (log) <= 2 ? 14u : 16u - (log) : 7u)
#define PERMUTE_ROUTE_LOG         3 /* wider elements are gathered as they stand: that is as fast */
#define PERMUTE_ROUTE_BINS(cuda)  (PERMUTE_FULL(cuda) ? 256u : 8u)
#define PERMUTE_FEW_BINS(cuda)    (PERMUTE_FULL(cuda) ? 64u : 4u)
#define PERMUTE_WINDOW(cuda, log) (PERMUTE_LATE(cuda) ? 24u - (log) : 9u) /* 16 MiB */
#define PERMUTE_PASS_LOG(cuda)    (PERMUTE_LATE(cuda) ? 9u : 3u) /* more bins than these: two passes */
#define PERMUTE_STREAM_ITEMS      8u
#define PERMUTE_STREAM_THREADS(c) (PERMUTE_FULL(c) ? 256u : 64u)
#define PERMUTE_STREAM_LOG(c)     (PERMUTE_FULL(c) ? 12u : 9u) /* tiles of fetch lie in one window */

/* Bytes of shared memory, which host and kernels both go by.  A tile by bins (permute/index_tile.h)
 * has three words a bin and 64 more, then targets and values; one in slots (permute/slots.h) has a
 * word a slot, then what is at places. */
#define PERMUTE_HEAD_BYTES(cuda)  (12u * (1u << PERMUTE_BIN_LOG(cuda)) + 256u)
#define PERMUTE_SLOTS(cuda)       (PERMUTE_TILE(cuda, 2) / 32u + PERMUTE_ROUTE_BINS(cuda))
#define PERMUTE_SLOTS_BYTES(cuda) (PERMUTE_HEAD_BYTES(cuda) + 4u * PERMUTE_SLOTS(cuda))
#define PERMUTE_WORD(log)         ((log) < 2 ? 4u : 1u << (log)) /* of a value in shared memory */
#define PERMUTE_BINS_BYTES(cuda, log) \
    (PERMUTE_HEAD_BYTES(cuda) + PERMUTE_TILE(cuda, log) * (4u + PERMUTE_WORD(log)))

/* What permute/look.h counts: elements of a line of memory, log2; and up to how many changes of
 * line of a row of 32 targets, or fresh lines of 256 targets, the plain kernel is as fast. */
#define PERMUTE_LINE(cuda, log) (PERMUTE_FULL(cuda) ? 6u - (log) : 1u)
#define PERMUTE_SCATTER_CHANGES(cuda, log) \
    (PERMUTE_FULL(cuda) ? (log) <= 2 ? 12u : (log) == 3 ? 14u : 20u : 20u)
#define PERMUTE_SCATTER_LINES     64u
#define PERMUTE_GATHER_CHANGES(c) (PERMUTE_FULL(c) ? 17u : 20u)
#define PERMUTE_GATHER_LINES      104u

/* permute/survey.h: regions of the index; requests of a window; words of its table; one line in so
 * many is watched, log2. */
#define PERMUTE_REGIONS           4u
#define PERMUTE_SURVEY(cuda)      ((cuda) ? 1u << 20 : 256u)
#define PERMUTE_SURVEY_SLOTS(c)   ((c) ? 16384u : 1024u)
#define PERMUTE_SURVEY_WATCHED(c) ((c) ? 8u : 2u)
#define PERMUTE_SURVEY_THREADS    256u
#define PERMUTE_SURVEY_AHEAD      8u

#define PERMUTE_PLAIN        256u /* threads of kernels without shared memory */
#define PERMUTE_ROWS_EACH    4u   /* elements of rows that a thread moves at a time */
#define PERMUTE_DRAW_THREADS 256u
#define PERMUTE_DRAW_SPAN    (PERMUTE_ROWS_EACH * PERMUTE_DRAW_THREADS)

/* naive, check: a thread an element, or a part of one. */
struct permute_naive {
    uint64_t n;
    const void *index;
    const void *in;
    void *out;
    uint32_t wide;        /* index of 8 bytes */
    uint32_t gather;      /* rows: out[i] = in[p[i]] */
    uint32_t units;       /* rows: how many elements each has */
    uint32_t *seen;       /* check: a bit a target */
    uint32_t *bad;        /* check: how many offenders were met */
    const void *count;    /* check: NULL, or how many entries the index has, */
    uint32_t count_bytes; /* a number of 4 or 8 bytes */
};

/* As many elements as a word in memory says. */
struct permute_counted {
    uint64_t n; /* at most */
    const void *count;
    uint32_t count_bytes;
    const void *index;
    uint32_t index_bytes;
    const void *in;
    void *out;
    uint32_t gather;
    uint32_t unit, units; /* bytes of one; how many an element has */
};

/* A pass that brings items to bins by bits of their targets. */
struct permute_pass {
    uint64_t n;
    const void *index; /* of the first pass; then u32 targets */
    const void *in;
    void *values;
    uint32_t *keys; /* targets, for the next pass */
    uint16_t *lows; /* or their low bits, for the last one */
    uint32_t wide;  /* index of 8 bytes */
    uint32_t first; /* first pass */
    uint32_t look;  /* tiles that a plain kernel moves as fast go where they belong at once .. */
    void *out;      /* .. which is here */
    uint32_t *any;  /* how many tiles did not; 0: there is nothing left to do */
    uint32_t back;  /* deal: targets are those of the inverse */
    struct bijection by;
    uint32_t part;   /* log2 of the items of a part, later */
    uint32_t shift;  /* log2 of the targets of a bin */
    uint32_t bins;   /* of a part: a power of two */
    uint32_t *given; /* items of each part, later */
    uint32_t *taken; /* items of each bin, so far */
};

/* The last step: items of a bin go to their places. */
struct permute_place {
    uint64_t n;
    const uint16_t *lows;
    const void *values;
    void *out;
    const uint32_t *taken;
    const uint32_t *any; /* as in a pass */
};

/* Rows of any number of bytes, from any address. */
#define PERMUTE_ODD_ROW          32u                 /* bytes, at least */
#define PERMUTE_ODD_WORDS(bytes) ((bytes) / 4u + 2u) /* aligned words that a row may touch */

struct permute_odd {
    uint64_t n;
    const void *index;
    const void *in;
    void *out;
    uint32_t wide; /* index of 8 bytes */
    uint32_t gather;
    uint32_t bytes;
};

/* A shuffle of rows, each a few units. */
struct permute_draw {
    uint64_t n;
    const void *in;
    void *out;
    uint32_t units;
    uint32_t back; /* out[i] = in[back(i)], not in[at(i)] */
    struct bijection by;
};

/* A look at some windows of an index. */
struct permute_survey {
    uint64_t n;
    const void *index;
    uint64_t region;    /* requests of one */
    uint64_t into;      /* where in a region its window begins */
    uint32_t window;    /* requests */
    uint32_t wide;      /* index of 8 bytes */
    uint32_t line;      /* log2 of the elements of a line of memory */
    uint32_t slots;     /* of a region's table */
    uint32_t unwatched; /* a line is watched if its hash has no bit from this one on */
    uint32_t *counts; /* of a region: requests that were watched, and how many of them were first */
    uint32_t *table;
};

/* Gathering: requests go to windows of the input, and values come back the same way. */
struct permute_route {
    uint64_t n;
    const void *index;
    const void *in;
    void *out;
    void *values;
    uint32_t *keys;   /* requests, by window */
    uint16_t *places; /* where in its tile each request stood */
    uint64_t *table; /* of a tile, for each bin: where it begins there, and how many (upper half) */
    uint32_t *taken; /* of each bin */
    uint32_t wide;   /* index of 8 bytes */
    uint32_t shift;  /* log2 of a window */
    uint32_t bins;
    uint32_t stride;        /* of the table */
    uint32_t look;          /* tiles that a plain kernel moves as fast are moved at once */
    uint64_t region;        /* requests of one, of a survey: .. */
    const uint32_t *survey; /* .. its counts */
    uint32_t *sent;         /* of each tile: whether its requests were sent to windows */
    uint32_t *any;          /* how many tiles were */
};

#endif
