#include "machine/trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/trace/cursor.h"
#include "base/status.h"

struct area {
    char *name;
    uint32_t first, columns;
};

struct recent {
    cw_word value[CW_TRACE_RECENT];
    uint32_t head;
};

struct cw_trace_reader {
    struct cw_cursor c;
    int ended;

    struct cw_trace_head head;
    char *algorithm, *input;
    struct area *areas;
    cw_word *words; /* xor junk: so that fresh pages of zeros are junk */
    struct recent *recent;
    char **strings;
    uint32_t string_count, string_room;
    char *message;

    uint32_t lane, row, col;
    const char *site;
    uint64_t steps, accesses;
    unsigned char *owned; /* the bytes, if they were read from a file */
};

/* A string by its id; a new id is followed by its text. */
static const char *name(struct cw_trace_reader *r)
{
    const uint32_t id = (uint32_t)cw_cursor_within(&r->c, 0, r->string_count, "a string's number");

    if (r->c.status || id < r->string_count)
        return r->c.status ? "" : r->strings[id];
    if (id == CW_TRACE_STRINGS) {
        cw_cursor_damaged(&r->c, "too many strings");
        return "";
    }
    if (r->string_count == r->string_room) {
        const uint32_t room = r->string_room ? 2 * r->string_room : 64;
        char **strings = (char **)realloc(r->strings, room * sizeof *strings);

        if (!strings) {
            cw_cursor_no_memory(&r->c);
            return "";
        }
        r->strings = strings;
        r->string_room = room;
    }
    r->strings[id] = cw_cursor_string(&r->c, CW_TRACE_STRING);
    if (!r->strings[id])
        return "";
    r->string_count++;
    return r->strings[id];
}

/* ---- the head ------------------------------------------------------------ */

static void read_areas(struct cw_trace_reader *r)
{
    struct cw_trace_head *const h = &r->head;
    const uint64_t most = CW_TRACE_WORDS / h->config.w;

    h->areas = (uint32_t)cw_cursor_within(&r->c, 0, CW_TRACE_AREAS, "the number of areas");
    r->areas = (struct area *)calloc(h->areas + 1, sizeof *r->areas);
    if (!r->areas) {
        cw_cursor_no_memory(&r->c);
        return;
    }
    for (uint32_t x = 0; x < h->areas && !r->c.status; x++) {
        r->areas[x].first = h->cols;
        r->areas[x].columns =
            (uint32_t)cw_cursor_within(&r->c, 0, most - h->cols, "the width of an area");
        r->areas[x].name = cw_cursor_string(&r->c, CW_TRACE_STRING);
        h->cols += r->areas[x].columns;
    }
}

static void read_matrix(struct cw_trace_reader *r)
{
    const size_t w = r->head.config.w;
    const size_t matrix = w * r->head.config.m;

    if (matrix > r->c.size - r->c.at) /* a word takes a byte at least */
        cw_cursor_damaged(&r->c, "the matrix goes past the end");
    if (r->c.status)
        return;
    r->words = (cw_word *)calloc(w * r->head.cols, sizeof *r->words);
    r->recent = (struct recent *)calloc(w, sizeof *r->recent);
    if (!r->words || !r->recent) {
        cw_cursor_no_memory(&r->c);
        return;
    }
    for (size_t x = 0; x < matrix; x++)
        r->words[x] = cw_cursor_number(&r->c) ^ r->head.junk;
}

static void read_head(struct cw_trace_reader *r)
{
    struct cw_model_config *const c = &r->head.config;

    c->w = (uint32_t)cw_cursor_within(&r->c, 1, CW_TRACE_WORDS, "w");
    c->m = (uint32_t)cw_cursor_within(&r->c, 1, CW_TRACE_WORDS / c->w, "m");
    c->count = (int)cw_cursor_within(&r->c, 0, 1, "the mode");
    c->latency = (uint32_t)cw_cursor_within(&r->c, 1, UINT32_MAX, "the latency");
    c->threads = (uint32_t)cw_cursor_within(&r->c, c->w, UINT32_MAX, "the number of threads");
    r->head.seed = cw_cursor_number(&r->c);
    r->head.algorithm = r->algorithm = cw_cursor_string(&r->c, CW_TRACE_STRING);
    r->head.input = r->input = cw_cursor_string(&r->c, CW_TRACE_STRING);
    r->head.cols = c->m;
    read_areas(r);
    r->head.junk = cw_cursor_number(&r->c);
    read_matrix(r);
    r->lane = c->w - 1;
}

