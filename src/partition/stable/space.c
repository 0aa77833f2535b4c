/* space.c - the stable partition: how many passes an array takes, and where everything is kept.
 *
 * Up to 256 buckets take one pass, up to 65536 two, whose digits are about equally wide.
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
#include "partition/stable/space.h"

#include <string.h>

#include "base/arena.h"

#define ONE_ROOM (2048u * 256u) /* counts of as many blocks as one launch has, at most */

uint32_t cw_stable_bits(uint32_t buckets)
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

int cw_stable_wants_starts(const struct stable_task *t)
{
    return t->offsets || t->padded || t->blocks;
}

static void layout_two(struct stable_run *r, uint8_t *base, uint64_t *at)
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
    if (!t->keys_out && cw_stable_wants_starts(t))
        r->keys_last = take(base, at, keys);
    r->job.starts = (uint64_t *)take(base, at, 8u * ((uint64_t)t->rule.buckets + 1u));
}

/* From `base` on; NULL: to learn its size, which is returned. */
uint64_t cw_stable_layout(struct stable_run *r, uint8_t *base)
{
    const struct stable_task *const t = r->task;
    const uint64_t rows = 4u * STABLE_BUCKETS * (r->rows + 1u);
    const uint64_t slices = t->rule.buckets <= STABLE_ONE_BUCKETS ? ONE_ROOM : 0u;
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

void cw_stable_begin(struct stable_run *r, const struct stable_task *t, enum cw_shapes shapes)
{
    const uint32_t bits = cw_stable_bits(t->rule.buckets);
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
    struct stable_run r;

    cw_stable_begin(&r, task, shapes);
    return cw_stable_layout(&r, NULL);
}

struct stable_result cw_stable_result(const struct stable_task *task, enum cw_shapes shapes,
                                      void *workspace)
{
    struct stable_result result;
    struct stable_run r;

    cw_stable_begin(&r, task, shapes);
    (void)cw_stable_layout(&r, (uint8_t *)workspace);
    result.state = r.job.state;
    result.total = r.job.total + 1;
    result.places = r.places;
    return result;
}
