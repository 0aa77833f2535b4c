#define _POSIX_C_SOURCE 200809L
#include "machine/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "files/output.h"
#include "machine/sites.h"
#include "base/status.h"

#define BUFFER_BYTES 65536u
#define ROOM         64u /* no record is longer, its strings apart */

/* What a lane read last: age 1 is the newest. */
struct recent {
    cw_word value[CW_TRACE_RECENT];
    uint32_t head;
};

struct cw_trace {
    unsigned char *out; /* buffer + how far it is filled */
    uint32_t w;
    uint32_t lane, row, col; /* of the access before */
    const char *site;
    struct recent *recent; /* [w] */
    uint64_t accesses, steps;

    struct cw_sites *sites;
    struct cw_output *to; /* where the trace goes */
    struct cw_output own; /* that, if a path was told */
    uint32_t sum;
    cw_status status;
    unsigned char buffer[BUFFER_BYTES];
};

uint32_t cw_trace_checksum(uint32_t sum, const unsigned char *bytes, size_t size)
{
    for (size_t x = 0; x < size; x++)
        sum = (sum ^ bytes[x]) * 16777619u;
    return sum;
}

/* ---- bytes --------------------------------------------------------------- */

static void flush(struct cw_trace *t)
{
    const size_t size = (size_t)(t->out - t->buffer);

    t->sum = cw_trace_checksum(t->sum, t->buffer, size);
    cw_output_append(t->to, t->buffer, size); /* which keeps what went wrong */
    t->out = t->buffer;
}

static inline void make_room(struct cw_trace *t)
{
    if (t->out > t->buffer + BUFFER_BYTES - ROOM)
        flush(t);
}

static inline void put_number(struct cw_trace *t, uint64_t x)
{
    while (x >= 128) {
        *t->out++ = (unsigned char)(x | 128);
        x >>= 7;
    }
    *t->out++ = (unsigned char)x;
}

/* The first CW_TRACE_STRING bytes of it. */
static void put_string(struct cw_trace *t, const char *text)
{
    const size_t size = strnlen(text, CW_TRACE_STRING);

    make_room(t);
    put_number(t, size);
    for (size_t x = 0; x < size; x++) {
        make_room(t);
        *t->out++ = (unsigned char)text[x];
    }
    make_room(t);
}

/* Name a string: its number, and if it is new its text. */
static void put_name(struct cw_trace *t, const char *text, int stays)
{
    const uint32_t known = cw_sites_count(t->sites);
    const uint32_t id = stays ? cw_sites_place(t->sites, text) : cw_sites_name(t->sites, text);

    if (id == CW_SITES_NONE) {
        if (!t->status)
            t->status = CW_ERR_MEMORY;
        return;
    }
    put_number(t, id);
    if (id == known)
        put_string(t, text);
}

/* ---- records ------------------------------------------------------------- */

/* How many of its reads ago the lane read this value; 0: not lately. */
static uint32_t age_of(const struct recent *r, cw_word value)
{
    for (uint32_t age = 1; age <= CW_TRACE_RECENT; age++)
        if (r->value[(r->head - age) % CW_TRACE_RECENT] == value)
            return age;
    return 0;
}

static inline uint32_t minus_mod(uint32_t a, uint32_t b, uint32_t w)
{
    return a >= b ? a - b : a + w - b;
}

void cw_trace_access(struct cw_trace *t, uint32_t lane, uint32_t row, uint32_t col, cw_word value,
                     enum cw_access_kind kind, const char *site)
{
    const uint32_t expected = t->lane + 1 < t->w ? t->lane + 1 : 0;
    const int32_t across = (int32_t)(col - t->col);
    struct recent *const recent = &t->recent[lane];
    uint32_t code = CW_TRACE_READ;

    if (kind == CW_READ) {
        recent->value[recent->head++ % CW_TRACE_RECENT] = value;
    } else {
        const uint32_t age = age_of(recent, value);

        code = age ? CW_TRACE_RECALL + age - 1 : CW_TRACE_WRITE;
    }
    make_room(t);
    *t->out++ = (unsigned char)(code | (lane == expected ? CW_TRACE_NEXT_LANE : 0u) |
                                (row == lane ? CW_TRACE_OWN_ROW : 0u) |
                                (across == 0 ? CW_TRACE_SAME_COL : 0u) |
                                (site == t->site ? CW_TRACE_SAME_SITE : 0u));
    if (lane != expected)
        put_number(t, minus_mod(lane, expected, t->w));
    if (row != lane)
        put_number(t, minus_mod(row, t->row, t->w));
    if (across)
        put_number(t, (uint32_t)across << 1 ^ (uint32_t)(across >> 31));
    if (code == CW_TRACE_WRITE)
        put_number(t, value);
    if (site != t->site)
        put_name(t, site, 1);
    t->lane = lane;
    t->row = row;
    t->col = col;
    t->site = site;
    t->accesses++;
}

static void put_other(struct cw_trace *t, enum cw_trace_type type)
{
    make_room(t);
    *t->out++ = (unsigned char)(CW_TRACE_OTHER | (unsigned)type << 3);
}

