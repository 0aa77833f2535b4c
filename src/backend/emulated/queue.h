/* queue.h - launches on the emulator, done when they are sent. */
#ifndef CW_BACKEND_EMULATED_QUEUE_H
#define CW_BACKEND_EMULATED_QUEUE_H

#include "backend/emulated/memory.h"
#include "backend/queue.h"
#include "machine/emu/emu.h"
#include "tuning/gpu.h"

/* Called after every launch that went well, with the machine that ran it. */
typedef void (*cw_emulated_hook)(void *user, const struct cw_launch *l, const struct cw_emu *e);

/* The memory that a launch may touch, in place of the queue's buffers: a test knows it more exactly. */
typedef struct cw_emu_buffer *(*cw_emulated_reach)(const struct cw_queue *q,
                                                   const struct cw_launch *l, uint32_t *count);

struct cw_emulated_queue {
    struct cw_queue queue; /* the first member: one is handed around as the other */
    cw_emulated_hook hook; /* may be NULL */
    void *user;
    const struct cw_gpu *gpu;   /* whose limits hold; NULL: CW_EMU_GPU names none that is known */
    enum cw_emu_order_by order; /* of blocks; CW_EMU_ORDERS: CW_EMU_ORDER names none */
    uint64_t seed;              /* of that order */
    const struct cw_emu_fault *fault;  /* a mistake on purpose; mostly NULL */
    struct cw_emulated_memory *memory; /* whose marks hold; NULL: all memory counts as written */
    cw_emulated_reach reach;           /* mostly NULL */
};

/* From the environment, for all queues of a program:
 *
 *   CW_EMU_GPU      a name of gpu.h; otherwise the emulator's own limits
 *   CW_EMU_ORDER    sequential (otherwise), reversed, random, adversarial
 *   CW_EMU_SEED     a number, for the last two
 */
void cw_emulated_queue_begin(struct cw_emulated_queue *q);
/* Choose the GPU whose limits and shapes hold.  NULL, or a GPU that no shapes fit, refuses every
 * launch. */
void cw_emulated_queue_gpu(struct cw_emulated_queue *q, const struct cw_gpu *gpu);

/* The GPU that CW_EMU_GPU names; CW_ERR_ARGUMENT if it names none. */
cw_status cw_emulated_limits(struct cw_gpu *out);

const char *cw_kernel_name(enum cw_kernel kernel);
int cw_kernel_free(enum cw_kernel kernel); /* marked as conflict-free? */

#endif
