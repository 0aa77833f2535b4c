/* plan.h - the LSD radix sort as launches. */
#ifndef CW_SORT_LSD_PLAN_H
#define CW_SORT_LSD_PLAN_H

#include "backend/queue.h"
#include "prim/key_map.h"
#include "sort/lsd/table.h"

struct lsd_task {
    uint64_t n;
    uint32_t key_bytes, payload_bytes; /* payload 0: none */
    struct cw_key_map map;
    uint32_t first_bit, bits; /* of the word: those that count */
    const void *keys_in;
    void *keys_out;         /* NULL: not wanted */
    uint32_t indexed;       /* the payload is the item's index, of 4 or 8 bytes */
    const void *payload_in; /* else */
    void *payload_out;
    const void *count; /* NULL, or how many items there are, n at most; 4 or 8 bytes */
    uint32_t count_bytes;
    const uint32_t *gate; /* NULL, or a word in the context's memory: 0 if nothing is to be done */
};

/* Bytes of workspace: a second array of all that is moved (keys that are not wanted: two), and less than
 * 34 MiB. */
uint64_t cw_lsd_bytes(const struct lsd_task *task, enum cw_shapes shapes);

cw_status cw_lsd_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                         void *workspace);

#endif
