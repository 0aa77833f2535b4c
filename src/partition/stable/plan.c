/* plan.c - the stable partition of items of any width, by host arithmetic alone.
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
 * Up to 256 buckets take one pass, up to 65536 two, whose digits are about equally wide.  Nothing
 * depends on the keys, nor on the number of items, if that is known on the device only: then
 * launches are for as many as there may be, and blocks that have nothing to do end at once.
 *
 * Workspace, each part on 256 bytes:
 *
 *      state, counts, slices     24 KiB and, in registers, 2 KiB a block
 *      rows                      1 KiB a tile, of as many as a launch has, twice
 *      places                    4n, if they are wanted
 *      keys, values, index       of two passes: a second array of each
 *      keys in order             of two passes, if keys are not wanted, but where buckets begin is
 *      starts, padded            8 a bucket, of two passes
 */
#include "partition/stable/plan.h"

#include <string.h>

#include "base/arena.h"
#include "partition/stable/table.h"
#include "partition/table.h"

#define COUNT_THREADS 512u
#define COUNT_TILE    4096u
#define COUNT_SHARED  (4u * STABLE_BUCKETS * STABLE_PASSES + 8u * (PARTITION_CUTS + 1u))
#define BEGIN_SHARED  (8u * STABLE_BUCKETS)
#define ONE_BUCKETS   1024u
#define SHORT_LEAST   256u           /* buckets up to which a block of one.h is as fast */
#define ONE_ROOM      (2048u * 256u) /* counts of as many blocks as one launch has, at most */

struct run {
    const struct stable_task *task;
    struct cw_queue *q;
    struct stable_shape shape;
    struct stable_job job;
    uint64_t tiles, portions, rows;
    uint32_t *state[2]; /* rows, and behind them the ticket */
    uint64_t cleared;   /* bytes from the workspace's begin on */
    void *keys_tmp, *values_tmp, *keys_last;
    uint32_t *index_tmp, *places;
};

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint32_t bits_of(uint32_t buckets)
{
    uint32_t bits = 1;

    while (bits < 16u && buckets > (uint32_t)1 << bits)
        bits++;
    return bits;
}

/* Small shapes take the large kernels, which fit. */
static void pass_shape(struct stable_shape *s, const struct stable_task *t, enum cw_shapes shapes)
{
    typedef void (*fill)(struct stable_shape *);
#define TINY(type)  cw_partition_pass_table_##type##_tiny,
#define LARGE(type) cw_partition_pass_table_##type##_large,
    static const fill tiny[] = {CW_STABLE_TYPES(TINY)}, large[] = {CW_STABLE_TYPES(LARGE)};
#undef TINY
#undef LARGE
    const uint32_t payload = t->value_bytes;
    const uint32_t type = (t->key_bytes == 8 ? 4u : 0u) + (!payload       ? 0u
                                                           : payload <= 4 ? 1u
                                                           : payload == 8 ? 2u
                                                                          : 3u);

    (shapes == CW_SHAPES_TINY ? tiny : large)[type](s);
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

    if (shapes == CW_SHAPES_SMALL || buckets > ONE_BUCKETS)
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

static int wants_starts(const struct stable_task *t)
{
    return t->offsets || t->padded || t->blocks;
}

static int carries_index(const struct stable_task *t)
{
    return t->index_out || t->inverse_out || t->places;
}

/* Do items move at all? */
static int moves(const struct stable_task *t)
{
    return t->keys_out || t->value_bytes || carries_index(t);
}

/* ---- workspace ------------------------------------------------------------------------------ */

static void layout_two(struct run *r, uint8_t *base, uint64_t *at)
{
    const struct stable_task *const t = r->task;
    const uint64_t keys = t->n * t->key_bytes;

    r->keys_tmp = take(base, at, keys);
    if (t->value_bytes)
        r->values_tmp = take(base, at, t->n * t->value_bytes);
    if (t->index_out || t->inverse_out || t->places_room)
        r->index_tmp = (uint32_t *)take(
            base, at, 4u * (t->index_out || t->inverse_out ? t->n : t->places_room));
    r->keys_last = t->keys_out;
    if (!t->keys_out && wants_starts(t))
        r->keys_last = take(base, at, keys);
    r->job.starts = (uint64_t *)take(base, at, 8u * ((uint64_t)t->rule.buckets + 1u));
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const struct stable_task *const t = r->task;
    const uint64_t rows = 4u * STABLE_BUCKETS * (r->rows + 1u);
    const uint64_t slices = t->rule.buckets <= ONE_BUCKETS ? ONE_ROOM : 0u;
    struct stable_job *const j = &r->job;
    uint64_t at = 0, first;

    j->state = (struct partition_state *)take(base, &at, sizeof *j->state);
    j->counts = (struct stable_counts *)take(base, &at, sizeof *j->counts);
    first = at;
    j->slices = (uint32_t *)take(base, &at, rows > slices ? rows : slices);
    r->state[0] = j->slices;
    r->cleared = first + rows;
    r->state[1] = (uint32_t *)take(base, &at, rows);
    j->total = (uint64_t *)take(base, &at, 16u);
    j->base = (uint64_t *)take(base, &at, 16u * STABLE_BUCKETS * STABLE_PASSES);
    if (t->places_room)
        r->places = (uint32_t *)take(base, &at, 4u * t->places_room);
    j->padded = t->padded;
    if (!t->padded && t->blocks)
        j->padded = (uint64_t *)take(base, &at, 8u * ((uint64_t)t->rule.buckets + 1u));
    if (j->passes > 1u)
        layout_two(r, base, &at);
    return at;
}

static void begin(struct run *r, const struct stable_task *t, enum cw_shapes shapes)
{
    const uint32_t bits = bits_of(t->rule.buckets);
    struct stable_job *const j = &r->job;

    memset(r, 0, sizeof *r);
    r->task = t;
    pass_shape(&r->shape, t, shapes);
    r->tiles = (t->n + r->shape.items - 1u) / r->shape.items;
    r->portions = (r->tiles + r->shape.rows - 1u) / r->shape.rows;
    r->rows = r->tiles < r->shape.rows ? r->tiles : r->shape.rows;
    j->n = t->n;
    j->count = t->count;
    j->count_bytes = t->count_bytes;
    j->rule = t->rule;
    j->drop = t->drop;
    j->mark = t->mark;
    j->key_bytes = t->key_bytes;
    j->value_bytes = t->value_bytes;
    j->index_bytes = t->index_bytes;
    j->offsets = t->offsets;
    j->pad_to = t->pad_to;
    j->blocks = t->blocks;
    j->block_count = t->block_count;
    j->passes = bits > 8u ? 2u : 1u;
    j->width[0] = j->passes == 1u ? bits : bits / 2u;
    j->width[1] = bits - j->width[0];
}

uint64_t cw_stable_bytes(const struct stable_task *task, enum cw_shapes shapes)
{
    struct run r;

    begin(&r, task, shapes);
    return layout(&r, NULL);
}

struct stable_result cw_stable_result(const struct stable_task *task, enum cw_shapes shapes,
                                      void *workspace)
{
    struct stable_result result;
    struct run r;

    begin(&r, task, shapes);
    (void)layout(&r, (uint8_t *)workspace);
    result.state = r.job.state;
    result.total = r.job.total + 1;
    result.places = r.places;
    return result;
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job, 0};

    return r->q->launch(r->q, &l);
}