void cw_trace_step(struct cw_trace *t, uint32_t degree)
{
    put_other(t, degree == 1 ? CW_TRACE_STEP : CW_TRACE_DEGREE);
    if (degree != 1)
        put_number(t, degree);
    t->steps += degree;
    t->lane = t->w - 1; /* so that lane 0 is expected next */
}

void cw_trace_phase(struct cw_trace *t, const struct cw_phase *phase)
{
    put_other(t, CW_TRACE_PHASE);
    put_number(t, phase->group.first);
    put_number(t, phase->group.stride);
    put_number(t, phase->group.rows);
    put_number(t, phase->column);
    put_number(t, phase->cols);
    put_name(t, phase->name, 0);
}

void cw_trace_fault(struct cw_trace *t, const char *message)
{
    put_other(t, CW_TRACE_FAULT);
    put_string(t, message);
}

/* ---- life ---------------------------------------------------------------- */

static void put_head(struct cw_trace *t, const struct cw_trace_info *info, struct cw_model *model)
{
    const struct cw_model_config *const c = cw_model_settings(model);
    const char *name;
    uint32_t first, columns, areas = 0;

    memcpy(t->out, CW_TRACE_MAGIC, 7);
    t->out[7] = CW_TRACE_VERSION;
    t->out += 8;
    put_number(t, c->w);
    put_number(t, c->m);
    put_number(t, c->count ? 1 : 0);
    put_number(t, c->latency);
    put_number(t, c->threads);
    put_number(t, info->seed);
    put_string(t, info->algorithm ? info->algorithm : "");
    put_string(t, info->input ? info->input : "");
    while (cw_model_area(model, areas, &name, &first, &columns))
        areas++;
    put_number(t, areas);
    for (uint32_t x = 0; cw_model_area(model, x, &name, &first, &columns); x++) {
        make_room(t);
        put_number(t, columns);
        put_string(t, name);
    }
    put_number(t, CW_MODEL_JUNK);
    for (uint32_t col = 0; col < c->m; col++)
        for (uint32_t row = 0; row < c->w; row++) {
            make_room(t);
            put_number(t, *cw_model_at(model, row, col));
        }
}

static void free_trace(struct cw_trace *t)
{
    cw_sites_destroy(t->sites);
    free(t->recent);
    free(t);
}

cw_status cw_trace_begin(struct cw_output *to, const struct cw_trace_info *info,
                         struct cw_model *model, struct cw_trace **out)
{
    const struct cw_model_config *const c = cw_model_settings(model);
    const char *name;
    uint32_t first, columns;
    struct cw_trace *t;

    *out = NULL;
    if ((uint64_t)cw_model_columns(model) * c->w > CW_TRACE_WORDS)
        return cw_fail(CW_ERR_ARGUMENT, "%u x %u words are too many to trace", c->w,
                       cw_model_columns(model));
    if (cw_model_area(model, CW_TRACE_AREAS, &name, &first, &columns))
        return cw_fail(CW_ERR_ARGUMENT, "more than %u auxiliary areas cannot be traced",
                       CW_TRACE_AREAS);
    t = (struct cw_trace *)calloc(1, sizeof *t);
    if (!t)
        return cw_fail(CW_ERR_MEMORY, "out of memory for a trace");
    t->to = to;
    t->w = c->w;
    t->lane = t->w - 1;
    t->sum = CW_TRACE_CHECKSUM_SEED;
    t->out = t->buffer;
    t->sites = cw_sites_create(CW_TRACE_STRINGS, CW_TRACE_STRING);
    t->recent = (struct recent *)calloc(t->w, sizeof *t->recent);
    if (!t->sites || !t->recent) {
        free_trace(t);
        return cw_fail(CW_ERR_MEMORY, "out of memory for a trace");
    }
    put_head(t, info, model);
    *out = t;
    return CW_OK;
}

cw_status cw_trace_open(const char *path, const struct cw_trace_info *info, struct cw_model *model,
                        struct cw_trace **out)
{
    struct cw_output to;
    cw_status status = cw_output_open(path, &to);

    *out = NULL;
    if (status)
        return status;
    status = cw_trace_begin(&to, info, model, out);
    if (status) {
        cw_output_drop(&to);
        return status;
    }
    (*out)->own = to;
    (*out)->to = &(*out)->own;
    return CW_OK;
}

static cw_status finish(struct cw_trace *t)
{
    put_other(t, CW_TRACE_END);
    put_number(t, t->steps);
    put_number(t, t->accesses);
    flush(t);
    for (uint32_t x = 0, sum = t->sum; x < 4; x++, sum >>= 8)
        *t->out++ = (unsigned char)sum;
    flush(t);
    if (t->status)
        return cw_fail(t->status, "out of memory for the strings of a trace");
    return t->to == &t->own ? cw_output_commit(t->to) : cw_output_flush(t->to);
}

cw_status cw_trace_close(struct cw_trace *t)
{
    const cw_status status = finish(t);

    cw_output_drop(&t->own);
    free_trace(t);
    return status;
}

void cw_trace_drop(struct cw_trace *t)
{
    if (!t)
        return;
    cw_output_drop(&t->own);
    free_trace(t);
}
