/* queue.h - launches on the emulator, done when they are sent. */
#ifndef CW_BACKEND_EMULATED_QUEUE_H
#define CW_BACKEND_EMULATED_QUEUE_H

#include "backend/queue.h"
#include "machine/emu/emu.h"

/* Called after every launch that went well, with the machine that ran it. */
typedef void (*cw_emulated_hook)(void *user, const struct cw_launch *l, const struct cw_emu *e);

struct cw_emulated_queue {
    struct cw_queue queue; /* the first member: one is handed around as the other */
    cw_emulated_hook hook; /* may be NULL */
    void *user;
};

void cw_emulated_queue_begin(struct cw_emulated_queue *q);

const char *cw_kernel_name(enum cw_kernel kernel);
int cw_kernel_free(enum cw_kernel kernel); /* marked as conflict-free? */

#endif
