/* job.h - what the row kernels are told: one argument for all of them, plain data.
 *
 * Rows fall into classes.  Class c has rows of 2^(c-1) + 1 .. 2^c keys; class 1 also rows of one.
 * Each class has two kernels, one for full rows (2^c plain words that start on 16 bytes) and one
 * for any.  Rows of one length are all of one class.  Otherwise cw_rows_classes
 * (rows/size_classes.h) lists the rows of each, and kernels find lists and counts in device memory.
 */
#ifndef CW_ROWS_JOB_H
#define CW_ROWS_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define CW_ROWS_CLASSES 16 /* 0 is not used */
#define CW_ROWS_FULL    16 /* list c has the rows of class c; list 16 + c those that are full */
#define CW_ROWS_THREE \
    32 /* and list 32 + c those of class c that three quarters of its places hold */
#define CW_ROWS_PARTS 48 /* parts of rows that are longer than a block sorts (rows/parts.h) */
#define CW_ROWS_LONG  49 /* those rows, two entries each: start; length << 32 | first part */
#define CW_ROWS_LISTS 50

#define CW_ROWS_CLASS_THREADS 256u /* of kernels that make lists of rows; */
#define CW_ROWS_STEP_THREADS  256u /* of the one that does steps between parts */

/* The kernels of a word size: cw_rows_u32_any and so on. */
#define ROWS_JOIN2(a, b, c, d) a##b##c##d
#define ROWS_JOIN(a, b, c, d)  ROWS_JOIN2(a, b, c, d)
#define ROWS_NAME(what)        ROWS_JOIN(cw_rows_, ROWS_WORD, _, what)

/* What a word holds. */
enum cw_rows_form {
    CW_ROWS_KEYS,  /* the key */
    CW_ROWS_INDEX, /* the key, then its place in the row: equal keys keep their order */
    CW_ROWS_PAIRS  /* the key, then its value */
};

struct cw_rows_arg {
    const void *keys_in;
    void *keys_out; /* NULL: not wanted */
    const void *values_in;
    void *values_out;
    void *index_out;
    const void *offsets; /* where rows begin; NULL: rows of `length` */
    uint64_t items;      /* with offsets, of each array */
    uint64_t rows;       /* at most, with a count */
    uint64_t length;     /* of the longest row */
    uint32_t full;       /* cw_rows_classes: classes from this one on have lists of full rows, */
    uint32_t last;       /* up to this one, the longest that a block sorts */
    uint32_t form;       /* enum cw_rows_form */
    uint32_t value_bytes;
    struct cw_key_map map;

    uint32_t *counts; /* of each list, with offsets */
    uint64_t *lists;  /* list c is lists[list_at[c]] ..: start << 16 | length of each row or part */
    uint64_t list_at[CW_ROWS_LISTS + 1];

    /* Rows in parts of 2^last words, kept in `words` meanwhile. */
    void *words;
    void *joined;        /* where rows/join.h puts them */
    uint64_t *part_rows; /* with offsets: of each part, the row's first part << 32 | its parts */
    const void *values_kept; /* of all items, when an index fetches them; */
    const void *keys_kept;   /* the same of keys, where they are restored (rows/io.h) */
    uint32_t top;            /* cw_rows_classes: rows of higher classes are in parts */
    uint32_t parts;          /* of every row, without offsets */
    uint32_t level;          /* groups of 2^level parts are merged */
    uint32_t low, steps;     /* rows_step: so many steps, the last of parts 2^low apart, */
    uint32_t mirror;         /* the first one mirrored */

    uint32_t only;    /* the list, where a kernel has several; 0: all of them */
    uint32_t one;     /* 1 (prim/thread_sort.h) */
    uint32_t vectors; /* keys are words that can be moved 16 bytes at a time */

    const void *ends;      /* where rows end, with offsets */
    uint32_t offset_bytes; /* 4 or 8 */
    uint32_t index_bytes;  /* 4 or 8 */
    uint32_t unlisted;     /* with offsets: all rows are of one class, and there are no lists */
    const void *count;     /* NULL, or how many rows there are */
    uint32_t count_bytes;  /* 4 or 8 */
    uint32_t early;        /* rows with an index: values come with the keys (rows/index_values.h) */
    uint32_t lanes;        /* arrays are simple and start on 16 bytes (rows/lanes.h) */
    uint32_t threes; /* cw_rows_classes: classes that have lists of three quarters, a bit each */
};

#endif
