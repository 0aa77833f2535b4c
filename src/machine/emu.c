#include "machine/emu.h"

#include <stdlib.h>
#include <string.h>

#include "machine/emu_places.h"
#include "machine/lanes.h"
#include "machine/status.h"
#include "machine/wavefronts.h"

enum state { RUNS, ASKS, WAITS_WARP, WAITS_BLOCK, ENDED, SPENT };

struct thread {
    enum state state;
    uint32_t at;
    uint32_t place;
    const char *site;
    uint32_t value[4]; /* to write, or as read */
};

struct cw_emu {
    struct cw_emu_config config;
    struct cw_lanes *lanes;
    struct thread *threads;
    uint32_t cur; /* the thread that runs */
    unsigned char *shared;
    struct cw_emu_places *places;
    void (*kernel)(struct cw_emu *, const void *);
    const void *arg;
    cw_status status;
};

static const char *const kind_names[] = {"read", "atomic add", "write"};

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
    e->threads = (struct thread *)calloc(config->threads, sizeof *e->threads);
    e->shared = (unsigned char *)malloc(config->shared + 16);
    e->places = cw_emu_places_create();
    status = cw_lanes_create(config->threads, &e->lanes);
    if (!status && !(e->threads && e->shared && e->places))
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
    free(e->threads);
    free(e->shared);
    free(e);
}

void *cw_emu_shared(struct cw_emu *e)
{
    return e->shared;
}

const struct cw_emu_place *cw_emu_list(const struct cw_emu *e, uint32_t *count)
{
    return cw_emu_places_all(e->places, count);
}

void cw_emu_total(const struct cw_emu *e, struct cw_emu_place *total)
{
    uint32_t count;
    const struct cw_emu_place *const all = cw_emu_places_all(e->places, &count);

    memset(total, 0, sizeof *total);
    total->site = "";
    for (uint32_t x = 0; x < count; x++) {
        total->requests += all[x].requests;
        total->wavefronts += all[x].wavefronts;
        total->ideal += all[x].ideal;
        if (all[x].worst > total->worst)
            total->worst = all[x].worst;
    }
}

/* ---- what threads call --------------------------------------------------- */

uint32_t cw_emu_thread(const struct cw_emu *e)
{
    return e->cur;
}

uint32_t cw_emu_threads(const struct cw_emu *e)
{
    return e->config.threads;
}

static void stop(struct cw_emu *e, enum state state, const char *site)
{
    const size_t room = cw_lanes_room(e->lanes, e->cur, __builtin_frame_address(0));

    e->threads[e->cur].state = room < CW_LANES_SPARE ? SPENT : state;
    e->threads[e->cur].site = site;
    cw_lanes_switch(e->lanes, e->cur, CW_LANE_HOST);
}

/* Ask, wait until the request is served, and find the value in the thread. */
static struct thread *ask(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes, uint32_t at,
                          const void *value, const char *site)
{
    struct thread *const t = &e->threads[e->cur];

    t->at = at;
    t->place = cw_emu_places_find(e->places, site, kind, bytes);
    if (value)
        memcpy(t->value, value, bytes);
    stop(e, ASKS, site);
    return t;
}

uint32_t cw_emu_read4(struct cw_emu *e, uint32_t at, const char *site)
{
    return ask(e, CW_EMU_READ, 4, at, NULL, site)->value[0];
}

uint64_t cw_emu_read8(struct cw_emu *e, uint32_t at, const char *site)
{
    uint64_t x;

    memcpy(&x, ask(e, CW_EMU_READ, 8, at, NULL, site)->value, sizeof x);
    return x;
}

struct cw_quad cw_emu_read16(struct cw_emu *e, uint32_t at, const char *site)
{
    struct cw_quad x;

    memcpy(&x, ask(e, CW_EMU_READ, 16, at, NULL, site)->value, sizeof x);
    return x;
}

void cw_emu_write4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site)
{
    ask(e, CW_EMU_WRITE, 4, at, &x, site);
}

void cw_emu_write8(struct cw_emu *e, uint32_t at, uint64_t x, const char *site)
{
    ask(e, CW_EMU_WRITE, 8, at, &x, site);
}

