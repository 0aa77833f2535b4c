/* permute_case.h - elements made, permuted by a context, and held against what the index says. */
#ifndef CW_PERMUTE_CASE_H
#define CW_PERMUTE_CASE_H

#include "api/context.h"
#include "permute/plan.h"
#include "test.h"

/* Of CW_TEST_BACKEND (emulator, unless told): opened and closed around the tests of a program. */
extern cw_context *permute_context;
int permute_open(void **state);
int permute_close(void **state);

int permute_emulated(void);
int permute_on_gpu(void);
int permute_small(void); /* whether its kernels, or the host's patience, are */

/* On a GPU tiles and bins are larger: there must be more. */
size_t permute_items(size_t n);

enum permute_pattern {
    RANDOM,
    IDENTITY,
    REVERSE,
    ROTATED,
    STRIDED,
    HALVES, /* the first half stays, the second is shuffled */
    MIXED,  /* even targets in order, then odd ones shuffled */
    BLOCKS, /* blocks of 16 are moved as they are */
    TRADES, /* the first 200 change places with others all over the array: on the emulator, a tile */
    PATTERNS
};

struct permute_case {
    size_t n, bytes, index_bytes, shift; /* shift: elements that arrays begin after 256 bytes */
    unsigned flags;
    enum permute_pattern pattern;
    enum cw_permute_way way; /* AUTO: by cw_permute, else by its launches */
    uint64_t seed;
    int out_of_range, twice; /* how many indices are spoilt */
    cw_status want;
};

struct permute_arrays {
    uint64_t *p;
    uint8_t *in, *out, *index; /* on the host */
    void *dev_in, *dev_out, *dev_index, *work;
    size_t work_bytes;
};

struct permute_case permute_case_of(size_t n, size_t bytes, uint64_t salt);

/* 0 if it went as it must; otherwise the case is printed.  Both: scatter and gather. */
int permute_run(struct permute_case t);
int permute_both(struct permute_case t);

/* Its parts: arrays are made, with an index that may be changed (and set again); cw_permute is called. */
void permute_make(const struct permute_case *t, struct permute_arrays *a);
void permute_set_index(const struct permute_case *t, struct permute_arrays *a);
cw_status permute_by_call(const struct permute_case *t, struct permute_arrays *a);
size_t permute_untouched(const struct permute_case *t, const struct permute_arrays *a);
void permute_drop(struct permute_arrays *a);

/* Fails with the last error. */
void permute_good(cw_status status);

#endif
