/* conflicts_kernel.c - a kernel, run for every thread of a block, becomes requests.
 *
 * Lanes of a warp ask together if they are at the same access in the same round of its loops.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "conflicts.h"
#include "expr/kernel.h"

struct gathering {
    const struct question *q;
    const struct cw_program *program;
    struct pattern *out;
    struct trouble *why;
    uint32_t room;
    uint32_t group, next; /* the first request of this warp, and the one that is looked at first */
    uint32_t warp, lane;
    int64_t i;
};

static int is_request(const struct ask *a, const struct cw_asked *what)
{
    return a->access == what->access && !memcmp(a->round, what->round, sizeof a->round);
}

/* The request of this warp to which it belongs; a new one if there is none; NULL: no more fit. */
static struct ask *request(struct gathering *g, const struct cw_asked *what)
{
    struct pattern *const p = g->out;
    const uint32_t count = p->count - g->group;
    struct ask *a;

    for (uint32_t k = 0; k < count; k++) {
        const uint32_t at = g->group + (g->next - g->group + k) % count;

        if (is_request(&p->ask[at], what)) {
            g->next = at + 1;
            return &p->ask[at];
        }
    }
    if (p->count == g->room) {
        const uint32_t room = g->room < REQUESTS_MAX / 2 ? 2 * g->room : REQUESTS_MAX;
        struct ask *const more =
            room > g->room ? (struct ask *)realloc(p->ask, room * sizeof *more) : NULL;

        if (!more)
            return NULL;
        p->ask = more;
        g->room = room;
    }
    a = &p->ask[p->count++];
    memset(a, 0, sizeof *a);
    memcpy(a->round, what->round, sizeof a->round);
    a->access = what->access;
    a->loops = what->loops;
    a->warp = g->warp;
    a->name = g->i;
    pattern_describe(g->q, g->program, p, a);
    g->next = p->count;
    return a;
}

static cw_status asked(void *to, const struct cw_asked *what)
{
    struct gathering *const g = (struct gathering *)to;
    const uint32_t bytes = g->out->bytes;
    struct cw_expr_error *const error = &g->why->error;
    struct ask *const a = request(g, what);

    error->at = SIZE_MAX;
    if (!a)
        snprintf(error->text, sizeof error->text, "more than 65536 requests in all accesses");
    else if (what->index < 0 || what->index >= (INT64_C(1) << 32) / bytes)
        snprintf(error->text, sizeof error->text,
                 what->index < 0 ? "the index is negative: %" PRId64
                                 : "index %" PRId64 " is beyond 4 GiB",
                 what->index);
    else if ((uint64_t)what->index * bytes % a->bytes)
        snprintf(error->text, sizeof error->text,
                 "byte %" PRIu64 " of the array is no multiple of %u",
                 (uint64_t)what->index * bytes, a->bytes);
    else {
        a->lanes |= UINT64_C(1) << g->lane;
        a->index[g->lane] = (uint32_t)what->index;
        return CW_OK;
    }
    return CW_ERR_ARGUMENT;
}

/* By access, i and round; then by warp, as threads have their numbers. */
static int by_access(const void *a, const void *b)
{
    const struct ask *const x = (const struct ask *)a, *const y = (const struct ask *)b;

    if (x->access != y->access)
        return x->access < y->access ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    for (uint32_t k = 0; k < CW_PROGRAM_LOOPS; k++)
        if (x->round[k] != y->round[k])
            return x->round[k] < y->round[k] ? -1 : 1;
    return x->warp < y->warp ? -1 : x->warp > y->warp;
}

static int run_warp(struct gathering *g, struct cw_program *program, const char *text)
{
    const uint32_t wide = g->q->machine->lanes, first = g->warp * wide;
    const uint32_t lanes = g->q->threads - first < wide ? g->q->threads - first : wide;

    g->group = g->out->count;
    for (g->lane = 0; g->lane < lanes; g->lane++) {
        struct ask at = {.name = g->i, .warp = g->warp};
        int64_t values[CW_PROGRAM_NAMES];

        g->next = g->group;
        pattern_values(g->q, &at, g->lane, values);
        if (cw_expr_kernel_run(program, values, text, asked, g, &g->why->error)) {
            g->why->located = g->why->error.at != SIZE_MAX;
            pattern_locate(g->q, &at, g->lane, 0, g->why);
            return USAGE;
        }
    }
    return DONE;
}

int kernel_requests(const struct question *q, struct cw_program *program, const char *text,
                    struct pattern *out, struct trouble *why)
{
    const uint32_t wide = q->machine->lanes, warps = (q->threads + wide - 1) / wide;
    struct gathering g = {.q = q, .program = program, .out = out, .why = why, .room = 64};

    out->ask = (struct ask *)malloc(g.room * sizeof *out->ask);
    if (!out->ask) {
        why->located = 0;
        snprintf(why->error.text, sizeof why->error.text, "out of memory");
        return FAILED;
    }
    for (g.i = q->from; g.i < q->to; g.i++)
        for (g.warp = 0; g.warp < warps; g.warp++)
            if (run_warp(&g, program, text))
                return USAGE;
    qsort(out->ask, out->count, sizeof *out->ask, by_access);
    out->arrays = program->arrays;
    out->notes = program->notes;
    memcpy(out->note, program->note, sizeof out->note);
    if (out->count)
        return DONE;
    why->located = program->notes > 0;
    why->error.at = program->note[0].at;
    snprintf(why->error.text, sizeof why->error.text, "%s",
             program->notes ? cw_note_cause(&program->note[0]) : "no lane asks for anything");
    return USAGE;
}
