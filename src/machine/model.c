#include "machine/model.h"

#include <stdlib.h>
#include <string.h>

#include "machine/groups.h"
#include "machine/lanes.h"
#include "machine/status.h"
#include "machine/trace.h"

#define NAME_MAX 24

/* Who asked this bank last, and in which step. */
struct bank {
    uint64_t step;
    uint64_t total;
    const char *site;
    uint32_t lane, col;
};

struct area {
    char name[NAME_MAX];
    uint32_t first, columns;
};

struct cw_model {
    /* touched by every access */
    uint32_t w, cols;
    uint32_t cur; /* the lane that runs */
    uint32_t now_head, now_count, next_count;
    uint32_t *now;  /* lanes that may still act in this step */
    uint32_t *next; /* lanes that have acted */
    uint64_t step;  /* number of the step in progress, from 1 */
    struct bank *banks;
    cw_word *words; /* column-major: (row, col) is words[col * w + row] */
    struct cw_lanes *lanes;
    struct cw_trace *trace;
    uint64_t reads;

    /* touched when accesses collide or a step ends */
    uint32_t *load; /* count mode: accesses to each bank that collided in this step */
    uint32_t degree;
    uint32_t skipped;
    uint64_t accesses, conflicts, steps, time;
    uint32_t worst_degree;
    uint64_t pipe;     /* when the memory pipeline is free */
    uint64_t *pending; /* [warps]: when each warp's request is answered */
    uint32_t warps;

    uint32_t m, live;
    struct cw_model_config config;
    struct cw_groups *groups;
    struct area *areas;
    uint32_t area_count;
    void (*hook)(void *, const struct cw_phase *);
    void *hook_arg;
    void (*body)(struct cw_model *, const void *);
    const void *body_arg;
    cw_status status;
};

/* ---- life ---------------------------------------------------------------- */

static cw_status check_config(const struct cw_model_config *c)
{
    if (c->w < 1 || c->m < 1)
        return cw_fail(CW_ERR_ARGUMENT, "w and m must be at least 1 (got %u x %u)", c->w, c->m);
    if (c->w > 1u << 20 || (uint64_t)c->w * c->m > UINT64_C(1) << 30)
        return cw_fail(CW_ERR_ARGUMENT,
                       "%u x %u is too large: at most 2^20 processors and 2^30 words", c->w, c->m);
    if (c->threads && c->threads % c->w)
        return cw_fail(CW_ERR_ARGUMENT, "threads must be a multiple of w (got %u, w = %u)",
                       c->threads, c->w);
    return CW_OK;
}

cw_status cw_model_create(const struct cw_model_config *config, struct cw_model **out)
{
    cw_status status = check_config(config);
    struct cw_model *s;

    *out = NULL;
    if (status)
        return status;
    s = (struct cw_model *)calloc(1, sizeof *s);
    if (!s)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    s->config = *config;
    s->config.latency = config->latency ? config->latency : 1;
    s->config.threads = config->threads ? config->threads : config->w;
    s->w = config->w;
    s->m = s->cols = config->m;
    s->warps = s->config.threads / s->w;
    s->now = (uint32_t *)malloc(s->w * sizeof *s->now);
    s->next = (uint32_t *)malloc(s->w * sizeof *s->next);
    s->load = (uint32_t *)calloc(s->w, sizeof *s->load);
    s->banks = (struct bank *)malloc(s->w * sizeof *s->banks);
    s->words = (cw_word *)calloc((size_t)s->w * s->cols, sizeof *s->words);
    s->pending = (uint64_t *)malloc(s->warps * sizeof *s->pending);
    status = cw_groups_create(s->w, &s->groups);
    if (!status)
        status = cw_lanes_create(s->w, &s->lanes);
    if (!status && !(s->now && s->next && s->load && s->banks && s->words && s->pending))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for a machine of %u x %u", s->w, s->m);
    if (status) {
        cw_model_destroy(s);
        return status;
    }
    *out = s;
    return CW_OK;
}

void cw_model_destroy(struct cw_model *s)
{
    if (!s)
        return;
    cw_lanes_destroy(s->lanes);
    cw_groups_destroy(s->groups);
    free(s->now);
    free(s->next);
    free(s->load);
    free(s->banks);
    free(s->words);
    free(s->pending);
    free(s->areas);
    free(s);
}

const struct cw_model_config *cw_model_settings(const struct cw_model *s)
{
    return &s->config;
}

cw_status cw_model_aux(struct cw_model *s, const char *name, uint32_t columns, uint32_t *first)
{
    const uint64_t cols = (uint64_t)s->cols + columns;
    struct area *areas = (struct area *)realloc(s->areas, (s->area_count + 1) * sizeof *areas);
    cw_word *words;

    if (!areas)
        return cw_fail(CW_ERR_MEMORY, "out of memory for auxiliary columns");
    s->areas = areas;
    if (cols > UINT32_MAX || cols * s->w > UINT64_C(1) << 34)
        return cw_fail(CW_ERR_MEMORY, "auxiliary columns '%s' (%u a row) are too many", name,
                       columns);
    words = (cw_word *)realloc(s->words, (size_t)cols * s->w * sizeof *words);
    if (!words)
        return cw_fail(CW_ERR_MEMORY, "out of memory for auxiliary columns '%s' (%u a row)", name,
                       columns);
    s->words = words;
    memset(&areas[s->area_count], 0, sizeof *areas);
    strncpy(areas[s->area_count].name, name, NAME_MAX - 1);
    areas[s->area_count].first = s->cols;
    areas[s->area_count].columns = columns;
    s->area_count++;
    *first = s->cols;
    s->cols = (uint32_t)cols;
    return CW_OK;
}

