/* emu_global.c - global memory, asked at once: only what lies in a buffer of the launch, was written by
 * somebody and races with nothing. */
#include "machine/emu/emu_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* ---- buffers ---------------------------------------------------------------- */

/* The buffer that begins closest before an address, or NULL. */
static const struct cw_emu_buffer *buffer_below(const struct cw_emu *e, uintptr_t at)
{
    const struct cw_emu_buffer *best = NULL;

    for (uint32_t x = 0; x < e->launch.buffer_count; x++) {
        const struct cw_emu_buffer *const b = &e->launch.buffers[x];

        if ((uintptr_t)b->data <= at && (!best || (uintptr_t)best->data < (uintptr_t)b->data))
            best = b;
    }
    return best;
}

static cw_status refuse(const struct cw_emu *e, const struct cw_emu_reach *r,
                        const struct cw_emu_buffer *b, const char *why)
{
    char where[96] = "before all buffers";

    if (b)
        snprintf(where, sizeof where, "byte %zu of buffer %u, which has %zu",
                 (size_t)(r->at - (uintptr_t)b->data), (unsigned)(b - e->launch.buffers), b->bytes);
    return cw_fail(CW_ERR_BOUNDS, "thread %u: %s of %u bytes of global memory %s (%s), at %s",
                   e->cur, cw_emu_kind_names[r->kind], r->bytes, why, where, r->site);
}

static const char *wrong(const struct cw_emu_reach *r, const struct cw_emu_buffer *b)
{
    const size_t from = b ? (size_t)(r->at - (uintptr_t)b->data) : 0;

    if (!b || r->at < (uintptr_t)b->data || from >= b->bytes || b->bytes - from < r->bytes)
        return "outside the buffers of the kernel";
    if (r->at % r->bytes)
        return "at an address that is not a multiple of its size";
    if (r->kind != CW_EMU_READ && !b->writable)
        return "in a buffer that is not writable";
    return NULL;
}

/* A buffer that allows the access, or NULL.  Buffers may overlap, as those of a kernel that works in
 * place do; then the first of them is taken. */
static const struct cw_emu_buffer *find(struct cw_emu *e, const struct cw_emu_reach *r)
{
    const struct cw_emu_buffer *const all = e->launch.buffers, *b;

    if (e->disjoint && e->last_buffer < e->launch.buffer_count && !wrong(r, &all[e->last_buffer]))
        return &all[e->last_buffer];
    for (uint32_t x = 0; x < e->launch.buffer_count; x++) {
        if (!wrong(r, &all[x])) {
            e->last_buffer = x;
            return &all[x];
        }
    }
    b = buffer_below(e, r->at);
    e->status = refuse(e, r, b, wrong(r, b));
    return NULL;
}

static int overlap(const struct cw_emu_buffer *a, const struct cw_emu_buffer *b)
{
    const uintptr_t x = (uintptr_t)a->data, y = (uintptr_t)b->data;

    return x < y + b->bytes && y < x + a->bytes;
}

cw_status cw_emu_reach_begin(struct cw_emu *e)
{
    const struct cw_emu_buffer *const all = e->launch.buffers;
    const uint32_t n = e->launch.buffer_count;

    free(e->judged);
    e->judged = (unsigned char *)calloc((size_t)n + 1, 1);
    e->disjoint = 1;
    e->any = 0;
    e->last_buffer = 0;
    if (!e->judged)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u buffers", n);
    for (uint32_t x = 0; x < n; x++) {
        for (uint32_t y = 0; y < n; y++) {
            if (overlap(&all[x], &all[y])) {
                e->judged[x] |= all[y].writable && e->launch.blocks <= CW_EMU_WHO_BLOCKS;
                e->disjoint &= x == y;
            }
        }
    }
    return CW_OK;
}

/* ---- what was written --------------------------------------------------------- */

static int is_marked(const struct cw_emu_buffer *b, size_t i)
{
    return b->written[(b->first + i) / 8] >> (b->first + i) % 8 & 1;
}

static void mark(const struct cw_emu_buffer *b, size_t i, uint32_t bytes)
{
    for (; bytes; bytes--, i++)
        b->written[(b->first + i) / 8] |= (unsigned char)(1u << (b->first + i) % 8);
}

/* Did somebody write these bytes, a kernel or the host? */
static int is_written(const struct cw_emu_buffer *b, size_t i, uint32_t bytes)
{
    const unsigned char *const data = (const unsigned char *)b->data + i;

    for (uint32_t k = 0; k < bytes; k++)
        if (!is_marked(b, i + k) && data[k] == CW_EMU_JUNK)
            return 0;
    return 1;
}

