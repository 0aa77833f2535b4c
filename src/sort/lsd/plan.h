/* plan.h - the LSD radix sort as launches. */
#ifndef CW_SORT_LSD_PLAN_H
#define CW_SORT_LSD_PLAN_H

#include "backend/queue.h"
#include "prim/key_map.h"
#include "sort/lsd/arrays.h"
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

/* Which kernel suits a payload of `moved` bytes: k4, k4_v4, k4_v8, k4_v16, k8 .. */
static inline uint32_t lsd_type(const struct lsd_task *task, uint32_t moved)
{
    return (task->key_bytes == 8 ? 4u : 0u) + (!moved       ? 0u
                                               : moved <= 4 ? 1u
                                               : moved == 8 ? 2u
                                                            : 3u);
}

/* What kernels are told of a task whose payload moves as `moved` bytes.  A macro, as jobs of
 * several kinds have these fields. */
#define LSD_JOB_OF(j, task, moved)                                          \
    do {                                                                    \
        (j)->count = (task)->count;                                         \
        (j)->count_bytes = (task)->count_bytes;                             \
        (j)->gate = (task)->gate;                                           \
        (j)->keys[SORT_IN] = (task)->keys_in;                               \
        (j)->values[SORT_IN] = (task)->indexed ? NULL : (task)->payload_in; \
        (j)->values[SORT_OUT] = (task)->payload_out;                        \
        (j)->indexed = (task)->indexed;                                     \
        (j)->drop_keys = !(task)->keys_out;                                 \
        (j)->key_bytes = (task)->key_bytes;                                 \
        (j)->value_bytes = (task)->payload_bytes ? (moved) : 0u;            \
        (j)->last_bytes = (task)->payload_bytes;                            \
        (j)->map = (task)->map;                                             \
        (j)->first_bit = (task)->first_bit;                                 \
        (j)->bits = (task)->bits;                                           \
        (j)->passes = ((task)->bits + 7u) / 8u;                             \
    } while (0)

/* The second array of keys and of payloads, from `base` on; keys that are not wanted have a third
 * if there are three passes.  (Keys that are wanted, but not known yet, have none.) */
#define LSD_ARRAYS_OF(j, task, moved, base, at)                       \
    do {                                                              \
        const uint64_t keys_ = (task)->n * (task)->key_bytes;         \
                                                                      \
        (j)->keys[SORT_TMP] = take(base, at, keys_);                  \
        (j)->keys[SORT_OUT] = (task)->keys_out;                       \
        if ((task)->indexed && !(task)->keys_out && (j)->passes > 2u) \
            (j)->keys[SORT_OUT] = take(base, at, keys_);              \
        (j)->values[SORT_TMP] = take(base, at, (task)->n * (moved));  \
    } while (0)

/* Bytes of workspace: a second array of all that is moved (keys that are not wanted: two), and less
 * than 17 MiB. */
uint64_t cw_lsd_bytes(const struct lsd_task *task, enum cw_shapes shapes);

cw_status cw_lsd_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                         void *workspace);

#endif
