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
    e->places = cw_emu_places_create();
    status = e->places ? cw_emu_slots(e, 1) : cw_fail(CW_ERR_MEMORY, "out of memory");
    if (status) {
        cw_emu_destroy(e);
        return status;
    }
    cw_emu_enter_slot(e, e->slots[0]);
    memset(e->shared, CW_EMU_JUNK, config->shared);
    *out = e;
    return CW_OK;
}

void cw_emu_destroy(struct cw_emu *e)
{
    if (!e)
        return;
    cw_emu_slots_free(e);
    cw_emu_places_destroy(e->places);
    free(e->sequence);
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

/* ---- runs ----------------------------------------------------------------- */

/* What is known of a launch and of no other. */
static void forget(struct cw_emu *e)
{
    cw_emu_judge_reset(&e->judge);
    cw_emu_sync_reset(e);
    cw_emu_weak_reset(e);
    free(e->judged);
    e->judged = NULL;
}

/* With fresh memory every block begins on junk. */
static cw_status run_grid(struct cw_emu *e, const struct cw_emu_launch *launch, int fresh)
{
    struct cw_emu *const before = cw_emu_now;

    e->launch = *launch;
    e->status = CW_OK;
    e->trace = 0;
    e->stops = e->quiet = e->changes = 0;
    cw_emu_places_reset(e->places);
    cw_emu_now = e;
    e->status = cw_emu_reach_begin(e);
    if (!e->status)
        cw_emu_run_blocks(e, fresh);
    cw_emu_now = before;
    forget(e);
    return e->status;
}

cw_status cw_emu_launch(struct cw_emu *e, const struct cw_emu_launch *launch)
{
    for (uint32_t x = 0; x < launch->buffer_count; x++)
        if (!launch->buffers[x].data && launch->buffers[x].bytes)
            return cw_fail(CW_ERR_ARGUMENT, "buffer %u has %zu bytes and no memory", x,
                           launch->buffers[x].bytes);
    if (launch->order >= CW_EMU_ORDERS)
        return cw_fail(CW_ERR_ARGUMENT, "order %d of blocks: there is no such", (int)launch->order);
    return run_grid(e, launch, 1);
}

cw_status cw_emu_run(struct cw_emu *e, cw_emu_kernel kernel, const void *arg)
{
    const struct cw_emu_launch launch = {.kernel = kernel, .arg = arg, .blocks = 1};

    return run_grid(e, &launch, 0);
}
