#include "machine/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "machine/model/model_state.h"
#include "base/status.h"

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
    if (c->threads / c->w > 1u << 20)
        return cw_fail(CW_ERR_ARGUMENT, "%u threads are too many: at most 2^20 warps of w",
                       c->threads);
    return CW_OK;
}

cw_status cw_model_create(const struct cw_model_config *config, struct cw_model **out)
{
    cw_status status = check_config(config);
    struct cw_model *s;

    *out = NULL;
    if (status)
        return status;
    s = (struct cw_model *)aligned_alloc(64, sizeof *s); /* `hot` in two cache lines */
    if (!s)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    memset(s, 0, sizeof *s);
    s->config = *config;
    s->config.latency = config->latency ? config->latency : 1;
    s->config.threads = config->threads ? config->threads : config->w;
    s->w = config->w;
    s->m = s->hot.cols = config->m;
    s->hot.w = s->w;
    s->warps = s->config.threads / s->w;
    s->queue = (struct cw_lane **)malloc((2 * (size_t)s->w + CW_MODEL_AHEAD) * sizeof *s->queue);
    s->hot.banks = (cw_model_bank *)malloc(s->w * sizeof *s->hot.banks);
    s->hot.words = (cw_word *)calloc((size_t)s->w * s->m, sizeof *s->hot.words);
    s->extra = (struct cw_model_extra *)malloc(s->w * sizeof *s->extra);
    s->pending = (uint64_t *)malloc(s->warps * sizeof *s->pending);
    status = cw_groups_create(s->w, &s->groups);
    if (!status)
        status = cw_lanes_create(s->w, &s->lanes);
    if (!status && !(s->queue && s->hot.banks && s->hot.words && s->extra && s->pending))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for a machine of %u x %u", s->w, s->m);
    if (status) {
        cw_model_destroy(s);
        return status;
    }
    s->lane = cw_lanes_table(s->lanes);
    *out = s;
    return CW_OK;
}

void cw_model_destroy(struct cw_model *s)
{
    if (!s)
        return;
    cw_lanes_destroy(s->lanes);
    cw_groups_destroy(s->groups);
    cw_rules_destroy(s->rules);
    free(s->queue);
    free(s->hot.banks);
    free(s->hot.words);
    free(s->extra);
    free(s->pending);
    free(s->areas);
    free(s);
}

cw_status cw_model_rules(struct cw_model *s, const struct cw_model_rules *rules)
{
    const uint32_t banks = rules->banks ? rules->banks : s->w;
    struct cw_rules *own = NULL;
    cw_status status;

    if ((unsigned)rules->rule > CW_MODEL_UMM)
        return cw_fail(CW_ERR_ARGUMENT, "there is no rule %d", (int)rules->rule);
    if (banks > s->w || s->w % banks)
        return cw_fail(CW_ERR_ARGUMENT, "banks must divide w (got %u, w = %u)", banks, s->w);
    if (rules->rule || banks < s->w) {
        if (!s->config.count || s->warps > 1)
            return cw_fail(CW_ERR_ARGUMENT, "other rules, and fewer banks than processors, count "
                                            "conflicts, on one matrix");
        status = cw_rules_create(s->w, banks, rules->rule, s->config.latency, &own);
        if (status)
            return status;
    }
    cw_rules_destroy(s->rules);
    s->rules = own;
    s->dmms = rules->dmms;
    s->global = rules->global ? rules->global : 1;
    return CW_OK;
}

const struct cw_model_config *cw_model_settings(const struct cw_model *s)
{
    return &s->config;
}

cw_status cw_model_aux(struct cw_model *s, const char *name, uint32_t columns, uint32_t *first)
{
    const uint64_t cols = (uint64_t)s->hot.cols + columns;
    struct cw_model_area *areas =
        (struct cw_model_area *)realloc(s->areas, (s->area_count + 1) * sizeof *areas);
    cw_word *words;

    if (!areas)
        return cw_fail(CW_ERR_MEMORY, "out of memory for auxiliary columns");
    s->areas = areas;
    if (cols > UINT32_MAX || cols * s->w > UINT64_C(1) << 34)
        return cw_fail(CW_ERR_MEMORY, "auxiliary columns '%s' (%u a row) are too many", name,
                       columns);
    words = (cw_word *)realloc(s->hot.words, (size_t)cols * s->w * sizeof *words);
    if (!words)
        return cw_fail(CW_ERR_MEMORY, "out of memory for auxiliary columns '%s' (%u a row)", name,
                       columns);
    s->hot.words = words;
    memset(&areas[s->area_count], 0, sizeof *areas);
    strncpy(areas[s->area_count].name, name, CW_AREA_NAME - 1);
    areas[s->area_count].first = s->hot.cols;
    areas[s->area_count].columns = columns;
    s->area_count++;
    *first = s->hot.cols;
    s->hot.cols = (uint32_t)cols;
    return CW_OK;
}

