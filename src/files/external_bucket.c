/* external_bucket.c - a bucket: from its blocks to memory, sorted, to its place in the output. */
#include <stdlib.h>
#include <string.h>

#include "cpu/sort/sort.h"
#include "files/array_file.h"
#include "files/external_state.h"
#include "inputs/random.h"
#include "base/status.h"

#define PLACES 65536u /* that are made at a time */

static cw_array job_of(const struct cw_external_state *s, const struct cw_bench *b, uint64_t n)
{
    cw_array job = {.type = s->x->type, .n = (size_t)n, .bits = s->map.bits};

    job.flags = s->x->flags | (s->index ? CW_STABLE : 0u);
    job.keys_in = job.keys_out = b->keys;
    if (s->index) {
        job.values_in = job.values_out = b->index;
        job.value_bytes = s->index;
    }
    return job;
}

void cw_bench_free(struct cw_bench *b)
{
    free(b->keys);
    free(b->index);
    free(b->workspace);
    free(b->places);
}

cw_status cw_bench_make(const struct cw_external_state *s, uint64_t most, struct cw_bench *b)
{
    cw_array job;

    memset(b, 0, sizeof *b);
    b->most = most;
    b->keys = (unsigned char *)malloc(most * s->key + 1);
    b->index = (unsigned char *)malloc(most * s->index + 1);
    job = job_of(s, b, most);
    b->workspace_bytes = cw_cpu_sort_workspace(&job);
    b->workspace = (unsigned char *)aligned_alloc(256, (b->workspace_bytes + 511) / 256 * 256);
    b->places = (int64_t *)malloc(s->index ? PLACES * sizeof *b->places : 1);
    if (!b->keys || !b->index || !b->workspace || !b->places)
        return cw_fail(CW_ERR_MEMORY, "out of memory for a bucket of %llu keys",
                       (unsigned long long)most);
    return CW_OK;
}

uint64_t cw_bucket_items(const struct cw_external_state *s, uint32_t b)
{
    uint64_t items = 0;

    for (unsigned t = 0; t < s->threads; t++)
        items += s->chains[(size_t)t * s->buckets + b].items;
    return items;
}

cw_status cw_bucket_walk(struct cw_external_state *s, uint32_t b, struct cw_bench *bench,
                         int gather, cw_visit each, void *user)
{
    uint64_t at = 0;
    cw_status status = CW_OK;

    for (unsigned t = 0; t < s->threads; t++) {
        const struct cw_chain *const c = &s->chains[(size_t)t * s->buckets + b];

        for (uint32_t k = 0; !status && k < c->count; k++) {
            const uint64_t left = c->items - k * s->capacity;
            const uint64_t count = left < s->capacity ? left : s->capacity;
            const uint64_t to = gather ? at : 0;

            status = cw_read_at(s->scratch, s->x->folder, bench->keys + to * s->key, count * s->key,
                                c->at[k]);
            if (!status && s->index)
                status = cw_read_at(s->scratch, s->x->folder, bench->index + to * s->index,
                                    count * s->index, c->at[k] + s->capacity * s->key);
            if (!status && each)
                status = each(s, bench, at, count, user);
            at += count;
        }
    }
    return status;
}

cw_status cw_bucket_read(const struct cw_external_state *s, uint32_t b, uint64_t first,
                         uint64_t count, unsigned char *keys, unsigned char *index)
{
    unsigned t = 0;

    while (count) {
        const struct cw_chain *const c = &s->chains[(size_t)t * s->buckets + b];
        const uint64_t in = first % s->capacity;
        const uint64_t left = first < c->items ? c->items - first : 0;
        uint64_t some = s->capacity - in;
        cw_status status;

        if (!left) { /* in the chain of a later thread */
            first -= c->items;
            t++;
            continue;
        }
        some = some < left ? some : left;
        some = some < count ? some : count;
        status = cw_read_at(s->scratch, s->x->folder, keys, some * s->key,
                            c->at[first / s->capacity] + in * s->key);
        if (!status && index)
            status = cw_read_at(s->scratch, s->x->folder, index, some * s->index,
                                c->at[first / s->capacity] + s->capacity * s->key + in * s->index);
        if (status)
            return status;
        keys += some * s->key;
        index = index ? index + some * s->index : NULL;
        first += some;
        count -= some;
    }
    return CW_OK;
}

