/* conflicts_pattern.c - lines of a kernel become requests, and requests a price. */
#include "conflicts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "expr/kernel.h"

enum { THREAD, TID = THREAD + 3, LANE, WARP, T, I, BLOCK, WARP_SIZE = BLOCK + 3, NAMES };

static const struct cw_expr_name thread_names[] = {
    {"threadIdx.x", CW_EXPR_UNSIGNED},
    {"threadIdx.y", CW_EXPR_UNSIGNED},
    {"threadIdx.z", CW_EXPR_UNSIGNED},
    {"tid", CW_EXPR_INT},
    {"lane", CW_EXPR_INT},
    {"warp", CW_EXPR_INT},
    {"t", CW_EXPR_INT},
    {"i", CW_EXPR_INT},
    {"blockDim.x", CW_EXPR_UNSIGNED},
    {"blockDim.y", CW_EXPR_UNSIGNED},
    {"blockDim.z", CW_EXPR_UNSIGNED},
    {"warpSize", CW_EXPR_INT},
    {NULL, CW_EXPR_INT},
};
static const struct cw_expr_name record_names[] = {
    {"x", CW_EXPR_LONG}, {"lane", CW_EXPR_INT}, {NULL, CW_EXPR_INT}};

static uint32_t warps_of(const struct question *q)
{
    return (q->threads + q->machine->lanes - 1) / q->machine->lanes;
}

/* ---- the program ---------------------------------------------------------- */

static int refused(cw_status status, const char *text, struct trouble *why)
{
    why->located = status == CW_ERR_ARGUMENT;
    why->text = text;
    return status == CW_ERR_ARGUMENT ? USAGE : FAILED;
}

static int read_program(const struct question *q, const char *text, int kernel,
                        struct cw_program *out, struct trouble *why)
{
    cw_status status;

    for (uint32_t k = 0; k < q->defines; k++)
        if (!cw_expr_kernel_type(out, q->define[k]) &&
            (status = cw_program_define(out, q->define[k], &why->error)))
            return refused(status, q->define[k], why);
    status = kernel ? cw_expr_kernel_read(out, text, strlen(text), q->array, &why->error)
                    : cw_program_read(out, text, strlen(text), &why->error);
    if (status)
        return refused(status, text, why);
    status = q->only_if ? cw_program_only_if(out, q->only_if, &why->error) : CW_OK;
    if (status)
        return refused(status, q->only_if, why);
    if (!q->csv && !q->has_i && cw_program_uses(out, I, &why->error.at)) {
        snprintf(why->error.text, sizeof why->error.text, "i has no range: give one, --i LO:HI");
        return refused(CW_ERR_ARGUMENT, text, why);
    }
    return DONE;
}

static int make_program(const struct question *q, const char *text, int kernel,
                        struct cw_program *out, struct trouble *why)
{
    int status;

    memset(why, 0, sizeof *why);
    cw_program_begin(out, q->csv ? record_names : thread_names);
    status = read_program(q, text, kernel, out, why);
    if (status)
        cw_program_free(out);
    return status;
}

/* Lines with a shared array that say more than lines may are tried as a kernel. */
int program_make(const struct question *q, const char *text, struct cw_program *out,
                 struct trouble *why)
{
    const int shared = !q->csv && strstr(text, "__shared__");
    const int kernel = shared && cw_expr_is_kernel(text, strlen(text));
    const int status = make_program(q, text, kernel, out, why);
    struct trouble again;

    return status == USAGE && shared && !kernel && why->text == text &&
                   make_program(q, text, 1, out, &again) == DONE
               ? DONE
               : status;
}

/* ---- where in the pattern ------------------------------------------------- */

void pattern_locate(const struct question *q, const struct ask *a, uint32_t lane, int64_t x,
                    struct trouble *why)
{
    const size_t size = sizeof why->where;
    const uint32_t t = q->machine->lanes * a->warp + lane;

    if (q->csv)
        snprintf(why->where, size, "request %" PRIu64 ", lane %u, x = %" PRId64, (uint64_t)a->name,
                 lane, x);
    else if (q->has_i)
        snprintf(why->where, size, "t = %u, i = %" PRId64, t, a->name);
    else
        snprintf(why->where, size, "t = %u", t);
}