uint32_t cw_model_extra(const struct cw_model *s)
{
    return s->hot.cols - s->m;
}

size_t cw_model_private(const struct cw_model *s)
{
    return cw_lanes_used(s->lanes);
}

uint32_t cw_model_columns(const struct cw_model *s)
{
    return s->hot.cols;
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
    return &s->hot.words[(size_t)col * s->w + row];
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

/* ---- a run --------------------------------------------------------------- */

static void lane_body(uint32_t lane, void *arg)
{
    struct cw_model *s = (struct cw_model *)arg;

    (void)lane;
    s->body(s, s->body_arg);
}

static void reset(struct cw_model *s)
{
    struct cw_model_hot *const h = &s->hot;

    for (size_t x = (size_t)s->w * s->m; x < (size_t)s->w * h->cols; x++)
        h->words[x] = CW_MODEL_JUNK;
    memset(h->banks, 0, s->w * sizeof *h->banks);
    memset(s->extra, 0, s->w * sizeof *s->extra);
    memset(s->pending, 0, s->warps * sizeof *s->pending);
    cw_groups_reset(s->groups);
    for (size_t x = 0; x < 2 * (size_t)s->w + CW_MODEL_AHEAD; x++)
        s->queue[x] = s->lane + x % s->w; /* past the end: only fetched ahead */
    h->acted = h->head = s->queue;
    h->end = s->queue + s->w;
    h->rows = s->trace || s->rules ? 0 : s->w; /* then every access goes the slow way */
    if (s->rules)
        cw_rules_reset(s->rules);
    h->stamp = UINT64_C(1) << 32;
    h->reads = 0;
    s->step = 1;
    s->degree = 1;
    s->skipped = s->worst_degree = 0;
    s->accesses = s->conflicts = s->steps = s->time = s->pipe = 0;
    s->live = s->w;
    s->phase = NULL;
    s->status = CW_OK;
}

cw_status cw_model_run(struct cw_model *s, void (*body)(struct cw_model *s, const void *arg),
                       const void *arg)
{
    const struct cw_lane_entry entry = {lane_body, cw_model_done, s};
    cw_status status;
    uint32_t overrun;

    reset(s);
    s->body = body;
    s->body_arg = arg;
    cw_lanes_start(s->lanes, &entry);
    cw_model_go(s);
    overrun = cw_lanes_overrun(s->lanes);
    status = overrun == CW_LANE_HOST
                 ? cw_model_outcome(s)
                 : cw_fail(CW_ERR_INTERNAL, "processor %u overran its stack", overrun);
    if (s->trace && status)
        cw_trace_fault(s->trace, cw_last_error());
    s->trace = NULL;
    return status;
}

void cw_model_counters(const struct cw_model *s, struct cw_counters *out)
{
    memset(out, 0, sizeof *out);
    out->steps = s->steps;
    out->work = s->steps * s->w;
    out->accesses = s->accesses;
    out->reads = s->hot.reads;
    out->conflicts = s->conflicts;
    out->time = s->rules                                ? cw_rules_time(s->rules)
                : s->warps > 1 || s->config.latency > 1 ? s->time
                                                        : s->steps;
    if (s->dmms) /* m requests of w words that lie together, for each, in and out */
        out->time += 2 * ((uint64_t)s->dmms * s->m + s->global - 1);
    out->worst_degree = s->worst_degree;
    for (uint32_t r = 0; r < s->w; r++) {
        const uint64_t load = (uint32_t)s->hot.banks[r] + s->extra[r].total;

        if (load > out->busiest_load) {
            out->busiest_load = load;
            out->busiest_bank = r;
        }
    }
}