/* Magic, version and checksum: is this a whole trace at all? */
static cw_status check_frame(const unsigned char *bytes, size_t size)
{
    uint32_t sum = 0;

    if (size < 8 || memcmp(bytes, CW_TRACE_MAGIC, 7) != 0)
        return cw_fail(CW_ERR_FORMAT, "not a trace: it does not begin with %s", CW_TRACE_MAGIC);
    if (bytes[7] != CW_TRACE_VERSION)
        return cw_fail(CW_ERR_FORMAT, "a trace of version %u; this reader knows version %u",
                       bytes[7], CW_TRACE_VERSION);
    for (size_t x = 0; x < 4 && size >= 12; x++)
        sum |= (uint32_t)bytes[size - 4 + x] << (8 * x);
    if (size < 12 || sum != cw_trace_checksum(CW_TRACE_CHECKSUM_SEED, bytes, size - 4))
        return cw_fail(CW_ERR_FORMAT, "trace damaged or cut off: its checksum is wrong");
    return CW_OK;
}

cw_status cw_trace_read_bytes(const void *bytes, size_t size, struct cw_trace_reader **out)
{
    cw_status status = check_frame((const unsigned char *)bytes, size);
    struct cw_trace_reader *r;

    *out = NULL;
    if (status)
        return status;
    r = (struct cw_trace_reader *)calloc(1, sizeof *r);
    if (!r)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    r->c.bytes = (const unsigned char *)bytes;
    r->c.size = size - 4;
    r->c.at = 8;
    r->site = "";
    read_head(r);
    status = r->c.status;
    if (status) {
        cw_trace_read_close(r);
        return status;
    }
    *out = r;
    return CW_OK;
}

static unsigned char *load(FILE *file, size_t *size)
{
    size_t room = 1 << 16, used = 0;
    unsigned char *bytes = (unsigned char *)malloc(room);

    while (bytes) {
        unsigned char *more;

        used += fread(bytes + used, 1, room - used, file);
        if (used < room)
            break;
        room *= 2;
        more = (unsigned char *)realloc(bytes, room);
        if (!more)
            free(bytes);
        bytes = more;
    }
    *size = used;
    return bytes;
}

cw_status cw_trace_read_open(const char *path, struct cw_trace_reader **out)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;
    size_t size;
    cw_status status;
    int failed;

    *out = NULL;
    if (!file)
        return cw_fail(CW_ERR_IO, "cannot read the trace %s: %s", path, strerror(errno));
    bytes = load(file, &size);
    failed = ferror(file);
    (void)fclose(file);
    if (!bytes)
        return cw_fail(CW_ERR_MEMORY, "out of memory for the trace %s", path);
    status = failed ? cw_fail(CW_ERR_IO, "cannot read the trace %s", path)
                    : cw_trace_read_bytes(bytes, size, out);
    if (status)
        free(bytes);
    else
        (*out)->owned = bytes;
    return status;
}

void cw_trace_read_close(struct cw_trace_reader *r)
{
    if (!r)
        return;
    for (uint32_t x = 0; r->areas && x < r->head.areas; x++)
        free(r->areas[x].name);
    for (uint32_t x = 0; x < r->string_count; x++)
        free(r->strings[x]);
    free(r->strings);
    free(r->areas);
    free(r->words);
    free(r->recent);
    free(r->algorithm);
    free(r->input);
    free(r->message);
    free(r->owned);
    free(r);
}

const struct cw_trace_head *cw_trace_read_head(const struct cw_trace_reader *r)
{
    return &r->head;
}

int cw_trace_read_area(const struct cw_trace_reader *r, uint32_t i, const char **text,
                       uint32_t *first, uint32_t *columns)
{
    if (i >= r->head.areas)
        return 0;
    *text = r->areas[i].name;
    *first = r->areas[i].first;
    *columns = r->areas[i].columns;
    return 1;
}

cw_word cw_trace_read_word(const struct cw_trace_reader *r, uint32_t row, uint32_t col)
{
    return r->words[(size_t)col * r->head.config.w + row] ^ r->head.junk;
}

/* ---- events -------------------------------------------------------------- */

/* Where the access is; the lane, row and column before it are the starting point. */
static void read_place(struct cw_trace_reader *r, unsigned code)
{
    const uint32_t w = r->head.config.w;
    uint64_t col = r->col;

    r->lane = (r->lane + 1) % w;
    if (!(code & CW_TRACE_NEXT_LANE))
        r->lane = (uint32_t)((r->lane + cw_cursor_within(&r->c, 1, w - 1, "a lane")) % w);
    if (code & CW_TRACE_OWN_ROW)
        r->row = r->lane;
    else
        r->row = (uint32_t)((r->row + cw_cursor_within(&r->c, 0, w - 1, "a row")) % w);
    if (!(code & CW_TRACE_SAME_COL)) {
        const uint64_t z = cw_cursor_within(&r->c, 1, UINT32_MAX, "a column");

        col += (z >> 1) ^ (0 - (z & 1));
    }
    if (col >= r->head.cols)
        cw_cursor_damaged(&r->c, "an access outside the %u columns", r->head.cols);
    else
        r->col = (uint32_t)col;
}

