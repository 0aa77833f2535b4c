/* labels.h - which bucket each item of a partition goes to, a block of items at a time. */
#ifndef CW_CPU_PARTITION_LABELS_H
#define CW_CPU_PARTITION_LABELS_H

#include "clearway.h"
#include "prim/key_map.h"

#define CW_LABELS_BLOCK 1024u /* items, at most */

struct cw_labels {
    const cw_partition_job *job;
    struct cw_key_map map;
    size_t bytes;        /* of a key */
    uint64_t multiplier; /* CW_BY_HASH */
    uint64_t *splitters; /* CW_BY_SPLITTER: mapped, 2^levels of them, the last ones all set */
    uint32_t levels;
    uint64_t most; /* CW_BY_LABEL: the largest, as an unsigned number of the key's bytes */
};

/* For a job that was checked.  Refused for want of memory alone. */
cw_status cw_labels_open(const cw_partition_job *job, struct cw_labels *out);
void cw_labels_close(struct cw_labels *l);

/* Of items x .. x + n - 1, to `to`.  The return is n, or how many stand before the first whose
 * label is no bucket's number; with CW_DROP such items are of bucket `buckets`. */
uint32_t cw_labels_find(const struct cw_labels *l, size_t x, uint32_t n, uint16_t *to);

#endif
