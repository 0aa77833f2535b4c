/* queue.h - where kernels are sent: a stream of a GPU, or the emulator.
 *
 * An operation is written once, as launches into a queue.  backend/cuda and backend/emulated each
 * make a queue.
 */
#ifndef CW_BACKEND_QUEUE_H
#define CW_BACKEND_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"
#include "backend/kernel_list.h"
#include "base/buffer.h"
#include "tuning/gpu.h"

#define CW_QUEUE_BUFFERS 16

struct cw_launch {
    enum cw_kernel kernel;
    uint32_t blocks; /* 0: nothing to do */
    uint32_t threads;
    uint32_t shared; /* bytes */
    const void *arg;
    int cooperative; /* all blocks run at the same time and may wait for each other */
};

struct cw_queue {
    cw_status (*launch)(struct cw_queue *q, const struct cw_launch *l);
    /* The most blocks that a cooperative launch may have, with its threads and shared memory. */
    cw_status (*resident)(struct cw_queue *q, const struct cw_launch *l, uint32_t *blocks);
    cw_status (*clear)(struct cw_queue *q, void *at, size_t bytes); /* to 0 */
    cw_status (*copy)(struct cw_queue *q, void *to, const void *from, size_t bytes);
    uint32_t processors;   /* multiprocessors; more blocks than they hold take tile after tile */
    uint32_t shared;       /* bytes of shared memory that a block may have; 0: nobody asks */
    enum cw_shapes shapes; /* of the kernels that are launched */
    uint64_t seed;         /* drawn for this call: where it samples */

    /* Memory that kernels may touch (the emulator holds them to it). */
    struct cw_emu_buffer buffers[CW_QUEUE_BUFFERS];
    uint32_t buffer_count;
};

/* Add a buffer.  NULL and empty ones are left out. */
static inline void cw_queue_buffer(struct cw_queue *q, const void *data, size_t bytes, int writable)
{
    if (data && bytes && q->buffer_count < CW_QUEUE_BUFFERS) {
        q->buffers[q->buffer_count].data = data;
        q->buffers[q->buffer_count].bytes = bytes;
        q->buffers[q->buffer_count].writable = writable;
        q->buffer_count++;
    }
}

#endif