void pattern_values(const struct question *q, const struct ask *a, uint32_t lane, int64_t *values)
{
    const uint32_t t = q->machine->lanes * a->warp + lane;

    if (q->csv) {
        values[0] = a->index[lane];
        values[1] = lane;
        return;
    }
    values[T] = values[TID] = t;
    values[LANE] = lane;
    values[WARP] = a->warp;
    values[I] = a->name;
    values[THREAD] = t % q->block[0];
    values[THREAD + 1] = t / q->block[0] % q->block[1];
    values[THREAD + 2] = t / q->block[0] / q->block[1];
    for (uint32_t d = 0; d < 3; d++)
        values[BLOCK + d] = q->block[d];
    values[WARP_SIZE] = q->machine->lanes;
}

/* The element that a lane asks for, or that it does not ask. */
static int evaluate(const struct question *q, const struct cw_program *program, uint32_t bytes,
                    struct ask *a, uint32_t lane, struct trouble *why)
{
    const int64_t limit = (INT64_C(1) << 32) / bytes;
    int64_t values[NAMES], x = 0;
    int asks = 0;

    pattern_values(q, a, lane, values);
    if (cw_program_eval(program, values, a->access, &asks, &x, &why->error)) {
        why->located = why->error.at != SIZE_MAX;
    } else if (asks && (x < 0 || x >= limit)) {
        why->located = 0;
        snprintf(why->error.text, sizeof why->error.text,
                 x < 0 ? "the index is negative: %" PRId64 : "index %" PRId64 " is beyond 4 GiB",
                 x);
    } else if (asks && (uint64_t)x * bytes % a->bytes) {
        why->located = 0;
        snprintf(why->error.text, sizeof why->error.text,
                 "byte %" PRIu64 " of the array is no multiple of %u", (uint64_t)x * bytes,
                 a->bytes);
    } else {
        a->index[lane] = (uint32_t)x;
        a->lanes &= ~((uint64_t)!asks << lane);
        return DONE;
    }
    pattern_locate(q, a, lane, values[0], why);
    return USAGE;
}

/* ---- requests ------------------------------------------------------------- */

/* Which lanes there are, request by request; with recorded elements, those. */
static void lay_out(const struct question *q, struct pattern *out)
{
    const uint32_t warps = warps_of(q), wide = q->machine->lanes;
    const uint32_t each = warps * (uint32_t)(q->to - q->from); /* requests of an access */

    if (q->csv) {
        memcpy(out->ask, q->recorded.ask, out->count * sizeof *out->ask);
        return;
    }
    for (uint32_t k = 0; k < out->count; k++) {
        struct ask *const a = &out->ask[k];
        const uint32_t left = q->threads - k % warps * wide, lanes = left < wide ? left : wide;

        a->access = k / each;
        a->warp = k % warps;
        a->name = q->from + k % each / warps;
        a->lanes = lanes < 64 ? (UINT64_C(1) << lanes) - 1 : UINT64_MAX;
    }
}

static int plain_trouble(struct trouble *why, int status, const char *text)
{
    why->located = 0;
    snprintf(why->error.text, sizeof why->error.text, "%s", text);
    return status;
}

/* Evaluate all lanes; requests in which none asks are no requests. */
static int fill(const struct question *q, const struct cw_program *program, struct pattern *out,
                struct trouble *why)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < out->count; k++) {
        const uint64_t lanes = out->ask[k].lanes;

        for (uint32_t lane = 0; lane < q->machine->lanes; lane++)
            if (lanes >> lane & 1 && evaluate(q, program, out->bytes, &out->ask[k], lane, why))
                return USAGE;
        if (out->ask[k].lanes)
            out->ask[kept++] = out->ask[k];
    }
    out->count = kept;
    return kept ? DONE : plain_trouble(why, USAGE, "no lane asks for anything");
}

void pattern_describe(const struct question *q, const struct cw_program *program,
                      struct pattern *out, struct ask *a)
{
    const struct cw_access *const access = &program->access[a->access];

    a->write = q->write || access->writes;
    a->bytes = access->bytes ? access->bytes : out->bytes;
    a->offset = access->offset;
    if (out->wide < a->bytes)
        out->wide = a->bytes;
}

