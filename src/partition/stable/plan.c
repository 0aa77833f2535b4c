/* plan.c - the stable partition of items of any width, as launches: host arithmetic alone.
 *
 *      short arrays      short   each block orders all of it (short.h)
 *      longer ones       one     in registers of all blocks; of more items counted by a launch
 *                                before (one.h)
 *      others            count   digits of all passes, in one reading
 *                        begin   where digits begin
 *                        pass    a launch for each pass and portion of the array
 *                        find    of two passes: where buckets begin
 *                        padded, blocks
 *
 * Nothing depends on the keys, nor on the number of items, if that is known on the device only: then
 * launches are for as many as there may be, and blocks that have nothing to do end at once.
 */
#include "partition/stable/space.h"

#include <string.h>

#include "base/arith.h"
#include "partition/table.h"

#define COUNT_TILE  (STABLE_COUNT_THREADS * STABLE_COUNT_ITEMS)
#define COUNT_SHARE 31u  /* log2 of the items of a block, about: its counters have 32 bits */
#define SHORT_LEAST 256u /* buckets up to which a block of one.h is as fast */

static int carries_index(const struct stable_task *t)
{
    return t->index_out || t->inverse_out || t->places;
}

/* Do items move at all? */
static int moves(const struct stable_task *t)
{
    return t->keys_out || t->value_bytes || carries_index(t);
}

static void one_shape(struct stable_shape *s, uint32_t key_bytes, uint32_t buckets,
                      enum cw_shapes shapes)
{
    typedef void (*fill)(struct stable_shape *);
#define TINY(type)  cw_partition_one_table_##type##_tiny,
#define LARGE(type) cw_partition_one_table_##type##_large,
    static const fill tiny[] = {CW_STABLE_ONE_TYPES(TINY)}, large[] = {CW_STABLE_ONE_TYPES(LARGE)};
#undef TINY
#undef LARGE

    (shapes == CW_SHAPES_TINY ? tiny : large)[(key_bytes == 8 ? 2u : 0u) + (buckets > 256u)](s);
}

/* The most items that registers hold, on a GPU that has as many processors as shapes are for. */
static uint64_t one_most(uint32_t key_bytes, uint32_t buckets, enum cw_shapes shapes)
{
    struct stable_shape s;

    if (shapes == CW_SHAPES_SMALL || buckets > STABLE_ONE_BUCKETS)
        return 0;
    one_shape(&s, key_bytes, buckets, shapes);
    return s.most;
}

static void short_shape(struct stable_shape *s, enum cw_shapes shapes)
{
    (shapes == CW_SHAPES_TINY ? cw_partition_short_table_tiny : cw_partition_short_table_large)(s);
}

static uint64_t short_most(enum cw_shapes shapes)
{
    struct stable_shape s;

    short_shape(&s, shapes);
    return s.most;
}

static cw_status launch(struct stable_run *r, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job, 0};

    return r->q->launch(r->q, &l);
}

/* Blocks for n items, `tile` each; no more than `most` a multiprocessor. */
static uint64_t blocks_for(const struct stable_run *r, uint64_t n, uint64_t tile, uint64_t most)
{
    const uint64_t blocks = (n + tile - 1u) / tile;

    most *= r->q->processors;
    return blocks < most ? blocks : most;
}

/* From where to where pass p moves items: through the workspace, if there are two. */
static void route(struct stable_run *r, uint32_t p)
{
    const struct stable_task *const t = r->task;
    struct stable_job *const j = &r->job;
    const int last = p + 1u == j->passes;

    j->pass = p;
    j->shift = p ? j->width[0] : 0u;
    j->mask = ((1u << j->width[p]) - 1u) & j->rule.mask >> j->shift;
    j->keys = p ? r->keys_tmp : t->keys;
    j->keys_to = !last ? r->keys_tmp : t->keys_out ? t->keys_out : r->keys_last;
    j->values = p ? r->values_tmp : t->values;
    j->values_to = last ? t->values_out : r->values_tmp;
    j->index = p && carries_index(t) ? r->index_tmp : NULL;
    j->index_to = last ? t->index_out : NULL;
    j->choices = t->choices;
    j->places = !last ? (carries_index(t) ? r->index_tmp : NULL) : t->places ? r->places : NULL;
    j->inverse = last ? t->inverse_out : NULL;
    j->dropped = t->drop && !p ? t->inverse_out : NULL;
}

/* Tiles of portion x. */
static uint32_t tiles_of(const struct stable_run *r, uint64_t x)
{
    const uint64_t left = r->tiles - x * r->shape.rows;

    return left < r->shape.rows ? (uint32_t)left : r->shape.rows;
}

static cw_status pass(struct stable_run *r, uint32_t p, uint64_t portion)
{
    const uint64_t number = p * r->portions + portion;
    struct stable_job *const j = &r->job;

    j->portion = (uint32_t)portion;
    j->most = (uint64_t)r->shape.rows * r->shape.items;
    j->from = portion * j->most;
    j->tiles = tiles_of(r, portion);
    j->state_rows = r->state[number % 2u];
    j->ticket = j->state_rows + STABLE_BUCKETS * r->rows;
    j->next = r->state[(number + 1u) % 2u];
    j->next_ticket = j->next + STABLE_BUCKETS * r->rows;
    j->next_rows = tiles_of(r, (portion + 1u) % r->portions);
    return launch(r, r->shape.kernel, j->tiles, r->shape.threads, r->shape.shared);
}

