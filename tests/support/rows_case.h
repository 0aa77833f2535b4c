/* rows_case.h - a batch of rows made, sorted by a context, and held against an obvious reference. */
#ifndef CW_ROWS_CASE_H
#define CW_ROWS_CASE_H

#include "clearway.h"
#include "test.h"

enum rows_pattern {
    ROWS_RANDOM,
    ROWS_FEW,
    ROWS_EQUAL,
    ROWS_SORTED,
    ROWS_REVERSE,
    ROWS_ZERO_ONE,
    ROWS_SPECIAL, /* NaNs, infinities, both zeros, the extremes of integers */
    ROWS_TWINS,   /* random, but three by three they differ in their 8 lowest bits only */
    ROWS_CROWDS,  /* three crowds, far apart */
    ROWS_NORMAL,  /* about normally distributed; floats: some are tiny, few are special */
    ROWS_PATTERNS,
    ROWS_EVERY = ROWS_PATTERNS /* all patterns of 16 bits, one after the other by large steps */
};

struct rows_case {
    cw_type type;
    unsigned flags;
    size_t rows, length;
    int mixed; /* by offsets: 1: lengths of 0 .. length, 2: of length, but for one in 50, 3: of length,
                  4: of length, but for rows 1 .. 31 */
    int narrow, gaps; /* mixed: offsets of 4 bytes; ends of their own, gaps, the last row first */
    int wide_index;   /* of 8 bytes */
    int counted;      /* the number of rows is in the context's memory, */
    size_t missing;   /* and so many of `rows` are not there */
    size_t value_bytes;
    int keys, index; /* which outputs */
    int in_place;
    size_t shift; /* items that the arrays begin after 256 bytes */
    enum rows_pattern pattern;
    uint64_t seed;
};

/* 0 if the outcome is as it must be; otherwise prints the case and what was wrong.  A status that
 * is not CW_OK counts as wrong. */
int rows_case_run(cw_context *context, const struct rows_case *c);

/* The backend that CW_TEST_BACKEND names: emulator (also when there is none), cpu or cuda. */
cw_backend rows_test_backend(void);

#endif