void cw_emu_write16(struct cw_emu *e, uint32_t at, struct cw_quad x, const char *site)
{
    ask(e, CW_EMU_WRITE, 16, at, &x, site);
}

uint32_t cw_emu_add4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site)
{
    return ask(e, CW_EMU_ADD, 4, at, &x, site)->value[0];
}

void cw_emu_warp_sync(struct cw_emu *e, const char *site)
{
    stop(e, WAITS_WARP, site);
}

void cw_emu_block_sync(struct cw_emu *e, const char *site)
{
    stop(e, WAITS_BLOCK, site);
}

/* ---- requests ------------------------------------------------------------ */

/* Shared memory is a multiple of every size, so an aligned access is inside as a whole. */
static int is_inside(const struct cw_emu *e, uint32_t at, uint32_t bytes)
{
    return at % bytes == 0 && at < e->config.shared;
}

static cw_status outside(const struct cw_emu *e, uint32_t thread, const struct cw_emu_place *p)
{
    const uint32_t at = e->threads[thread].at;

    if (at % p->bytes)
        return cw_fail(CW_ERR_BOUNDS,
                       "thread %u: %s of %u bytes at byte %u of shared memory, which is not a "
                       "multiple of its size, at %s",
                       thread, kind_names[p->kind], p->bytes, at, p->site);
    return cw_fail(CW_ERR_BOUNDS,
                   "thread %u: %s of %u bytes at byte %u, outside the %u bytes of shared memory, "
                   "at %s",
                   thread, kind_names[p->kind], p->bytes, at, e->config.shared, p->site);
}

static void carry_out(struct cw_emu *e, struct thread *t, const struct cw_emu_place *p)
{
    unsigned char *const at = e->shared + t->at;
    uint32_t old, sum;

    switch (p->kind) {
    case CW_EMU_READ:
        memcpy(t->value, at, p->bytes);
        return;
    case CW_EMU_WRITE:
        memcpy(at, t->value, p->bytes);
        return;
    case CW_EMU_ADD:
        memcpy(&old, at, sizeof old);
        sum = old + t->value[0];
        memcpy(at, &sum, sizeof sum);
        t->value[0] = old;
    }
}

/* Serve all lanes of the warp [first, end) that ask at this place. */
static void serve(struct cw_emu *e, uint32_t first, uint32_t end, uint32_t place)
{
    uint32_t count, wavefronts;
    struct cw_emu_place *const p = cw_emu_places_all(e->places, &count) + place;
    struct cw_request r = {.bytes = p->bytes, .atomic = p->kind == CW_EMU_ADD};

    for (uint32_t i = first; i < end; i++) {
        struct thread *const t = &e->threads[i];

        if (t->state != ASKS || t->place != place)
            continue;
        if (!is_inside(e, t->at, p->bytes)) {
            e->status = outside(e, i, p);
            return;
        }
        r.lanes |= 1u << (i - first);
        r.at[i - first] = t->at;
        carry_out(e, t, p);
        t->state = RUNS;
    }
    wavefronts = cw_wavefronts(&r);
    p->requests++;
    p->wavefronts += wavefronts;
    p->ideal += cw_wavefronts_ideal(&r);
    if (wavefronts > p->worst)
        p->worst = wavefronts;
}

/* ---- warps --------------------------------------------------------------- */

static uint32_t count_state(const struct cw_emu *e, uint32_t first, uint32_t end, enum state state)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        n += e->threads[i].state == state;
    return n;
}

static uint32_t first_in(const struct cw_emu *e, uint32_t first, uint32_t end, enum state state)
{
    while (first < end && e->threads[first].state != state)
        first++;
    return first;
}

static void release(struct cw_emu *e, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (e->threads[i].state != ENDED)
            e->threads[i].state = RUNS;
}

/* The place to serve: see emu.h.  The warp has a lane that asks. */
static uint32_t choose(const struct cw_emu *e, uint32_t first, uint32_t end)
{
    uint32_t best = e->threads[first_in(e, first, end, ASKS)].place;

    for (uint32_t i = first; i < end; i++)
        if (e->threads[i].state == ASKS &&
            cw_emu_places_before(e->places, e->threads[i].place, best))
            best = e->threads[i].place;
    return best;
}

