/* emu_global.c - global memory, asked at once: only what lies in a buffer of the launch. */
#include "machine/emu/emu_state.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"

struct global {
    enum cw_emu_kind kind;
    uint32_t bytes;
    uintptr_t at;
    const char *site;
};

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

static cw_status refuse(const struct cw_emu *e, const struct global *g,
                        const struct cw_emu_buffer *b, const char *why)
{
    char where[96] = "before all buffers";

    if (b)
        snprintf(where, sizeof where, "byte %zu of buffer %u, which has %zu",
                 (size_t)(g->at - (uintptr_t)b->data), (unsigned)(b - e->launch.buffers), b->bytes);
    return cw_fail(CW_ERR_BOUNDS, "thread %u: %s of %u bytes of global memory %s (%s), at %s",
                   e->cur, cw_emu_kind_names[g->kind], g->bytes, why, where, g->site);
}

static const char *wrong(const struct global *g, const struct cw_emu_buffer *b)
{
    const size_t from = b ? (size_t)(g->at - (uintptr_t)b->data) : 0;

    if (!b || g->at < (uintptr_t)b->data || from >= b->bytes || b->bytes - from < g->bytes)
        return "outside the buffers of the kernel";
    if (g->at % g->bytes)
        return "at an address that is not a multiple of its size";
    if (g->kind != CW_EMU_READ && !b->writable)
        return "in a buffer that is not writable";
    return NULL;
}

/* A buffer that allows the access, or NULL: then the thread has stopped for good.  Buffers may
 * overlap, as those of a kernel that works in place do. */
static const struct cw_emu_buffer *find(struct cw_emu *e, const struct global *g)
{
    const struct cw_emu_buffer *const b = buffer_below(e, g->at);

    for (uint32_t x = 0; x < e->launch.buffer_count; x++)
        if (!wrong(g, &e->launch.buffers[x]))
            return &e->launch.buffers[x];
    e->status = refuse(e, g, b, wrong(g, b));
    cw_emu_stop(e, FAILED, g->site);
    return NULL;
}

/* A thread that asks again and again and never stops. */
static void stop_endless(struct cw_emu *e, const char *site)
{
    e->status =
        cw_fail(CW_ERR_STUCK,
                "thread %u goes on for ever: %llu accesses to global memory without a stop, "
                "the last at %s",
                e->cur, (unsigned long long)e->reached, site);
    cw_emu_stop(e, FAILED, site);
}

void *cw_emu_reach(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes, const void *p,
                   const char *site)
{
    const struct global g = {kind, bytes, (uintptr_t)p, site};
    const struct cw_emu_buffer *const b = find(e, &g);
    const uint64_t at = (uint64_t)(g.at - (uintptr_t)b->data);

    if (++e->reached > CW_EMU_QUIET)
        stop_endless(e, site);
    if (kind != CW_EMU_READ) {
        e->changes++;
        e->quiet = 0;
    }
    e->trace = cw_emu_mix(e->trace, (uint64_t)e->cur << 32 | (uint64_t)bytes << 8 | kind);
    e->trace = cw_emu_mix(e->trace, (uint64_t)(b - e->launch.buffers) << 56 | at);
    return (void *)g.at;
}

uint32_t cw_emu_load1(struct cw_emu *e, const void *p, const char *site)
{
    return *(const uint8_t *)cw_emu_reach(e, CW_EMU_READ, 1, p, site);
}

uint32_t cw_emu_load2(struct cw_emu *e, const void *p, const char *site)
{
    uint16_t x;

    memcpy(&x, cw_emu_reach(e, CW_EMU_READ, 2, p, site), sizeof x);
    return x;
}

uint32_t cw_emu_load4(struct cw_emu *e, const void *p, const char *site)
{
    uint32_t x;

    memcpy(&x, cw_emu_reach(e, CW_EMU_READ, 4, p, site), sizeof x);
    return x;
}

uint64_t cw_emu_load8(struct cw_emu *e, const void *p, const char *site)
{
    uint64_t x;

    memcpy(&x, cw_emu_reach(e, CW_EMU_READ, 8, p, site), sizeof x);
    return x;
}

struct cw_quad cw_emu_load16(struct cw_emu *e, const void *p, const char *site)
{
    struct cw_quad x;

    memcpy(&x, cw_emu_reach(e, CW_EMU_READ, 16, p, site), sizeof x);
    return x;
}

void cw_emu_store1(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    *(uint8_t *)cw_emu_reach(e, CW_EMU_WRITE, 1, p, site) = (uint8_t)x;
}

void cw_emu_store2(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    const uint16_t low = (uint16_t)x;

    memcpy(cw_emu_reach(e, CW_EMU_WRITE, 2, p, site), &low, sizeof low);
}

void cw_emu_store4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    memcpy(cw_emu_reach(e, CW_EMU_WRITE, 4, p, site), &x, sizeof x);
}

void cw_emu_store8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    memcpy(cw_emu_reach(e, CW_EMU_WRITE, 8, p, site), &x, sizeof x);
}

void cw_emu_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site)
{
    memcpy(cw_emu_reach(e, CW_EMU_WRITE, 16, p, site), &x, sizeof x);
}

uint32_t cw_emu_fetch_add4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    void *const at = cw_emu_reach(e, CW_EMU_ADD, 4, p, site);
    uint32_t old, sum;

    memcpy(&old, at, sizeof old);
    sum = old + x;
    memcpy(at, &sum, sizeof sum);
    return old;
}

uint64_t cw_emu_fetch_add8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    void *const at = cw_emu_reach(e, CW_EMU_ADD, 8, p, site);
    uint64_t old, sum;

    memcpy(&old, at, sizeof old);
    sum = old + x;
    memcpy(at, &sum, sizeof sum);
    return old;
}