static void check_written(struct cw_emu *e, const struct cw_emu_reach *r, size_t i)
{
    const struct cw_emu_buffer *const b = r->buffer;

    if (r->kind != CW_EMU_WRITE && !is_written(b, i, r->bytes))
        e->status = cw_fail(CW_ERR_UNWRITTEN,
                            "thread %u: %s of %u bytes at byte %zu of buffer %u, which nobody "
                            "wrote, at %s",
                            e->cur, cw_emu_kind_names[r->kind], r->bytes, i,
                            (unsigned)(b - e->launch.buffers), r->site);
    if (r->kind != CW_EMU_READ)
        mark(b, i, r->bytes);
}

/* ---- accesses -------------------------------------------------------------------- */

static cw_status endless(const struct cw_emu *e, const char *site)
{
    return cw_fail(CW_ERR_STUCK,
                   "thread %u goes on for ever: %llu accesses to global memory without a stop, the "
                   "last at %s",
                   e->cur, (unsigned long long)e->reached, site);
}

static void check(struct cw_emu *e, struct cw_emu_reach *r)
{
    const struct cw_emu_buffer *const b = r->buffer = find(e, r);
    size_t i;

    if (!b)
        return;
    i = (size_t)(r->at - (uintptr_t)b->data);
    if (++e->reached > CW_EMU_QUIET)
        e->status = endless(e, r->site);
    if (r->kind != CW_EMU_READ) {
        e->changes++;
        e->quiet = 0;
    }
    e->trace = cw_emu_mix(e->trace, (uint64_t)e->cur << 32 | (uint64_t)r->bytes << 8 | r->kind);
    e->trace = cw_emu_mix(e->trace, (uint64_t)(b - e->launch.buffers) << 56 | i);
    if (e->judged[b - e->launch.buffers])
        cw_emu_judge_note(e, r);
    if (b->written && !e->status)
        check_written(e, r, i);
    if (e->left.used && r->kind == CW_EMU_WRITE && !r->strong)
        cw_emu_sync_plain(e, r->at);
}

void *cw_emu_reach(struct cw_emu *e, struct cw_emu_reach r)
{
    check(e, &r);
    if (e->status)
        cw_emu_stop(e, FAILED, r.site);
    return (void *)r.at;
}

static const void *load(struct cw_emu *e, uint32_t bytes, const void *p, const char *site)
{
    return cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_READ, bytes, 0, (uintptr_t)p, site, NULL});
}

static void store(struct cw_emu *e, uint32_t bytes, void *p, const void *x, const char *site)
{
    memcpy(cw_emu_reach(
               e, (struct cw_emu_reach){CW_EMU_WRITE, bytes, e->any, (uintptr_t)p, site, NULL}),
           x, bytes);
}

void cw_emu_any(struct cw_emu *e, int on)
{
    e->any = on;
}

uint32_t cw_emu_load1(struct cw_emu *e, const void *p, const char *site)
{
    return *(const uint8_t *)load(e, 1, p, site);
}

uint32_t cw_emu_load2(struct cw_emu *e, const void *p, const char *site)
{
    uint16_t x;

    memcpy(&x, load(e, 2, p, site), sizeof x);
    return x;
}

uint32_t cw_emu_load4(struct cw_emu *e, const void *p, const char *site)
{
    uint32_t x;

    memcpy(&x, load(e, 4, p, site), sizeof x);
    return x;
}

uint64_t cw_emu_load8(struct cw_emu *e, const void *p, const char *site)
{
    uint64_t x;

    memcpy(&x, load(e, 8, p, site), sizeof x);
    return x;
}

struct cw_quad cw_emu_load16(struct cw_emu *e, const void *p, const char *site)
{
    struct cw_quad x;

    memcpy(&x, load(e, 16, p, site), sizeof x);
    return x;
}

void cw_emu_store1(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    const uint8_t low = (uint8_t)x;

    store(e, 1, p, &low, site);
}

void cw_emu_store2(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    const uint16_t low = (uint16_t)x;

    store(e, 2, p, &low, site);
}

void cw_emu_store4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    store(e, 4, p, &x, site);
}

void cw_emu_store8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    store(e, 8, p, &x, site);
}

void cw_emu_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site)
{
    store(e, 16, p, &x, site);
}
