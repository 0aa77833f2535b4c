/* plan.c - the sort in one launch: how many blocks, and what they are told. */
#include "sort/small/plan.h"

#include <string.h>

#include "base/arena.h"
#include "sort/small/job.h"
#include "sort/small/table.h"

struct run {
    const struct lsd_task *task;
    struct small_shape shape, few;
    struct small_job job;
    uint64_t cleared; /* bytes, from the barrier on */
};

static uint32_t moved_bytes(const struct lsd_task *task)
{
    return task->indexed ? 4u : task->payload_bytes;
}

/* Shapes that are not tiny are the large ones: small GPUs have no such kernel. */
static void shape_of(struct small_shape *s, const struct lsd_task *task, enum cw_shapes shapes,
                     int few)
{
    typedef void (*fill)(struct small_shape *);
#define TINY(many, few)  {cw_sort_small_table_##many##_tiny, cw_sort_small_table_##few##_tiny},
#define LARGE(many, few) {cw_sort_small_table_##many##_large, cw_sort_small_table_##few##_large},
    static const fill tiny[][2] = {CW_SMALL_TYPES(TINY)}, large[][2] = {CW_SMALL_TYPES(LARGE)};
    const uint32_t type = lsd_type(task, moved_bytes(task));

    (shapes == CW_SHAPES_TINY ? tiny : large)[type][few](s);
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const struct lsd_task *const t = r->task;
    struct small_job *const j = &r->job;
    uint64_t at = 0, first;

    LSD_ARRAYS_OF(j, t, moved_bytes(t), base, &at);
    first = at;
    j->barrier = (uint32_t *)take(base, &at, 256u);
    j->counts = (uint32_t *)take(base, &at, 512u * (uint64_t)j->passes * r->shape.blocks);
    r->cleared = at - first;
    return at;
}

static void begin(struct run *r, const struct lsd_task *task, enum cw_shapes shapes)
{
    struct small_job *const j = &r->job;

    memset(r, 0, sizeof *r);
    r->task = task;
    shape_of(&r->shape, task, shapes, 0);
    shape_of(&r->few, task, shapes, 1);
    j->n = (uint32_t)task->n;
    LSD_JOB_OF(j, task, moved_bytes(task));
    j->in_place = task->keys_in == task->keys_out ||
                  (task->payload_out && !task->indexed && task->payload_in == task->payload_out);
}

uint64_t cw_small_most(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct small_shape shape;

    shape_of(&shape, task, shapes, 0);
    return shapes == CW_SHAPES_SMALL ? 0 : shape.most;
}

uint64_t cw_small_bytes(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct run r;

    begin(&r, task, shapes);
    return layout(&r, NULL);
}

/* Launch as many blocks as run at once, or as there are slices of one item a thread.  A
 * multiprocessor holds one block: the kernel is compiled so, and its shared memory fits. */
static void launch_of(struct run *r, struct cw_queue *q, struct cw_launch *l)
{
    const uint64_t slices = (r->task->n + r->shape.threads - 1u) / r->shape.threads;
    const uint32_t most = q->processors < r->shape.blocks ? q->processors : r->shape.blocks;

    const struct small_shape *shape = &r->shape;

    memset(l, 0, sizeof *l);
    l->blocks = slices < most ? (uint32_t)slices : most;
    r->job.rounds = (uint32_t)((slices + l->blocks - 1u) / l->blocks);
    if (r->job.rounds <= r->few.items)
        shape = &r->few;
    l->kernel = shape->kernel;
    l->threads = shape->threads;
    l->shared = shape->shared;
    l->arg = &r->job;
    l->cooperative = 1;
}

int cw_small_fits(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes)
{
    struct cw_launch l;
    struct run r;

    if (task->n > cw_small_most(task, shapes))
        return 0;
    begin(&r, task, shapes);
    launch_of(&r, q, &l);
    return r.job.rounds <= r.shape.items;
}

cw_status cw_small_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                           void *workspace)
{
    struct cw_launch l;
    cw_status status;
    struct run r;

    begin(&r, task, shapes);
    (void)layout(&r, (uint8_t *)workspace);
    launch_of(&r, q, &l);
    status = q->clear(q, r.job.barrier, (size_t)r.cleared);
    return status ? status : q->launch(q, &l);
}
