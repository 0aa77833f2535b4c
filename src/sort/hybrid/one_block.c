/* one_block.c - see one_block.h. */
#include "sort/hybrid/one_block.h"

#include <string.h>

#include "sort/hybrid/job.h"

uint32_t cw_local_moved(const struct lsd_task *task)
{
    return task->indexed ? 4u : task->payload_bytes;
}

uint32_t cw_payload_class(uint32_t bytes)
{
    return !bytes ? 0u : bytes <= 4u ? 1u : bytes == 8u ? 2u : 3u;
}

void cw_block_shape(struct hybrid_shape *s, const struct lsd_task *task, enum cw_shapes shapes)
{
    typedef void (*fill)(struct hybrid_shape *);
#define TINY(type)  cw_sort_block_table_##type##_tiny,
#define LARGE(type) cw_sort_block_table_##type##_large,
    static const fill tiny[] = {CW_BLOCK_TYPES(TINY)}, large[] = {CW_BLOCK_TYPES(LARGE)};
    const uint32_t type =
        (task->key_bytes == 8u ? 4u : 0u) + cw_payload_class(cw_local_moved(task));

    (shapes == CW_SHAPES_TINY ? tiny : large)[type](s);
}

int cw_block_fits(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct hybrid_shape s;

    cw_block_shape(&s, task, shapes);
    return shapes != CW_SHAPES_SMALL && !task->count_bytes && task->n <= s.capacity;
}

cw_status cw_block_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes)
{
    const struct hybrid_job job = {.n = task->n,
                                   .map = task->map,
                                   .first_bit = task->first_bit,
                                   .bits = task->bits,
                                   .key_bytes = task->key_bytes,
                                   .keys = task->keys_in,
                                   .keys_out = task->keys_out,
                                   .values = task->indexed ? NULL : task->payload_in,
                                   .values_out = task->payload_out,
                                   .value_bytes = cw_local_moved(task),
                                   .last_bytes = task->payload_bytes};
    struct hybrid_shape s;
    struct cw_launch l = {.blocks = 1, .arg = &job};

    cw_block_shape(&s, task, shapes);
    l.kernel = s.local;
    l.threads = s.local_threads;
    l.shared = s.local_shared;
    return q->launch(q, &l);
}
