/* verify_batch.h - a batch of rows for cw_sort_rows, or an array for cw_sort, and whether it came
 * out sorted.  An array is a batch of one row.
 *
 * Row r has a pattern of its own (verify_keys.h), so that a launch sees random, structured and
 * adversarial keys side by side.  Values are the places of their keys in the row, those of 16 bytes
 * with the complement behind it: what they should be is known, also where equal keys may come in any order.
 */
#ifndef CLI_VERIFY_BATCH_H
#define CLI_VERIFY_BATCH_H

#include "verify.h"

/* What is sorted. */
struct rows_form {
    cw_type type;
    unsigned flags;
    size_t value_bytes;
    int index, no_keys;
};

struct rows_case {
    struct rows_form form;
    uint32_t rows, length; /* of one length; with classes, both follow from them */
    uint32_t first, last;  /* classes: mixed lengths, given by offsets; 0: none */
    uint32_t once;         /* long classes have one row each, not two */
    uint32_t array;        /* one row, for cw_sort */
    uint32_t shift;        /* items that arrays begin after 256 bytes */
    uint32_t bits;         /* of an array's keys that count, the others being 0; 0: all */
    uint32_t keys;         /* their pattern (verify_keys.h) */
    uint32_t salt;
};

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, INDEX, OFFSETS, WORKSPACE, BATCH_ARRAYS };

struct batch {
    struct verify *v;
    const struct rows_case *c;
    size_t items;
    uint32_t rows, length;
    uint64_t *offsets;
    cw_rows job;
    cw_array array;
    struct verify_array a[BATCH_ARRAYS];
};

/* Free it also after a failure. */
cw_status batch_make(struct verify *v, const struct rows_case *c, struct batch *b);
void batch_free(struct batch *b);

cw_status batch_sort(struct batch *b);

/* What is wrong with the outcome; NULL: nothing. */
const char *batch_check(const struct batch *b);

/* A case from beginning to end; left out if it does not launch the kernel that was asked for. */
void batch_run(struct verify *v, struct rows_case c);

#endif
