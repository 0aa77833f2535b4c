/* dry.h - a queue that runs nothing: it holds every launch to the limits of a GPU.
 *
 * Whether all launches of a call fit is known before the first of them is made.
 */
#ifndef CW_BACKEND_DRY_H
#define CW_BACKEND_DRY_H

#include "backend/queue.h"

struct cw_dry_queue {
    struct cw_queue queue; /* the first member: one is handed around as the other */
    const struct cw_gpu *gpu;
    uint64_t launches;
    void (*each)(void *user, const struct cw_launch *l); /* may be NULL */
    void *user;
};

/* Enqueue into q->queue: CW_ERR_DEVICE, with the reason, if a launch would not fit. */
void cw_dry_queue_begin(struct cw_dry_queue *q, const struct cw_gpu *gpu, enum cw_shapes shapes);

#endif
