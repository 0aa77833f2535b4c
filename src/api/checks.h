/* checks.h - arrays that a call was given: alignment, overlap, whose memory they are; and a job's
 * tail. */
#ifndef CW_API_CHECKS_H
#define CW_API_CHECKS_H

#include "clearway.h"

struct cw_given {
    const char *name;
    const void *data;
    size_t bytes, align;
    int written;
};

/* Arrays 0 and 1, and 2 and 3, may be one buffer: the input and output of one thing.  All must be
 * memory that the context's machine can touch. */
cw_status cw_check_given(const cw_context *context, const struct cw_given *all, size_t count);

/* At most one order of floats. */
#define CW_ORDERS (CW_TOTAL_ORDER | CW_NAN_FIRST | CW_NAN_GREATEST)
cw_status cw_check_order(unsigned flags);

/* need 0: any will do. */
cw_status cw_check_workspace(const void *workspace, size_t bytes, size_t need);

/* A job that is there, and whose tail is known. */
#define CW_CHECK_JOB(job) cw_check_there(job, (job) ? (job)->reserved : NULL, CW_TAIL_WORDS(job))
cw_status cw_check_there(const void *job, const uint64_t *tail, size_t words);

/* A type that there is, and no flags but the known ones. */
cw_status cw_check_type(cw_type type, unsigned flags, unsigned known);

/* Where a workspace's size is to be written: becomes 0. */
cw_status cw_check_bytes(size_t *bytes);

/* Keys and values that are sorted: what must be there is. */
cw_status cw_check_sorted(const void *keys_in, const void *keys_out, const void *index_out,
                          const void *values_in, const void *values_out, size_t value_bytes);

/* Elements start on the highest power of two that divides their size, up to 16. */
size_t cw_element_align(size_t bytes);

/* A count in the context's memory: none, or a number of 4 or 8 bytes. */
cw_status cw_check_count(const void *count, size_t count_bytes);

#define CW_TAIL_WORDS(job) (sizeof(job)->reserved / sizeof *(job)->reserved)

#endif
