/* The rule of the model: which accesses form a step, and what it costs. */
#include "machine/model/model_state.h"

#include <string.h>

#include "base/status.h"

#define STAMP   (UINT64_C(1) << 32) /* one step, as stamps count */
#define NOWHERE UINT32_MAX          /* the row of a request that was a skip */

/* ---- the end of a step --------------------------------------------------- */

/* Nakano's pipeline: warps take turns; a request of degree k fills k stages and is
 * answered l - 1 units after its last one.  A step in which nobody asks (k = 0) takes
 * each warp one unit and the pipeline none. */
static void pass_time(struct cw_model *s, uint32_t degree)
{
    for (uint32_t q = 0; q < s->warps; q++) {
        const uint64_t start = s->pending[q] > s->pipe ? s->pending[q] : s->pipe;

        if (degree) {
            s->pipe = start + degree;
            s->pending[q] = s->pipe + s->config.latency - 1;
        } else {
            s->pending[q]++;
        }
    }
    s->time = s->pending[s->warps - 1];
}

/* Stamps are about to wrap: move what banks have counted, forget who was asked. */
static void fold_stamps(struct cw_model *s)
{
    for (uint32_t r = 0; r < s->w; r++) {
        s->extra[r].total += (uint32_t)s->hot.banks[r];
        s->hot.banks[r] = 0;
    }
    s->hot.stamp = STAMP;
}

static void end_step(struct cw_model *s)
{
    struct cw_model_hot *const h = &s->hot;
    const uint32_t asked = (uint32_t)(h->acted - s->queue) - s->skipped;
    uint32_t stages = 0, degree = 0;

    if (s->rules) {
        cw_rules_step(s->rules, &stages, &degree, &s->conflicts);
        s->degree = stages;
        s->worst_degree = degree > s->worst_degree ? degree : s->worst_degree;
    }
    s->steps += s->degree;
    s->accesses += asked;
    if (asked && !s->rules && s->degree > s->worst_degree)
        s->worst_degree = s->degree;
    if (s->warps > 1 || s->config.latency > 1)
        pass_time(s, asked ? s->degree : 0);
    if (s->trace)
        cw_trace_step(s->trace, s->degree);
    s->step++;
    h->stamp += STAMP;
    if (h->stamp == 0)
        fold_stamps(s);
    s->degree = 1;
    s->skipped = 0;
    h->head = s->queue;
    h->end = h->acted;
    h->acted = s->queue;
}

struct cw_lane *cw_model_turn(struct cw_model *s)
{
    end_step(s);
    return *s->hot.head++;
}

/* The lane to go on with after one that did not act; the host if there is none. */
static struct cw_lane *take(struct cw_model *s)
{
    if (s->hot.head != s->hot.end) {
        cw_model_fetch(s->hot.head);
        return *s->hot.head++;
    }
    return s->hot.acted != s->queue ? cw_model_turn(s) : s->lane + s->w;
}

void cw_model_switch(struct cw_model *s, struct cw_lane *me, struct cw_lane *to)
{
    if (me != to)
        cw_lanes_switch(s->lanes, me->id, to->id == s->w ? CW_LANE_HOST : to->id);
}

static inline void leave(struct cw_model *s, struct cw_lane *to)
{
    struct cw_lane *const me = s->hot.cur;

    s->hot.cur = to;
#ifdef CW_LANES_INLINE
    cw_lane_jump(me, to);
#else
    cw_model_switch(s, me, to);
#endif
}

/* From a lane to the host, which may come back. */
static void call_host(struct cw_model *s)
{
    cw_lanes_switch(s->lanes, s->hot.cur->id, CW_LANE_HOST);
}

/* ---- accesses that are not usual ----------------------------------------- */

/* End the run from inside a lane: back to the host, never again here. */
static void stop(struct cw_model *s, cw_status what, uint32_t row, uint32_t col, const char *site)
{
    s->status = what;
    s->fault.row = row;
    s->fault.col = col;
    s->fault.site = site;
    call_host(s);
}

/* Count mode: one more word of a bank that was asked already in this step. */
static void collide(struct cw_model *s, uint32_t row)
{
    struct cw_model_extra *const e = &s->extra[row];

    if (e->step != s->step) {
        e->step = s->step;
        e->load = 1;
    }
    e->total++;
    if (++e->load > s->degree)
        s->degree = e->load;
    s->conflicts++;
}

/* Any access of the current lane; returns the word's place. */
static cw_word *reach(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    struct cw_model_hot *const h = &s->hot;
    cw_word *at;

    if (row >= s->w || col >= h->cols)
        stop(s, CW_ERR_BOUNDS, row, col, site);
    if (h->banks[row] >= h->stamp) {
        if (!s->config.count)
            stop(s, CW_ERR_CONFLICT, row, col, site);
        if (!s->rules)
            collide(s, row);
    } else {
        h->banks[row] = h->stamp + 1 + (uint32_t)h->banks[row];
    }
    if (s->rules)
        cw_rules_ask(s->rules, h->cur->id, row, col);
    at = &h->words[col * h->w + row];
    h->cur->site = site;
    h->cur->at = at;
    return at;
}

cw_word cw_model_read_slow(struct cw_model *s, uint32_t row, uint32_t col, const char *site)
{
    const cw_word x = *reach(s, row, col, site);

    s->hot.reads++;
    if (s->trace)
        cw_trace_access(s->trace, s->hot.cur->id, row, col, x, CW_READ, site);
    cw_model_pass(s);
    return x;
}

void cw_model_write_slow(struct cw_model *s, uint32_t row, uint32_t col, cw_word x,
                         const char *site)
{
    *reach(s, row, col, site) = x;
    if (s->trace)
        cw_trace_access(s->trace, s->hot.cur->id, row, col, x, CW_WRITE, site);
    cw_model_pass(s);
}

