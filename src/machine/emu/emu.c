#include "machine/emu/emu.h"

#include <stdlib.h>
#include <string.h>

#include "machine/emu/emu_state.h"
#include "base/status.h"
#include "machine/wavefronts.h"

_Thread_local struct cw_emu *cw_emu_now;

/* ---- life ---------------------------------------------------------------- */

cw_status cw_emu_create(const struct cw_emu_config *config, struct cw_emu **out)
{
    struct cw_emu *e;
    cw_status status;

    *out = NULL;
    if (config->threads < 1 || config->threads > CW_EMU_THREADS)
        return cw_fail(CW_ERR_ARGUMENT, "a block has 1 to %u threads (got %u)", CW_EMU_THREADS,
                       config->threads);
    if (config->shared > CW_EMU_SHARED || config->shared % 16)
        return cw_fail(CW_ERR_ARGUMENT,
                       "shared memory is a multiple of 16 bytes, at most %u (got %u)",
                       CW_EMU_SHARED, config->shared);
    e = (struct cw_emu *)calloc(1, sizeof *e);
    if (!e)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    e->config = *config;
    e->threads = (struct cw_emu_thread *)calloc(config->threads, sizeof *e->threads);
    e->shared = (unsigned char *)malloc(config->shared + 16);
    e->places = cw_emu_places_create();
    e->races = cw_emu_races_create(config->shared / 4);
    e->order = cw_emu_order_create(config->threads);
    status = cw_lanes_create(config->threads, &e->lanes);
    if (!status && !(e->threads && e->shared && e->places && e->races && e->order))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for a block of %u threads", config->threads);
    if (status) {
        cw_emu_destroy(e);
        return status;
    }
    memset(e->shared, CW_EMU_JUNK, config->shared);
    *out = e;
    return CW_OK;
}

void cw_emu_destroy(struct cw_emu *e)
{
    if (!e)
        return;
    cw_lanes_destroy(e->lanes);
    cw_emu_places_destroy(e->places);
    cw_emu_races_destroy(e->races);
    cw_emu_order_destroy(e->order);
    free(e->threads);
    free(e->shared);
    free(e);
}

void *cw_emu_shared(struct cw_emu *e)
{
    return e->shared;
}

uint64_t cw_emu_trace(const struct cw_emu *e)
{
    return e->trace;
}

/* ---- threads ------------------------------------------------------------- */

static uint32_t count_state(const struct cw_emu *e, struct cw_emu_warp w, enum cw_emu_state state)
{
    uint32_t n = 0;

    for (uint32_t i = w.first; i < w.end; i++)
        n += e->threads[i].state == state;
    return n;
}

static uint32_t first_in(const struct cw_emu *e, struct cw_emu_warp w, enum cw_emu_state state)
{
    while (w.first < w.end && e->threads[w.first].state != state)
        w.first++;
    return w.first;
}

/* ---- blocks --------------------------------------------------------------- */

/* All threads have ended or wait for the block: let them go on, or say why not. */
static void pass_barrier(struct cw_emu *e)
{
    const struct cw_emu_warp all = {0, e->config.threads};
    const uint32_t a = first_in(e, all, WAITS_BLOCK);
    const uint32_t gone = first_in(e, all, ENDED);
    const char *const site = e->threads[a].site;

    if (gone < all.end) {
        e->status = cw_fail(CW_ERR_BARRIER,
                            "barrier at %s: %u of %u threads came (the first is %u), thread %u has "
                            "ended (last seen at %s)",
                            site, count_state(e, all, WAITS_BLOCK), all.end, a, gone,
                            e->threads[gone].site ? e->threads[gone].site : "its beginning");
        return;
    }
    for (uint32_t i = 0; i < all.end; i++) {
        if (e->threads[i].site != site && strcmp(e->threads[i].site, site) != 0) {
            e->status =
                cw_fail(CW_ERR_BARRIER, "thread %u waits for the block at %s, thread %u at %s", a,
                        site, i, e->threads[i].site);
            return;
        }
    }
    for (uint32_t i = 0; i < all.end; i++) {
        e->threads[i].steps = 0;
        e->threads[i].counts = 0;
        e->threads[i].state = RUNS;
    }
    cw_emu_races_block(e->races);
    cw_emu_order_block(e->order);
}

static void body(uint32_t lane, void *arg)
{
    struct cw_emu *e = (struct cw_emu *)arg;

    (void)lane;
    e->launch.kernel(e, e->launch.arg);
}

static uint32_t done(uint32_t lane, void *arg)
{
    ((struct cw_emu *)arg)->threads[lane].state = ENDED;
    return CW_LANE_HOST;
}

static void run_block(struct cw_emu *e)
{
    const struct cw_lane_entry entry = {body, done, e};
    const struct cw_emu_warp all = {0, e->config.threads};

    memset(e->threads, 0, all.end * sizeof *e->threads);
    cw_lanes_start(e->lanes, &entry);
    e->trace = cw_emu_mix(e->trace, e->block);
    while (!e->status && count_state(e, all, ENDED) < all.end) {
        for (uint32_t first = 0; first < all.end && !e->status; first += CW_WARP) {
            const uint32_t end = all.end - first < CW_WARP ? all.end : first + CW_WARP;

            cw_emu_run_warp(e, (struct cw_emu_warp){first, end});
        }
        if (!e->status && count_state(e, all, WAITS_BLOCK))
            pass_barrier(e);
    }
}

/* ---- runs ----------------------------------------------------------------- */

/* In a grid of several blocks, an error says in which. */
static cw_status name_block(cw_status status, uint32_t block)
{
    char text[512];

    snprintf(text, sizeof text, "%s", cw_last_error());
    return cw_fail(status, "block %u: %s", block, text);
}

/* With fresh memory every block begins on junk. */
static cw_status run_grid(struct cw_emu *e, const struct cw_emu_launch *launch, int fresh)
{
    struct cw_emu *const before = cw_emu_now;
    uint32_t overrun = CW_LANE_HOST;

    e->launch = *launch;
    e->status = CW_OK;
    e->trace = 0;
    cw_emu_places_reset(e->places);
    cw_emu_order_reset(e->order);
    cw_emu_now = e;
    for (e->block = 0; e->block < launch->blocks && !e->status; e->block++) {
        if (fresh)
            memset(e->shared, CW_EMU_JUNK, e->config.shared);
        cw_emu_races_begin(e->races, !fresh);
        cw_emu_order_block(e->order);
        run_block(e);
        overrun = cw_lanes_overrun(e->lanes);
        if (overrun != CW_LANE_HOST)
            e->status = cw_fail(CW_ERR_INTERNAL, "thread %u overran its stack", overrun);
        if (e->status && launch->blocks > 1)
            e->status = name_block(e->status, e->block);
    }
    cw_emu_now = before;
    return e->status;
}

cw_status cw_emu_launch(struct cw_emu *e, const struct cw_emu_launch *launch)
{
    for (uint32_t x = 0; x < launch->buffer_count; x++)
        if (!launch->buffers[x].data && launch->buffers[x].bytes)
            return cw_fail(CW_ERR_ARGUMENT, "buffer %u has %zu bytes and no memory", x,
                           launch->buffers[x].bytes);
    return run_grid(e, launch, 1);
}

cw_status cw_emu_run(struct cw_emu *e, cw_emu_kernel kernel, const void *arg)
{
    const struct cw_emu_launch launch = {kernel, arg, 1, NULL, 0};

    return run_grid(e, &launch, 0);
}
