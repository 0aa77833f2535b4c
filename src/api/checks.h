/* checks.h - arrays that a call was given: alignment, overlap, whose memory they are; and a job's tail. */
#ifndef CW_API_CHECKS_H
#define CW_API_CHECKS_H

#include "clearway.h"

struct cw_given {
    const char *name;
    const void *data;
    size_t bytes, align;
    int written;
};

/* Arrays 0 and 1, and 2 and 3, may be one buffer: the input and output of one thing.  All must be memory that
 * the context's machine can touch. */
cw_status cw_check_given(const cw_context *context, const struct cw_given *all, size_t count);

/* At most one order of floats. */
#define CW_ORDERS (CW_TOTAL_ORDER | CW_NAN_FIRST | CW_NAN_GREATEST)
cw_status cw_check_order(unsigned flags);

/* need 0: any will do. */
cw_status cw_check_workspace(const void *workspace, size_t bytes, size_t need);

/* The tail of a job, as CW_TAIL(job), holds nothing that this version does not know. */
cw_status cw_check_tail(const uint64_t *tail, size_t words);

/* A count in the context's memory: none, or a number of 4 or 8 bytes. */
cw_status cw_check_count(const void *count, size_t count_bytes);

#define CW_TAIL(job) (job)->reserved, sizeof(job)->reserved / sizeof *(job)->reserved

#endif
