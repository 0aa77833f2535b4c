/* sum_job.h - what the host and the kernels of cw_gather_sum both know. */
#ifndef CW_PERMUTE_SUM_JOB_H
#define CW_PERMUTE_SUM_JOB_H

#include <stdint.h>

#define SUM_THREADS 256u

struct gather_sum {
    uint64_t n;    /* rows of the output */
    uint64_t rows; /* of the input */
    uint32_t per;  /* rows that are added for each of the output */
    uint32_t units;
    const void *in;
    void *out;
    const void *index;
    const void *weights; /* NULL: all are 1 */
    uint32_t wide_index; /* of 8 bytes */
    uint32_t weight_bytes;
};

/* The check: how many indices are out of range. */
struct gather_range {
    uint64_t count, rows;
    const void *index;
    uint32_t wide_index;
    uint32_t *bad;
};

#endif