uint32_t cw_model_extra(const struct cw_model *s)
{
    return s->cols - s->m;
}

uint32_t cw_model_columns(const struct cw_model *s)
{
    return s->cols;
}

int cw_model_area(const struct cw_model *s, uint32_t i, const char **name, uint32_t *first,
                  uint32_t *columns)
{
    if (i >= s->area_count)
        return 0;
    *name = s->areas[i].name;
    *first = s->areas[i].first;
    *columns = s->areas[i].columns;
    return 1;
}

cw_word *cw_model_at(struct cw_model *s, uint32_t row, uint32_t col)
{
    return &s->words[(size_t)col * s->w + row];
}

void cw_model_hook(struct cw_model *s, void (*hook)(void *arg, const struct cw_phase *phase),
                   void *arg)
{
    s->hook = hook;
    s->hook_arg = arg;
}

void cw_model_trace(struct cw_model *s, struct cw_trace *trace)
{
    s->trace = trace;
}

/* ---- steps --------------------------------------------------------------- */

/* End the run from inside a lane: back to the host, never again here. */
static void stop(struct cw_model *s, cw_status status)
{
    s->status = status;
    cw_lanes_switch(s->lanes, s->cur, CW_LANE_HOST);
}

/* Nakano's pipeline: warps take turns; a request of degree k fills k stages and
 * is answered l - 1 units after its last one. */
static void pass_time(struct cw_model *s, uint32_t degree)
{
    for (uint32_t q = 0; q < s->warps; q++) {
        const uint64_t start = s->pending[q] > s->pipe ? s->pending[q] : s->pipe;

        s->pipe = start + degree;
        s->pending[q] = s->pipe + s->config.latency - 1;
    }
    s->time = s->pending[s->warps - 1];
}

/* Every lane has acted or waits: close the step and begin the next.
 * Returns 0 when no lane is left to run. */
static int end_step(struct cw_model *s)
{
    uint32_t *const acted = s->next;

    if (!s->next_count)
        return 0;
    s->steps += s->degree;
    s->accesses += s->next_count - s->skipped;
    if (s->degree > s->worst_degree)
        s->worst_degree = s->degree;
    if (s->warps > 1 || s->config.latency > 1)
        pass_time(s, s->degree);
    if (s->trace)
        cw_trace_step(s->trace, s->degree);
    s->step++;
    s->degree = 1;
    s->skipped = 0;
    s->next = s->now;
    s->now = acted;
    s->now_head = 0;
    s->now_count = s->next_count;
    s->next_count = 0;
    return 1;
}

/* The lane to run after the current one has acted, waits or is done. */
static inline uint32_t choose(struct cw_model *s)
{
    if (s->now_head == s->now_count && !end_step(s)) {
        if (s->live)
            s->status = cw_groups_stuck(s->groups);
        return CW_LANE_HOST;
    }
    return s->now[s->now_head++];
}

static inline void go_on(struct cw_model *s)
{
    const uint32_t me = s->cur;
    const uint32_t to = choose(s);

    if (to != me) {
        s->cur = to;
        cw_lanes_switch(s->lanes, me, to);
    }
}

/* The bank was asked already in this step. */
static void collide(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    struct bank *const b = &s->banks[row];
    uint32_t degree;

    if (!s->config.count) {
        stop(s, cw_fail(CW_ERR_CONFLICT,
                        "bank conflict in step %llu: bank %u is asked by processor %u for (%u, %u) "
                        "at %s and by processor %u for (%u, %u) at %s",
                        (unsigned long long)s->step, row, b->lane, row, b->col, b->site, s->cur,
                        row, col, site));
        return;
    }
    degree = ++s->load[row] + 1;
    if (degree > s->degree)
        s->degree = degree;
    s->conflicts++;
}

static void outside(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    stop(s, cw_fail(CW_ERR_BOUNDS,
                    "step %llu: processor %u asks for (%u, %u) at %s, outside the %u x %u words of "
                    "memory",
                    (unsigned long long)s->step, s->cur, row, col, site, s->w, s->cols));
}

/* Count one access of the current lane; returns the word's place. */
static inline cw_word *touch(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    struct bank *b;

    if (__builtin_expect(row >= s->w || col >= s->cols, 0))
        outside(s, row, col, site);
    b = &s->banks[row];
    if (__builtin_expect(b->step == s->step, 0)) {
        collide(s, row, col, site);
    } else {
        b->step = s->step;
        b->lane = s->cur;
        b->col = col;
        b->site = site;
        s->load[row] = 0;
    }
    b->total++;
    s->next[s->next_count++] = s->cur;
    return &s->words[(size_t)col * s->w + row];
}

