/* partition.h - what partition is asked, for data of its own and for files. */
#ifndef CLI_PARTITION_H
#define CLI_PARTITION_H

#include "cli/common/data.h"
#include "cli/files/files.h"
#include "cli/common/on.h"

struct partition_request {
    struct data data;
    struct on on;
    struct files files;
    int rule; /* a cw_rule; -1: not given */
    uint64_t buckets, first_bit;
    const char *labels, *splitters, *offsets; /* files */
    int pairs;                                /* bytes of values, as sort has them */
    int unstable, time, json;
    int order; /* of floats: its place in CW_ORDER_LIST */
};

#define PARTITION_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15) /* of --by hash */

/* Fill in what the rule is: type, buckets, bits, multiplier.  DONE, or USAGE after a complaint. */
int partition_job(const struct partition_request *r, cw_type type, size_t n, cw_partition_job *out);

/* The bucket of a key by its bits, computed apart from the library; UINT64_MAX: none. */
uint64_t partition_bucket(const cw_partition_job *job, const void *splitters, uint64_t bits);

int partition_made(struct partition_request *r);
int partition_file(struct partition_request *r, const char *path);

#endif
