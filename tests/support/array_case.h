/* array_case.h - an array made, sorted by a context, and held against an obvious reference. */
#ifndef CW_ARRAY_CASE_H
#define CW_ARRAY_CASE_H

#include "clearway.h"
#include "test.h"

enum array_pattern {
    ARRAY_RANDOM,
    ARRAY_EQUAL,
    ARRAY_TWO,
    ARRAY_SORTED,
    ARRAY_REVERSE,
    ARRAY_HEAVY, /* half of the keys share their top 8 bits */
    ARRAY_ZIPF,
    ARRAY_TOP_EQUAL, /* the upper half of the bits */
    ARRAY_LOW_EQUAL, /* the lower half */
    ARRAY_SPECIAL,   /* NaNs, infinities, both zeros, the extremes of integers */
    ARRAY_NESTED,    /* clusters inside clusters, with a few keys astray at every scale */
    ARRAY_PERIODIC,  /* the same 1024 keys again and again, so that all tiles are alike */
    ARRAY_FAR,       /* the upper half of the bits equal, but for a few keys */
    ARRAY_NEARLY,    /* sorted, but for a key in a thousand */
    ARRAY_PATTERNS
};

struct array_case {
    cw_type type;
    unsigned flags;
    size_t n;
    size_t value_bytes, index_bytes;
    int keys; /* whether they are wanted */
    int in_place;
    size_t shift; /* items that the arrays begin after 256 bytes */
    size_t count_bytes,
        missing; /* the number is in the context's memory, and so many of n are not there */
    unsigned first_bit, bits;
    enum array_pattern pattern;
    uint64_t seed;
};

/* 0 if the outcome is as it must be; otherwise prints the case and what was wrong.  A status that
 * is not CW_OK counts as wrong. */
int array_case_run(cw_context *context, const struct array_case *c);

/* The order of two keys, as bits: below 0, 0, or above. */
int array_compare(const struct array_case *c, uint64_t a, uint64_t b);

#endif