cw_word cw_model_read(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    const cw_word x = *touch(s, row, col, site);

    s->reads++;
    if (__builtin_expect(s->trace != NULL, 0))
        cw_trace_access(s->trace, s->cur, row, col, x, CW_READ, site);
    go_on(s);
    return x;
}

void cw_model_write(struct cw_model *s, uint32_t row, uint32_t col, cw_word x, const char *site)
{
    *touch(s, row, col, site) = x;
    if (__builtin_expect(s->trace != NULL, 0))
        cw_trace_access(s->trace, s->cur, row, col, x, CW_WRITE, site);
    go_on(s);
}

void cw_model_skip(struct cw_model *s)
{
    s->next[s->next_count++] = s->cur;
    s->skipped++;
    go_on(s);
}

uint32_t cw_model_lane(const struct cw_model *s)
{
    return s->cur;
}

/* ---- waiting for each other ---------------------------------------------- */

/* Lanes that have not acted in this step may do so in it: append them to `now`. */
static void release(void *arg, uint32_t lane)
{
    struct cw_model *s = (struct cw_model *)arg;

    if (s->now_count == s->w) {
        s->now_count -= s->now_head;
        memmove(s->now, s->now + s->now_head, s->now_count * sizeof *s->now);
        s->now_head = 0;
    }
    s->now[s->now_count++] = lane;
}

static void meet(struct cw_model *s, struct cw_group group, const struct cw_phase *phase,
                 const char *site)
{
    switch (cw_groups_arrive(s->groups, group, s->cur, site)) {
    case CW_GROUP_WAIT:
        break;
    case CW_GROUP_COMPLETE:
        if (phase && s->hook)
            s->hook(s->hook_arg, phase);
        if (phase && s->trace)
            cw_trace_phase(s->trace, phase);
        cw_groups_release(s->groups, group, release, s);
        break;
    case CW_GROUP_WRONG:
        stop(s, CW_ERR_BARRIER);
        return;
    }
    go_on(s);
}

void cw_model_sync(struct cw_model *s, struct cw_group group, const char *site)
{
    if (group.rows > 1)
        meet(s, group, NULL, site);
}

void cw_model_phase(struct cw_model *s, const struct cw_phase *phase, const char *site)
{
    if (phase->group.rows > 1 || s->hook || s->trace)
        meet(s, phase->group, phase, site);
}

/* ---- a run --------------------------------------------------------------- */

static void lane_body(uint32_t lane, void *arg)
{
    struct cw_model *s = (struct cw_model *)arg;

    (void)lane;
    s->body(s, s->body_arg);
}

static uint32_t lane_done(uint32_t lane, void *arg)
{
    struct cw_model *s = (struct cw_model *)arg;

    (void)lane;
    s->live--;
    return s->cur = choose(s);
}

static void reset(struct cw_model *s)
{
    const size_t data = (size_t)s->w * s->m;

    for (size_t x = data; x < (size_t)s->w * s->cols; x++)
        s->words[x] = CW_MODEL_JUNK;
    memset(s->banks, 0, s->w * sizeof *s->banks);
    memset(s->pending, 0, s->warps * sizeof *s->pending);
    cw_groups_reset(s->groups);
    for (uint32_t i = 0; i < s->w; i++)
        s->now[i] = i;
    s->now_head = 0;
    s->now_count = s->w;
    s->next_count = 0;
    s->step = 1;
    s->degree = 1;
    s->skipped = 0;
    s->reads = s->accesses = s->conflicts = s->steps = s->time = s->pipe = 0;
    s->worst_degree = 0;
    s->live = s->w;
    s->status = CW_OK;
}

cw_status cw_model_run(struct cw_model *s, void (*body)(struct cw_model *s, const void *arg),
                       const void *arg)
{
    const struct cw_lane_entry entry = {lane_body, lane_done, s};
    uint32_t overrun;

    reset(s);
    s->body = body;
    s->body_arg = arg;
    cw_lanes_start(s->lanes, &entry);
    s->cur = s->now[s->now_head++];
    cw_lanes_enter(s->lanes, s->cur);
    if (s->trace && s->status)
        cw_trace_fault(s->trace, cw_last_error());
    s->trace = NULL;
    overrun = cw_lanes_overrun(s->lanes);
    if (overrun != CW_LANE_HOST)
        return cw_fail(CW_ERR_INTERNAL, "processor %u overran its stack", overrun);
    return s->status;
}

void cw_model_counters(const struct cw_model *s, struct cw_counters *out)
{
    memset(out, 0, sizeof *out);
    out->steps = s->steps;
    out->work = s->steps * s->w;
    out->accesses = s->accesses;
    out->reads = s->reads;
    out->conflicts = s->conflicts;
    out->time = s->warps > 1 || s->config.latency > 1 ? s->time : s->steps;
    out->worst_degree = s->worst_degree;
    for (uint32_t r = 0; r < s->w; r++) {
        if (s->banks[r].total > out->busiest_load) {
            out->busiest_load = s->banks[r].total;
            out->busiest_bank = r;
        }
    }
}
