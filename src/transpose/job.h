/* job.h - what the host and the kernels of cw_transpose both know. */
#ifndef CW_TRANSPOSE_JOB_H
#define CW_TRANSPOSE_JOB_H

#include <stdint.h>

#define TRANSPOSE_THREADS     256u
#define TRANSPOSE_ROW_THREADS 512u /* of the kernel that permutes a row in place */
#define TRANSPOSE_SIDE(log)   ((log) <= 2 ? 64u : 32u)       /* of a tile */
#define TRANSPOSE_SLICE       32u                            /* columns that are rotated together */
#define TRANSPOSE_ROWS(log)   ((log) <= 3 ? 256u : 128u)     /* of a slice, in shared memory */
#define TRANSPOSE_WORD(log)   ((log) < 2 ? 4u : 1u << (log)) /* of an element in shared memory */
#define TRANSPOSE_STRIP       2u                             /* tiles across: transpose/tile.h */

/* Elements of a sector of 32 bytes, of 4-byte elements two sectors, where output is cut, and rows
 * of a tile that is read for that. */
#define TRANSPOSE_SECTOR(log) ((log) == 2 ? 16u : 32u >> (log))
#define TRANSPOSE_TALL(log)                                                                   \
    ((TRANSPOSE_SIDE(log) + TRANSPOSE_SECTOR(log) + TRANSPOSE_THREADS / TRANSPOSE_SIDE(log) - \
      1u) /                                                                                   \
     (TRANSPOSE_THREADS / TRANSPOSE_SIDE(log)) * (TRANSPOSE_THREADS / TRANSPOSE_SIDE(log)))

#define TRANSPOSE_PAIRS 128u /* side of a tile of elements of 2 bytes: transpose/pairs.h */

/* Whole matrices, one after another. */
struct transpose_arg {
    uint64_t rows, columns, batch; /* of the input */
    const void *in;
    void *out;
    uint32_t down, across; /* tiles of a matrix */
};

/* By rectangles (transpose/rect.h). */
#define TRANSPOSE_RECT(log) \
    ((log) <= 2 ? 8192u : 32768u >> (log)) /* units of a rectangle, at most */
#define TRANSPOSE_ELEMENT 64u              /* bytes */

struct transpose_rect {
    uint64_t rows, columns, batch; /* of the input, in elements */
    const void *in;
    void *out;
    uint32_t each;                              /* units of an element */
    uint32_t high, wide, matrices;              /* of a rectangle */
    uint32_t pitch;                             /* units of its rows in shared memory */
    uint32_t down, across;                      /* rectangles of a matrix */
    uint32_t by_all, by_wide, by_high, by_each; /* to divide by matrix, row, column, element */
};

/* By words (transpose/words.h): rows of a tile, and those that are read before, for rows of the output
 * are cut at so many bytes. */
#define TRANSPOSE_WORDS_HIGH          128u
#define TRANSPOSE_WORDS_CUT           32u
#define TRANSPOSE_WORDS_BEFORE(bytes) ((TRANSPOSE_WORDS_CUT - 1u + (bytes)) / (bytes))
#define TRANSPOSE_WORDS_ROW           253u /* bytes of a row of a tile, at most: 64 words */

struct transpose_words {
    struct transpose_arg all;
    uint64_t total;        /* bytes of all matrices */
    uint32_t bytes;        /* of an element */
    uint32_t wide, before; /* columns of a tile; rows before its own */
    uint32_t pitch;        /* words of its rows in shared memory */
    uint32_t by;           /* 2^32 / bytes, rounded up */
};

/* Few rows or columns (transpose/thin.h). */
#define TRANSPOSE_THIN(log)   ((log) <= 2 ? 8192u : 32768u >> (log)) /* elements of a block */
#define TRANSPOSE_THIN_AHEAD  8u /* elements of a thread that are under way */
#define TRANSPOSE_THIN_ROUND  (TRANSPOSE_THIN_AHEAD * TRANSPOSE_THREADS)
#define TRANSPOSE_THIN_LENGTH 2048u /* of the long side, at least */

struct transpose_thin {
    uint64_t length; /* of the long side */
    const void *in;
    void *out;
    uint32_t few;    /* of the short one */
    uint32_t flat;   /* these are rows of the input; else columns */
    uint32_t span;   /* places of the long side that a block takes */
    uint64_t blocks; /* of a matrix */
    /* Elements of 1 and 2 bytes (transpose/thin_words.h). */
    uint64_t total;            /* bytes of all matrices */
    uint32_t pitch;            /* words from run to run in shared memory */
    uint32_t by_few, by_pitch; /* 2^32 / few, 2^32 / pitch, rounded up */
};

#define TRANSPOSE_THIN_WORDS 8192u /* words of a block, at most */

/* In place by pages (transpose/pages.h). */
struct transpose_pages {
    uint64_t rows, columns; /* elements */
    void *data, *work;
    void *more, *rest;     /* pages of columns that are not there; rows that fill no tiles */
    uint32_t *count;       /* a ticket, then of each row of tiles those that were read */
    uint32_t log;          /* of the side of a tile */
    uint32_t down, across; /* tiles */
    uint32_t pages;
    uint32_t group, groups;     /* pages of a group, which has one in the workspace; groups */
    uint32_t by_down, by_group; /* 2^32 / down, 2^32 / group */
};

/* A group of slices of columns: `slices` of them from number `first` on, which is kept at `work`,
 * row by row. */
struct transpose_group {
    uint32_t first, slices;
    void *work;
};

/* Steps of a transposition in place (Catanzaro, Keller, Garland). */
struct transpose_step {
    uint32_t m, n;    /* rows, columns */
    uint32_t a, b;    /* m and n over their greatest common divisor */
    uint32_t shuffle; /* of columns; else they are only rotated */
    uint32_t pitch;   /* elements of a row of the workspace */
    void *data;
    struct transpose_group leave, enter; /* written back; read */
};

#endif
