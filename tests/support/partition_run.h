/* partition_run.h - the arrays of one partition case, on the host and where it is partitioned. */
#ifndef CW_PARTITION_RUN_H
#define CW_PARTITION_RUN_H

#include "partition_case.h"

#define GUARD  256u /* bytes on both sides of every array, which must stay as they were */
#define CANARY 0x5b

enum { KEYS_IN, CUTS, KEYS_OUT, INDEX, INVERSE, OFFSETS, PADDED, WORKSPACE, ROWS };
enum { ARRAYS = ROWS + 2 * PARTITION_PAYLOADS };

struct partition_array {
    unsigned char *host, *now; /* with guards: as it was sent, as it came back */
    void *device;              /* the same, in the context's memory */
    size_t bytes, shift, item;
};

struct partition_run {
    const struct partition_case *c;
    cw_context *context;
    struct partition_array a[ARRAYS];
    cw_payload payloads[PARTITION_PAYLOADS];
    cw_partition_job job;
    uint32_t *bucket; /* of every item */
    size_t *from;     /* the items of the output, in stable order */
};

/* Make arrays and input, and a job of them; the bucket of every item by an obvious rule. */
void partition_run_begin(struct partition_run *r, cw_context *context,
                         const struct partition_case *c);
void partition_run_end(struct partition_run *r);

/* What is wrong, after a call that returned `status`; NULL: nothing. */
const char *partition_check(struct partition_run *r, cw_status status);

size_t partition_whole(const struct partition_array *a); /* bytes, with guards */
void *partition_inside(const struct partition_array *a); /* the array in the context's memory */

/* Item i of the array's copy `in`, a->host or a->now. */
unsigned char *partition_at(const struct partition_array *a, unsigned char *in, size_t i);
uint64_t partition_get(const struct partition_array *a, unsigned char *in, size_t i);

#endif