static cw_status count(struct stable_run *r)
{
    const enum cw_kernel kernel =
        r->task->key_bytes == 8 ? CW_KERNEL_cw_partition_count_k8 : CW_KERNEL_cw_partition_count_k4;
    cw_status status;

    route(r, 0);
    status = launch(r, kernel,
                    cw_most(blocks_for(r, r->task->n, COUNT_TILE, 4), r->task->n >> COUNT_SHARE),
                    STABLE_COUNT_THREADS, STABLE_COUNT_SHARED);
    return status ? status
                  : launch(r, CW_KERNEL_cw_partition_begin, 1, STABLE_BUCKETS, STABLE_BEGIN_SHARED);
}

/* Of two passes: where buckets begin, rounded up too. */
static cw_status find(struct stable_run *r, enum cw_shapes shapes)
{
    const struct stable_task *const t = r->task;
    struct partition_after a;
    struct partition_table table;
    cw_status status;

    r->job.keys = r->keys_last;
    status = launch(r, CW_KERNEL_cw_partition_find,
                    blocks_for(r, t->rule.buckets + 1u, PARTITION_PLAIN, 4), PARTITION_PLAIN,
                    STABLE_COUNT_SHARED);
    if (status || !r->job.padded)
        return status;
    memset(&a, 0, sizeof a);
    memset(&table, 0, sizeof table);
    (shapes == CW_SHAPES_TINY ? cw_partition_k32_table_tiny : cw_partition_k32_table_large)(&table);
    a.n = t->n;
    a.total = r->job.total + 1;
    a.rule = t->rule;
    a.state = r->job.state;
    a.starts = r->job.starts;
    a.padded = r->job.padded;
    a.pad_to = t->pad_to;
    a.mark = t->mark;
    {
        const struct cw_launch l = {
            CW_KERNEL_cw_partition_padded, 1, table.scan_threads, table.scan_shared, &a, 0};

        return r->q->launch(r->q, &l);
    }
}

static cw_status in_passes(struct stable_run *r, enum cw_shapes shapes)
{
    cw_status status = r->q->clear(r->q, r->job.state, (size_t)r->cleared);

    if (!status)
        status = count(r);
    for (uint32_t p = 0; p < r->job.passes && !status; p++) {
        if (r->job.passes == 1u && !moves(r->task))
            break;
        route(r, p);
        for (uint64_t portion = 0; portion < r->portions && !status; portion++)
            status = pass(r, p, portion);
    }
    if (!status && r->job.passes > 1u && cw_stable_wants_starts(r->task))
        status = find(r, shapes);
    if (!status && r->task->blocks)
        status =
            launch(r, CW_KERNEL_cw_partition_blocks,
                   blocks_for(r, r->task->block_count, PARTITION_PLAIN, 8), PARTITION_PLAIN, 0);
    return status;
}

/* Blocks that hold the array, `few` if they do. */
static uint32_t one_blocks(const struct stable_shape *s, uint64_t n, uint32_t processors)
{
    const uint64_t slices = (n + s->threads - 1u) / s->threads;
    const uint64_t least = (slices + s->items - 1u) / s->items;
    const uint64_t some = slices < s->few ? slices : s->few;
    const uint32_t most = processors < s->rows ? processors : s->rows;
    const uint64_t blocks = some > least ? some : least;

    return n <= s->alone ? 1u : blocks < most ? (uint32_t)blocks : most;
}

/* Each block orders all items, and writes its share: of items, or of offsets. */
static cw_status in_short(struct stable_run *r, enum cw_shapes shapes)
{
    const uint32_t passes = r->job.passes;
    const uint64_t n = r->task->n, buckets = r->task->rule.buckets;
    struct stable_shape s;
    uint64_t blocks;

    short_shape(&s, shapes);
    blocks = ((n > buckets ? n : buckets) + s.threads - 1u) / s.threads;
    r->job.passes = 1u; /* through memory */
    route(r, 0);
    r->job.passes = passes; /* of tags */
    r->job.padded = r->task->padded;
    return launch(r, s.kernel, blocks < s.rows ? blocks : s.rows, s.threads, s.shared);
}

/* Blocks hold the array in registers. */
static cw_status in_one(struct stable_run *r, const struct stable_shape *s, uint32_t blocks)
{
    cw_status status = CW_OK;

    r->job.passes = 1u; /* one digit: the whole number */
    r->job.width[0] = cw_stable_bits(r->task->rule.buckets);
    route(r, 0);
    r->job.padded = r->task->padded;
    r->job.phase = STABLE_ALL;
    if (blocks > 1u && r->task->n > s->self) {
        r->job.phase = STABLE_COUNT;
        status = launch(r, s->kernel, blocks, s->threads, s->shared);
        r->job.phase = STABLE_MOVE;
    }
    return status ? status : launch(r, s->kernel, blocks, s->threads, s->shared);
}

cw_status cw_stable_enqueue(struct cw_queue *q, const struct stable_task *task,
                            enum cw_shapes shapes, void *workspace)
{
    struct stable_shape one;
    struct stable_run r;
    uint32_t blocks;

    cw_stable_begin(&r, task, shapes);
    r.q = q;
    (void)cw_stable_layout(&r, (uint8_t *)workspace);
    if (task->n <= short_most(shapes) &&
        (task->rule.buckets > SHORT_LEAST || shapes == CW_SHAPES_SMALL))
        return in_short(&r, shapes);
    if (task->n > one_most(task->key_bytes, task->rule.buckets, shapes))
        return in_passes(&r, shapes);
    one_shape(&one, task->key_bytes, task->rule.buckets, shapes);
    blocks = one_blocks(&one, task->n, q->processors);
    if (task->n > (uint64_t)blocks * one.threads * one.items)
        return in_passes(&r, shapes);
    return in_one(&r, &one, blocks);
}