static void read_access(struct cw_trace_reader *r, unsigned code, struct cw_trace_event *e)
{
    const unsigned action = code & 7;
    struct recent *recent;
    cw_word *cell;

    if (code & 128 || action > CW_TRACE_WRITE) {
        cw_cursor_damaged(&r->c, "an unknown record (%u)", code);
        return;
    }
    read_place(r, code);
    cell = &r->words[(size_t)r->col * r->head.config.w + r->row];
    recent = &r->recent[r->lane];
    if (action == CW_TRACE_READ)
        e->value = *cell ^ r->head.junk;
    else if (action == CW_TRACE_WRITE)
        e->value = cw_cursor_number(&r->c);
    else
        e->value = recent->value[(recent->head - action) % CW_TRACE_RECENT];
    if (!(code & CW_TRACE_SAME_SITE))
        r->site = name(r);
    if (r->c.status)
        return;
    if (action == CW_TRACE_READ)
        recent->value[recent->head++ % CW_TRACE_RECENT] = e->value;
    else
        *cell = e->value ^ r->head.junk;
    r->accesses++;
    e->type = CW_TRACE_ACCESS;
    e->kind = action == CW_TRACE_READ ? CW_READ : CW_WRITE;
    e->lane = r->lane;
    e->row = r->row;
    e->col = r->col;
    e->site = r->site;
}

static void read_phase(struct cw_trace_reader *r, struct cw_phase *p)
{
    const uint32_t w = r->head.config.w;

    p->group.first = (uint32_t)cw_cursor_within(&r->c, 0, w - 1, "a phase's first row");
    p->group.stride = (uint32_t)cw_cursor_within(&r->c, 0, UINT32_MAX, "a phase's stride");
    p->group.rows = (uint32_t)cw_cursor_within(&r->c, 1, w, "a phase's number of rows");
    p->column = (uint32_t)cw_cursor_within(&r->c, 0, UINT32_MAX, "a phase's column");
    p->cols = (uint32_t)cw_cursor_within(&r->c, 0, UINT32_MAX, "a phase's width");
    p->name = name(r);
    if (p->group.first + (uint64_t)(p->group.rows - 1) * p->group.stride >= w)
        cw_cursor_damaged(&r->c, "a phase of rows outside the matrix");
}

static void read_end(struct cw_trace_reader *r)
{
    const uint64_t steps = cw_cursor_number(&r->c);
    const uint64_t accesses = cw_cursor_number(&r->c);

    if (steps != r->steps || accesses != r->accesses)
        cw_cursor_damaged(&r->c, "its end tells of %llu steps and %llu accesses",
                          (unsigned long long)steps, (unsigned long long)accesses);
    if (r->c.at != r->c.size)
        cw_cursor_damaged(&r->c, "something follows its end");
    r->ended = !r->c.status;
}

static void read_other(struct cw_trace_reader *r, unsigned type, struct cw_trace_event *e)
{
    e->type = (enum cw_trace_type)type;
    switch (type) {
    case CW_TRACE_STEP:
    case CW_TRACE_DEGREE:
        e->degree = type == CW_TRACE_STEP
                        ? 1
                        : (uint32_t)cw_cursor_within(&r->c, 2, UINT32_MAX, "a degree");
        e->type = CW_TRACE_DEGREE;
        r->steps += e->degree;
        r->lane = r->head.config.w - 1;
        return;
    case CW_TRACE_PHASE:
        read_phase(r, &e->phase);
        return;
    case CW_TRACE_FAULT:
        free(r->message);
        r->message = cw_cursor_string(&r->c, CW_TRACE_STRING);
        e->message = r->message;
        return;
    case CW_TRACE_END:
        read_end(r);
        return;
    default:
        cw_cursor_damaged(&r->c, "an unknown record (%u)", type);
    }
}

cw_status cw_trace_read_next(struct cw_trace_reader *r, struct cw_trace_event *event)
{
    memset(event, 0, sizeof *event);
    event->type = CW_TRACE_END;
    if (!r->ended && !r->c.status) {
        const unsigned code = cw_cursor_byte(&r->c);

        if ((code & 7) == CW_TRACE_OTHER && !r->c.status)
            read_other(r, code >> 3, event);
        else
            read_access(r, code, event);
    }
    event->steps = r->steps;
    event->accesses = r->accesses;
    return r->c.status;
}