/* Blocks for n items, `tile` each; no more than `most` a multiprocessor. */
static uint64_t blocks_for(const struct run *r, uint64_t n, uint64_t tile, uint64_t most)
{
    const uint64_t blocks = (n + tile - 1u) / tile;

    most *= r->q->processors;
    return blocks < most ? blocks : most;
}

/* From where to where pass p moves items: through the workspace, if there are two. */
static void route(struct run *r, uint32_t p)
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
static uint32_t tiles_of(const struct run *r, uint64_t x)
{
    const uint64_t left = r->tiles - x * r->shape.rows;

    return left < r->shape.rows ? (uint32_t)left : r->shape.rows;
}

static cw_status pass(struct run *r, uint32_t p, uint64_t portion)
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

static cw_status count(struct run *r)
{
    const enum cw_kernel kernel =
        r->task->key_bytes == 8 ? CW_KERNEL_cw_partition_count_k8 : CW_KERNEL_cw_partition_count_k4;
    cw_status status;

    route(r, 0);
    status =
        launch(r, kernel, blocks_for(r, r->task->n, COUNT_TILE, 4), COUNT_THREADS, COUNT_SHARED);
    return status ? status
                  : launch(r, CW_KERNEL_cw_partition_begin, 1, STABLE_BUCKETS, BEGIN_SHARED);
}

/* Of two passes: where buckets begin, rounded up too. */
static cw_status find(struct run *r, enum cw_shapes shapes)
{
    const struct stable_task *const t = r->task;
    struct partition_after a;
    struct partition_table table;
    cw_status status;

    r->job.keys = r->keys_last;
    status = launch(r, CW_KERNEL_cw_partition_find, blocks_for(r, t->rule.buckets + 1u, 256, 4),
                    256, COUNT_SHARED);
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

static cw_status in_passes(struct run *r, enum cw_shapes shapes)
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
    if (!status && r->job.passes > 1u && wants_starts(r->task))
        status = find(r, shapes);
    if (!status && r->task->blocks)
        status = launch(r, CW_KERNEL_cw_partition_blocks,
                        blocks_for(r, r->task->block_count, 256, 8), 256, 0);
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
static cw_status in_short(struct run *r, enum cw_shapes shapes)
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
static cw_status in_one(struct run *r, const struct stable_shape *s, uint32_t blocks)
{
    cw_status status = CW_OK;

    r->job.passes = 1u; /* one digit: the whole number */
    r->job.width[0] = bits_of(r->task->rule.buckets);
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
    struct run r;
    uint32_t blocks;

    begin(&r, task, shapes);
    r.q = q;
    (void)layout(&r, (uint8_t *)workspace);
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