/* All but the requests. */
static void begin_pattern(const struct question *q, const struct cw_program *program,
                          const char *text, struct pattern *out)
{
    size_t column;

    out->machine = q->machine;
    out->bytes = program->array.dims ? program->array.bytes : q->bytes ? q->bytes : 4;
    out->dims = program->array.dims;
    memcpy(out->size, program->array.size, sizeof out->size);
    out->accesses = program->accesses;
    for (uint32_t k = 0; k < program->accesses; k++) {
        out->writes += q->write || program->access[k].writes;
        line_and_column(text, program->access[k].at, &out->line_of[k], &column);
    }
    out->reads = out->accesses - out->writes;
    out->kernel = program->steps > 0;
    if (out->dims)
        snprintf(out->name, sizeof out->name, "%.*s", (int)program->array.name.length,
                 text + program->array.name.at);
}

static int make_requests(const struct question *q, struct cw_program *program, const char *text,
                         struct pattern *out, struct trouble *why)
{
    const uint64_t each = (uint64_t)warps_of(q) * (uint64_t)(q->to - q->from);
    const uint64_t count = q->csv ? q->recorded.count : program->accesses * each;
    int status;

    if (program->array.dims && (q->csv || q->bytes))
        return plain_trouble(why, USAGE,
                             q->csv ? "an array is not for --csv: its elements are x"
                                    : "--bytes is not for an array: its type says it");
    begin_pattern(q, program, text, out);
    if (out->kernel) {
        status = kernel_requests(q, program, text, out, why);
        if (status)
            pattern_free(out);
        return status;
    }
    if (count > REQUESTS_MAX)
        return plain_trouble(why, USAGE, "more than 65536 requests in all accesses");
    out->count = (uint32_t)count;
    out->ask = (struct ask *)calloc(out->count, sizeof *out->ask);
    if (!out->ask)
        return plain_trouble(why, FAILED, "out of memory");
    lay_out(q, out);
    for (uint32_t k = 0; k < out->count; k++)
        pattern_describe(q, program, out, &out->ask[k]);
    status = fill(q, program, out, why);
    if (status)
        pattern_free(out);
    return status;
}

int pattern_make(const struct question *q, const char *text, struct pattern *out,
                 struct trouble *why)
{
    struct cw_program program;
    int status;

    memset(out, 0, sizeof *out);
    status = program_make(q, text, &program, why);
    if (status)
        return status;
    why->text = text;
    status = make_requests(q, &program, text, out, why);
    cw_program_free(&program);
    return status;
}

void pattern_free(struct pattern *p)
{
    free(p->ask);
    p->ask = NULL;
}

void line_and_column(const char *text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t k = 0; k < at && text[k]; k++) {
        *line += text[k] == '\n';
        *column = text[k] == '\n' ? 1 : *column + 1;
    }
}

/* ---- the price ------------------------------------------------------------ */

void request_of(const struct pattern *p, const struct ask *a, struct cw_lanes_request *out)
{
    out->bytes = a->bytes;
    out->write = a->write;
    out->lanes = a->lanes;
    for (uint32_t lane = 0; lane < CW_LANES_MAX; lane++)
        out->at[lane] = a->lanes >> lane & 1 ? a->index[lane] * p->bytes + a->offset : 0;
}

/* Bytes of the array, if they were told; else up to the last that is asked for. */
static uint64_t memory_of(const struct pattern *p)
{
    uint64_t bytes = p->dims ? p->bytes : 0;

    for (uint32_t d = 0; d < p->dims; d++)
        bytes *= p->size[d];
    for (uint32_t k = 0; k < p->count && !(p->dims && p->size[0]); k++) {
        const struct ask *const a = &p->ask[k];
        const uint32_t one = a->bytes > p->bytes ? a->bytes : p->bytes;

        for (uint32_t lane = 0; lane < p->machine->lanes; lane++)
            if (a->lanes >> lane & 1 && (uint64_t)a->index[lane] * p->bytes + one > bytes)
                bytes = (uint64_t)a->index[lane] * p->bytes + one;
    }
    return bytes;
}

void pattern_price(const struct pattern *p, struct price *out)
{
    memset(out, 0, sizeof *out);
    out->memory = memory_of(p);
    for (uint32_t k = 0; k < p->count; k++) {
        struct cw_lanes_request r;
        uint32_t takes, ideal, excess;

        request_of(p, &p->ask[k], &r);
        takes = cw_bank_wavefronts(p->machine, &r, &ideal);
        out->wavefronts += takes;
        out->ideal += ideal;
        excess = out->worst_takes - out->worst_ideal;
        if (k == 0 || takes - ideal > excess ||
            (takes - ideal == excess && takes > out->worst_takes)) {
            out->worst = k;
            out->worst_takes = takes;
            out->worst_ideal = ideal;
        }
    }
}
