/* partition_case.h - an array made, partitioned by a context, and held against an obvious reference. */
#ifndef CW_PARTITION_CASE_H
#define CW_PARTITION_CASE_H

#include "clearway.h"
#include "test.h"

enum { PARTITION_PAYLOADS = 4 };

enum partition_pattern {
    PARTITION_RANDOM,
    PARTITION_EQUAL,
    PARTITION_SORTED,
    PARTITION_SKEWED, /* half of the items in one bucket */
    PARTITION_RUNS,   /* neighbours go to one bucket */
    PARTITION_PATTERNS
};

struct partition_case {
    cw_type type;
    cw_rule rule;
    unsigned flags;
    size_t n;
    uint32_t buckets;
    unsigned first_bit;
    uint64_t multiplier;
    int keys, offsets, index, inverse;  /* whether they are wanted */
    size_t index_bytes, pad_to;         /* pad_to 0: not wanted */
    size_t payload[PARTITION_PAYLOADS]; /* bytes of rows; 0: no such payload */
    size_t bad;                         /* labels that are out of range */
    size_t shift;                       /* items that arrays begin after 256 bytes */
    enum partition_pattern pattern;
    uint64_t seed;
};

/* 0 if the outcome is as it must be; otherwise prints the case and what was wrong. */
int partition_case_run(cw_context *context, const struct partition_case *c);

/* One of all there are, of up to `most` items. */
struct partition_case partition_case_random(uint64_t seed, size_t most);

#endif