/* ---- the output ------------------------------------------------------------------------------ */

static cw_status write_places(const struct cw_external_state *s, const struct cw_bench *b,
                              uint64_t count, uint64_t place)
{
    cw_status status = CW_OK;

    for (uint64_t i = 0; !status && i < count; i += PLACES) {
        const uint64_t some = count - i < PLACES ? count - i : PLACES;

        for (uint64_t k = 0; k < some; k++) {
            uint32_t small;

            if (s->index == 4) {
                memcpy(&small, b->index + (i + k) * 4, 4);
                b->places[k] = small;
            } else {
                memcpy(&b->places[k], b->index + (i + k) * 8, 8);
            }
        }
        status = cw_output_write(s->x->out, b->places, some * 8, s->x->out_at + (place + i) * 8);
    }
    return status;
}

/* The first items of the bench, to the output from `place` on. */
static cw_status emit(const struct cw_external_state *s, struct cw_bench *b, uint64_t count,
                      uint64_t place)
{
    if (s->index)
        return write_places(s, b, count, place);
    if (s->x->times && !(s->x->flags & CW_DESCENDING))
        cw_npy_shift(b->keys, count, 1);
    if (s->x->swapped)
        cw_swap_bytes(b->keys, count, s->key);
    return cw_output_write(s->x->out, b->keys, count * s->key, s->x->out_at + place * s->key);
}

/* A bucket of one value: its blocks are in order as they are. */
static cw_status emit_block(struct cw_external_state *s, struct cw_bench *bench, uint64_t first,
                            uint64_t count, void *user)
{
    return emit(s, bench, count, *(const uint64_t *)user + first);
}

/* And without places it was only counted. */
static cw_status emit_copies(struct cw_external_state *s, struct cw_bench *bench, uint64_t word,
                             uint64_t count, uint64_t place)
{
    const uint64_t flipped = CW_WORD_FLIPPED(&s->map, word);
    const uint64_t key = CW_FLIPPED_TO_KEY(&s->map, flipped);
    const uint8_t k1 = (uint8_t)key;
    const uint16_t k2 = (uint16_t)key;
    const uint32_t k4 = (uint32_t)key;
    const void *const from = s->key == 1   ? (const void *)&k1
                             : s->key == 2 ? (const void *)&k2
                             : s->key == 4 ? (const void *)&k4
                                           : (const void *)&key;
    cw_status status = CW_OK;

    for (uint64_t i = 0; !status && i < count; i += bench->most) {
        const uint64_t some = count - i < bench->most ? count - i : bench->most;

        for (uint64_t k = 0; k < some; k++)
            memcpy(bench->keys + k * s->key, from, s->key);
        status = emit(s, bench, some, place + i);
    }
    return status;
}

cw_status cw_bucket_emit(struct cw_external_state *s, struct cw_bench *bench, uint32_t b,
                         uint64_t place, struct cw_team *team)
{
    const uint64_t items = cw_bucket_items(s, b);
    cw_array job = job_of(s, bench, items);
    uint64_t low, high;
    cw_status status;

    if (!items)
        return CW_OK;
    cw_bucket_range(s, b, &low, &high);
    if (low == high) {
        status = cw_bucket_counted(s, b) ? emit_copies(s, bench, low, items, place)
                                         : cw_bucket_walk(s, b, bench, 0, emit_block, &place);
    } else {
        status = cw_bucket_walk(s, b, bench, 1, NULL, NULL);
        if (!status)
            status = cw_cpu_sort(&job, bench->workspace, team, cw_mixed(s->seed ^ place));
        if (!status)
            status = emit(s, bench, items, place);
    }
    cw_external_progress(s, items);
    return status;
}
