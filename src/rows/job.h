/* rows.h - what the row kernels are told: one argument for all of them, plain data.
 *
 * Rows fall into classes: class c has rows of 2^(c-1) + 1 .. 2^c keys (class 1 also rows of one), and
 * each class has two kernels, one for full rows (2^c plain words that start on 16 bytes) and one for
 * any.  Rows of one length are all of one kind.  Otherwise rows_sift (rows/size_classes.h) lists the rows
 * of each, and kernels find lists and counts in device memory.
 */
#ifndef CW_ROWS_JOB_H
#define CW_ROWS_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define CW_ROWS_CLASSES 16 /* 0 is not used */
#define CW_ROWS_FULL    16 /* list c has the rows of class c; list 16 + c those that are full */
#define CW_ROWS_THREE   32 /* and list 32 + c those of class c that three quarters of its places hold */
#define CW_ROWS_LISTS   48

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
    uint32_t *index_out;
    const void *offsets; /* where rows begin; NULL: rows of `length` */
    uint64_t items;          /* with offsets, of each array */
    uint64_t rows;
    uint64_t length; /* of the longest row */
    uint32_t full;   /* rows_sift: classes from this one on have lists of full rows, */
    uint32_t last;   /* up to this one */
    uint32_t form;   /* enum cw_rows_form */
    uint32_t value_bytes;
    struct cw_key_map map;

    uint32_t *counts; /* of each list, with offsets */
    uint64_t *lists;  /* list c is lists[list_at[c]] ..: start << 16 | length of each row */
    uint64_t list_at[CW_ROWS_LISTS + 1];

    /* Rows that take several blocks: 2^log_parts each, words kept in `words` meanwhile. */
    void *words;
    const void *values_kept; /* of all items, when they are sorted in place */
    uint32_t log_parts;
    uint32_t only; /* the class, where a kernel has several; 0: all of them */
    uint32_t from_words, to_words;
    uint32_t distance; /* rows_step: between partners */
    uint32_t mirror;   /* rows_step: the partner mirrors instead */
    uint32_t one;      /* 1 (prim/thread_sort.h) */
    uint32_t vectors;  /* keys are words that can be moved 16 bytes at a time */

    const void *ends;      /* where rows end, with offsets */
    uint32_t offset_bytes; /* 4 or 8 */
    uint32_t offset_signed;
    uint32_t unlisted; /* with offsets: all rows are of one class, and there are no lists */
    uint32_t threes;   /* rows_sift: classes that have lists of three quarters, a bit each */
};

#endif
