/* dry.h - a queue that runs nothing: it holds every launch to the limits of a GPU.
 *
 * So a call knows whether all its launches fit before it makes the first of them.
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
    const void
        *room; /* the workspace: what is cleared or copied there must end there; NULL: not asked */
    size_t room_bytes;
};

/* Begin a dry queue.  What is enqueued into q->queue returns CW_ERR_DEVICE, with the reason, if a
 * launch would not fit. */
void cw_dry_queue_begin(struct cw_dry_queue *q, const struct cw_gpu *gpu, enum cw_shapes shapes);

#endif
