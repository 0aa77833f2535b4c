/* conflicts_pattern.c - an expression becomes requests, and requests a price. */
#include "conflicts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { T, LANE, WARP, I, NAMES };

static const char *const thread_names[] = {"t", "lane", "warp", "i", NULL};
static const char *const record_names[] = {"x", "lane", NULL};

static const char *const *names_of(const struct question *q)
{
    return q->csv ? record_names : thread_names;
}

static uint32_t warps_of(const struct question *q)
{
    return (q->threads + CW_WARP - 1) / CW_WARP;
}

/* ---- where in the pattern ------------------------------------------------- */

static void locate(const struct question *q, const struct ask *a, uint32_t lane, int64_t x,
                   struct trouble *why)
{
    const size_t size = sizeof why->where;

    if (q->csv)
        snprintf(why->where, size, "request %" PRIu64 ", lane %u, x = %" PRId64, (uint64_t)a->name,
                 lane, x);
    else if (q->has_i)
        snprintf(why->where, size, "t = %u, i = %" PRId64, CW_WARP * a->warp + lane, a->name);
    else
        snprintf(why->where, size, "t = %u", CW_WARP * a->warp + lane);
}

/* The element that a lane asks for. */
static int evaluate(const struct question *q, const struct cw_expr *e, struct ask *a, uint32_t lane,
                    struct trouble *why)
{
    const int64_t limit = (INT64_C(1) << 32) / q->bytes;
    int64_t values[NAMES], x = 0;

    if (q->csv) {
        values[0] = a->index[lane];
        values[1] = lane;
    } else {
        values[T] = CW_WARP * a->warp + lane;
        values[LANE] = lane;
        values[WARP] = a->warp;
        values[I] = a->name;
    }
    if (cw_expr_eval(e, values, &x, &why->error)) {
        why->located = 1;
    } else if (x < 0 || x >= limit) {
        why->located = 0;
        snprintf(why->error.text, sizeof why->error.text,
                 x < 0 ? "the index is negative: %" PRId64 : "index %" PRId64 " is beyond 4 GiB",
                 x);
    } else {
        a->index[lane] = (uint32_t)x;
        return DONE;
    }
    locate(q, a, lane, values[0], why);
    return USAGE;
}

/* ---- requests ------------------------------------------------------------- */

/* Which lanes ask, request by request; with recorded elements, those. */
static void lay_out(const struct question *q, struct pattern *out)
{
    const uint32_t warps = warps_of(q);

    if (q->csv) {
        memcpy(out->ask, q->recorded.ask, out->count * sizeof *out->ask);
        return;
    }
    for (uint32_t k = 0; k < out->count; k++) {
        struct ask *const a = &out->ask[k];
        const uint32_t left = q->threads - k % warps * CW_WARP;

        a->warp = k % warps;
        a->name = q->from + k / warps;
        a->lanes = left < CW_WARP ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
    }
}

static int fill(const struct question *q, const struct cw_expr *e, struct pattern *out,
                struct trouble *why)
{
    out->bytes = q->bytes;
    out->write = q->write;
    out->count = q->csv ? q->recorded.count : warps_of(q) * (uint32_t)(q->to - q->from);
    out->ask = (struct ask *)calloc(out->count, sizeof *out->ask);
    if (!out->ask) {
        snprintf(why->error.text, sizeof why->error.text, "out of memory");
        return FAILED;
    }
    lay_out(q, out);
    for (uint32_t k = 0; k < out->count; k++) {
        for (uint32_t lane = 0; lane < CW_WARP; lane++) {
            if (out->ask[k].lanes >> lane & 1 && evaluate(q, e, &out->ask[k], lane, why)) {
                pattern_free(out);
                return USAGE;
            }
        }
    }
    return DONE;
}

int pattern_make(const struct question *q, const char *text, struct pattern *out,
                 struct trouble *why)
{
    struct cw_expr *e;
    cw_status parsed;
    int status = USAGE;

    memset(why, 0, sizeof *why);
    out->ask = NULL;
    parsed = cw_expr_parse(text, strlen(text), names_of(q), &e, &why->error);
    if (parsed) {
        why->located = parsed == CW_ERR_ARGUMENT;
        return parsed == CW_ERR_ARGUMENT ? USAGE : FAILED;
    }
    if (!q->csv && !q->has_i && cw_expr_uses(e, I, &why->error.at)) {
        why->located = 1;
        snprintf(why->error.text, sizeof why->error.text, "i has no range: give one, --i LO:HI");
    } else {
        status = fill(q, e, out, why);
    }
    cw_expr_free(e);
    return status;
}

void pattern_free(struct pattern *p)
{
    free(p->ask);
    p->ask = NULL;
}

enum cw_expr_level expression_level(const struct question *q, const char *text)
{
    enum cw_expr_level level = CW_EXPR_CONDITIONAL;
    struct cw_expr_error error;
    struct cw_expr *e;

    if (!cw_expr_parse(text, strlen(text), names_of(q), &e, &error)) {
        level = cw_expr_level(e);
        cw_expr_free(e);
    }
    return level;
}

/* ---- the price ------------------------------------------------------------ */

void request_of(const struct pattern *p, const struct ask *a, struct cw_request *out)
{
    out->bytes = p->bytes;
    out->atomic = 0;
    out->write = p->write;
    out->lanes = a->lanes;
    for (uint32_t lane = 0; lane < CW_WARP; lane++)
        out->at[lane] = a->lanes >> lane & 1 ? a->index[lane] * p->bytes : 0;
}

void pattern_price(const struct pattern *p, struct price *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < p->count; k++) {
        struct cw_request r;
        uint32_t takes, ideal, excess;

        request_of(p, &p->ask[k], &r);
        takes = cw_wavefronts(&r, &ideal);
        out->wavefronts += takes;
        out->ideal += ideal;
        for (uint32_t lane = 0; lane < CW_WARP; lane++)
            if (r.lanes >> lane & 1 && r.at[lane] + (uint64_t)p->bytes > out->memory)
                out->memory = r.at[lane] + (uint64_t)p->bytes;
        excess = out->worst_takes - out->worst_ideal;
        if (k == 0 || takes - ideal > excess ||
            (takes - ideal == excess && takes > out->worst_takes)) {
            out->worst = k;
            out->worst_takes = takes;
            out->worst_ideal = ideal;
        }
    }
}