void cw_model_skip(struct cw_model *s)
{
    s->hot.cur->at = NULL;
    s->skipped++;
    cw_model_pass(s);
}

uint64_t cw_model_clock(const struct cw_model *s)
{
    return s->steps;
}

/* ---- waiting for each other ---------------------------------------------- */

/* Lanes that wait have not acted in this step, so they may do so in it.  At most w
 * entries are in use, of a queue twice as long: rarely must it be moved to its beginning. */
static void release(struct cw_model *s, struct cw_group group)
{
    struct cw_model_hot *const h = &s->hot;
    uint32_t lane;
    const uint32_t *const next = cw_groups_open(s->groups, group, &lane);

    if (h->end + group.rows > s->queue + 2 * (size_t)s->w) {
        const size_t left = (size_t)(h->end - h->head);

        memmove(h->acted, h->head, left * sizeof *h->head);
        h->head = h->acted;
        h->end = h->head + left;
    }
    for (; lane != CW_GROUP_END; lane = next[lane])
        *h->end++ = s->lane + lane;
}

/* Everybody is there: let the host tell whoever listens. */
static void tell(struct cw_model *s, const struct cw_phase *phase)
{
    if (s->hook || s->trace) {
        s->phase = phase;
        call_host(s);
    }
}

static inline void meet(struct cw_model *s, struct cw_group group, const struct cw_phase *phase,
                        const char *site)
{
    if (cw_lanes_room(s->lanes, s->hot.cur->id, __builtin_frame_address(0)) < CW_LANES_SPARE)
        stop(s, CW_ERR_INTERNAL, 0, 0, site);
    switch (cw_groups_arrive(s->groups, group, s->hot.cur->id, site)) {
    case CW_GROUP_WAIT:
        break;
    case CW_GROUP_COMPLETE:
        if (phase)
            tell(s, phase);
        release(s, group);
        break;
    case CW_GROUP_WRONG:
        s->fault.group = group;
        stop(s, CW_ERR_BARRIER, 0, 0, site);
    }
    leave(s, take(s));
}

void cw_model_sync(struct cw_model *s, struct cw_group group, const char *site)
{
    if (group.rows > 1)
        meet(s, group, NULL, site);
}

void cw_model_phase(struct cw_model *s, const struct cw_phase *phase, const char *site)
{
    if (phase->group.rows > 1)
        meet(s, phase->group, phase, site);
    else
        tell(s, phase);
}

/* ---- a run --------------------------------------------------------------- */

uint32_t cw_model_done(uint32_t lane, void *arg)
{
    struct cw_model *s = (struct cw_model *)arg;

    (void)lane;
    s->live--;
    s->hot.cur = take(s);
    return s->hot.cur->id == s->w ? CW_LANE_HOST : s->hot.cur->id;
}

/* Run the lanes; come back to do for them what needs the host's stack. */
void cw_model_go(struct cw_model *s)
{
    s->hot.cur = *s->hot.head++;
    cw_lanes_enter(s->lanes, s->hot.cur->id);
    while (s->phase) {
        const struct cw_phase *const phase = s->phase;

        s->phase = NULL;
        if (s->hook)
            s->hook(s->hook_arg, phase);
        if (s->trace)
            cw_trace_phase(s->trace, phase);
        cw_lanes_enter(s->lanes, s->hot.cur->id);
    }
    s->accesses +=
        (uint32_t)(s->hot.acted - s->queue) - s->skipped; /* of a step that was not finished */
}

/* Which word a lane asked for in this step; all ones if none. */
static uint64_t asked_for(const struct cw_model *s, const struct cw_lane *lane)
{
    return lane->at ? (uint64_t)((cw_word *)lane->at - s->hot.words) : UINT64_MAX;
}

static cw_status say_conflict(const struct cw_model *s)
{
    const uint32_t row = s->fault.row;
    struct cw_lane *const *x = s->queue;

    while (asked_for(s, *x) == UINT64_MAX || asked_for(s, *x) % s->w != row)
        x++; /* it is one of those that have acted in this step */
    return cw_fail(CW_ERR_CONFLICT,
                   "bank conflict in step %llu: bank %u is asked by processor %u for (%u, %u) at "
                   "%s and by processor %u for (%u, %u) at %s",
                   (unsigned long long)s->step, row, (*x)->id, row,
                   (uint32_t)(asked_for(s, *x) / s->w), (*x)->site, s->hot.cur->id, row,
                   s->fault.col, s->fault.site);
}

/* How the run ended: the status, and the detail for cw_last_error. */
cw_status cw_model_outcome(const struct cw_model *s)
{
    const struct cw_group *const g = &s->fault.group;

    switch (s->status) {
    case CW_OK:
        return s->live ? cw_groups_stuck(s->groups) : CW_OK;
    case CW_ERR_CONFLICT:
        return say_conflict(s);
    case CW_ERR_BOUNDS:
        return cw_fail(CW_ERR_BOUNDS,
                       "step %llu: processor %u asks for (%u, %u) at %s, outside the %u x %u words "
                       "of memory",
                       (unsigned long long)s->step, s->hot.cur->id, s->fault.row, s->fault.col,
                       s->fault.site, s->w, s->hot.cols);
    case CW_ERR_BARRIER:
        return cw_fail(CW_ERR_BARRIER,
                       "processor %u waits at %s for a group that it is not in (%u rows from %u by "
                       "%u)",
                       s->hot.cur->id, s->fault.site, g->rows, g->first, g->stride);
    default:
        return cw_fail(CW_ERR_INTERNAL, "processor %u has used up its stack at %s", s->hot.cur->id,
                       s->fault.site);
    }
}