static void run_lanes(struct cw_emu *e, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && !e->status; i++) {
        if (e->threads[i].state != RUNS)
            continue;
        e->cur = i;
        cw_lanes_enter(e->lanes, i);
        if (e->threads[i].state == SPENT)
            e->status = cw_fail(CW_ERR_INTERNAL, "thread %u has used up its stack at %s", i,
                                e->threads[i].site);
        else if (e->threads[i].state == ASKS && e->threads[i].place == CW_EMU_NO_PLACE)
            e->status =
                cw_fail(CW_ERR_MEMORY, "no room for another source place, %s", e->threads[i].site);
    }
}

/* Run a warp until all its lanes have ended or wait for the block. */
static void run_warp(struct cw_emu *e, uint32_t first, uint32_t end)
{
    for (;;) {
        run_lanes(e, first, end);
        if (e->status)
            return;
        if (count_state(e, first, end, ASKS)) {
            serve(e, first, end, choose(e, first, end));
        } else if (!count_state(e, first, end, WAITS_WARP)) {
            return;
        } else if (!count_state(e, first, end, WAITS_BLOCK)) {
            release(e, first, end);
        } else {
            const uint32_t a = first_in(e, first, end, WAITS_WARP);
            const uint32_t b = first_in(e, first, end, WAITS_BLOCK);

            e->status = cw_fail(CW_ERR_BARRIER,
                                "thread %u waits for its warp at %s, thread %u of that warp for "
                                "the block at %s",
                                a, e->threads[a].site, b, e->threads[b].site);
        }
    }
}

/* ---- the block ----------------------------------------------------------- */

/* All threads have ended or wait for the block: let them go on, or say why not. */
static void pass_barrier(struct cw_emu *e)
{
    const uint32_t n = e->config.threads;
    const uint32_t a = first_in(e, 0, n, WAITS_BLOCK);
    const uint32_t gone = first_in(e, 0, n, ENDED);
    const char *const site = e->threads[a].site;

    if (gone < n) {
        e->status = cw_fail(CW_ERR_BARRIER,
                            "barrier at %s: %u of %u threads came (the first is %u), thread %u has "
                            "ended",
                            site, count_state(e, 0, n, WAITS_BLOCK), n, a, gone);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(e->threads[i].site, site) != 0) {
            e->status =
                cw_fail(CW_ERR_BARRIER, "thread %u waits for the block at %s, thread %u at %s", a,
                        site, i, e->threads[i].site);
            return;
        }
    }
    release(e, 0, n);
}

static void body(uint32_t lane, void *arg)
{
    struct cw_emu *e = (struct cw_emu *)arg;

    (void)lane;
    e->kernel(e, e->arg);
}

static uint32_t done(uint32_t lane, void *arg)
{
    ((struct cw_emu *)arg)->threads[lane].state = ENDED;
    return CW_LANE_HOST;
}

cw_status cw_emu_run(struct cw_emu *e, void (*kernel)(struct cw_emu *e, const void *arg),
                     const void *arg)
{
    const struct cw_lane_entry entry = {body, done, e};
    const uint32_t n = e->config.threads;
    uint32_t overrun;

    e->kernel = kernel;
    e->arg = arg;
    e->status = CW_OK;
    cw_emu_places_reset(e->places);
    memset(e->threads, 0, n * sizeof *e->threads);
    cw_lanes_start(e->lanes, &entry);
    while (!e->status && count_state(e, 0, n, ENDED) < n) {
        for (uint32_t first = 0; first < n; first += CW_WARP)
            run_warp(e, first, n - first < CW_WARP ? n : first + CW_WARP);
        if (!e->status && count_state(e, 0, n, WAITS_BLOCK))
            pass_barrier(e);
    }
    overrun = cw_lanes_overrun(e->lanes);
    if (overrun != CW_LANE_HOST)
        return cw_fail(CW_ERR_INTERNAL, "thread %u overran its stack", overrun);
    return e->status;
}
