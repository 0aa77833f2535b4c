/* result_file.c - what a run leaves: its result, to a file or on the screen, and its trace as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy.h"
#include "files/output.h"
#include "base/status.h"
#include "machine/trace/trace.h"
#include "paper/inputs.h"
#include "run.h"

/* ---- a file, line by line ------------------------------------------------------------------- */

#define ROOM 65536u

/* Text gathers in memory and goes to the file by 64 KiB. */
struct text {
    struct cw_output out;
    cw_status status;
    uint64_t at;
    size_t used;
    char bytes[ROOM];
};

static void text_flush(struct text *t)
{
    if (!t->status)
        t->status = cw_output_write(&t->out, t->bytes, t->used, t->at);
    t->at += t->used;
    t->used = 0;
}

static void text_add(struct text *t, const char *words)
{
    const size_t length = strlen(words);

    if (t->used + length > ROOM)
        text_flush(t);
    if (length <= ROOM) {
        memcpy(t->bytes + t->used, words, length);
        t->used += length;
    }
}

static cw_status text_open(const char *path, struct text **out)
{
    struct text *const t = (struct text *)calloc(1, sizeof *t);
    cw_status status;

    *out = NULL;
    if (!t)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %s", path);
    status = cw_output_open(path, &t->out);
    if (status)
        free(t);
    else
        *out = t;
    return status;
}

/* The file takes its name if all went well. */
static cw_status text_close(struct text *t, cw_status status)
{
    text_flush(t);
    if (!status)
        status = t->status;
    if (!status)
        status = cw_output_commit(&t->out);
    else
        cw_output_drop(&t->out);
    free(t);
    return status;
}

/* ---- the result --------------------------------------------------------------------------------- */

/* A sort's items are a sequence; what pads it stands at its end, and is left out.  Others leave a
 * matrix of the places that its items came from, or of its items. */
static uint64_t numbers(const struct result *x, const struct request *r)
{
    return x->alg->problem == CW_SORT ? r->w * r->m - x->padding : r->w * r->m;
}

/* A transposition's output is told column by column, its result row by row. */
static uint64_t number_at(const struct result *x, const struct request *r, uint64_t i)
{
    if (x->alg->problem == CW_TRANSPOSE)
        i = i % r->m * r->w + i / r->m;
    return cw_problem_has_labels(x->alg->problem) ? CW_ITEM_PAYLOAD(x->items[i]) : x->items[i];
}

static cw_status npy_write(const char *path, const struct result *x, const struct request *r)
{
    const uint64_t n = numbers(x, r);
    const int flat = x->alg->problem == CW_SORT;
    const struct cw_npy head = {
        .type = CW_U64, .dims = flat ? 1 : 2, .rows = flat ? 1 : r->w, .length = flat ? n : r->m};
    unsigned char bytes[CW_NPY_ROOM];
    const size_t begin = cw_npy_make(&head, bytes);
    struct cw_output out;
    cw_status status = cw_output_open(path, &out);

    if (status)
        return status;
    status = cw_output_write(&out, bytes, begin, 0);
    for (uint64_t i = 0; i < n && !status;) {
        uint64_t some[512], k = 0;

        for (; k < 512 && i + k < n; k++)
            some[k] = number_at(x, r, i + k);
        status = cw_output_write(&out, some, k * sizeof *some, begin + i * sizeof *some);
        i += k;
    }
    if (!status)
        return cw_output_commit(&out);
    cw_output_drop(&out);
    return status;
}

static cw_status lines_write(const char *path, const struct result *x, const struct request *r)
{
    const uint64_t n = numbers(x, r);
    struct text *t;
    cw_status status = text_open(path, &t);

    if (status)
        return status;
    for (uint64_t i = 0; i < n && !t->status; i++) {
        char word[32];

        snprintf(word, sizeof word, "%" PRIu64 "%c", number_at(x, r, i),
                 (i + 1) % r->m && i + 1 < n ? ' ' : '\n');
        text_add(t, word);
    }
    return text_close(t, CW_OK);
}

cw_status result_write(const struct result *x, const struct request *r)
{
    const size_t length = strlen(r->output);
    const int npy = length >= 4 && !strcmp(r->output + length - 4, ".npy");

    return npy ? npy_write(r->output, x, r) : lines_write(r->output, x, r);
}

void result_show(const struct result *x, const struct request *r)
{
    const uint64_t n = numbers(x, r);

    for (uint64_t i = 0; i < n; i++)
        printf("%" PRIu64 "%c", number_at(x, r, i), (i + 1) % r->m && i + 1 < n ? ' ' : '\n');
}

void result_show_json(struct json *j, const struct result *x, const struct request *r)
{
    json_open(j, "result", '[');
    for (uint64_t i = 0; i < numbers(x, r); i++)
        json_number(j, NULL, number_at(x, r, i));
    json_close(j, ']');
}

/* ---- the trace ------------------------------------------------------------------------------------ */

static void event_text(struct text *t, const struct cw_trace_event *e, int first)
{
    char words[160];

    switch (e->type) {
    case CW_TRACE_ACCESS:
        snprintf(words, sizeof words, "%s%" PRIu32 "%s(%" PRIu32 ",%" PRIu32 ")=%" PRIu64,
                 first ? "" : " ", e->lane, e->kind == CW_READ ? "r" : "w", e->row, e->col,
                 e->value);
        text_add(t, words);
        break;
    case CW_TRACE_STEP:
    case CW_TRACE_DEGREE:
        if (e->degree > 1) {
            snprintf(words, sizeof words, " x%" PRIu32, e->degree);
            text_add(t, words);
        }
        text_add(t, "\n");
        break;
    case CW_TRACE_PHASE:
        snprintf(words, sizeof words,
                 "# after step %" PRIu64 ", rows %" PRIu32 " +%" PRIu32 " x%" PRIu32 ": ", e->steps,
                 e->phase.group.first, e->phase.group.stride, e->phase.group.rows);
        text_add(t, words);
        text_add(t, e->phase.name);
        text_add(t, "\n");
        break;
    case CW_TRACE_FAULT:
        text_add(t, first ? "# " : "\n# ");
        text_add(t, e->message);
        text_add(t, "\n");
        break;
    default:
        break;
    }
}

/* A phase is told in the step in which its last row comes: its line waits for the end of that. */
static cw_status events_text(struct cw_trace_reader *r, struct text *t)
{
    struct cw_trace_event e, phases[16];
    uint32_t waiting = 0;
    int first = 1;
    cw_status status;

    while (!(status = cw_trace_read_next(r, &e)) && e.type != CW_TRACE_END) {
        if (e.type == CW_TRACE_PHASE && !first && waiting < 16) {
            phases[waiting++] = e;
            continue;
        }
        event_text(t, &e, first);
        first = e.type != CW_TRACE_ACCESS;
        for (uint32_t k = 0; first && k < waiting; k++)
            event_text(t, &phases[k], 1);
        waiting = first ? 0 : waiting;
    }
    return status;
}

cw_status trace_to_text(const char *from, const char *path)
{
    struct cw_trace_reader *r;
    const struct cw_trace_head *head;
    struct text *t;
    char words[200];
    cw_status status = cw_trace_read_open(from, &r);

    if (status)
        return status;
    status = text_open(path, &t);
    if (!status) {
        head = cw_trace_read_head(r);
        snprintf(words, sizeof words,
                 "# %.60s, %" PRIu32 " x %" PRIu32 " of %" PRIu32
                 " columns, input %.60s, seed %" PRIu64 "\n",
                 head->algorithm, head->config.w, head->config.m, head->cols, head->input,
                 head->seed);
        text_add(t, words);
        text_add(t, "# a line is a step: processor, r or w, (row,column) = value; xK: it cost K\n");
        status = text_close(t, events_text(r, t));
    }
    cw_trace_read_close(r);
    return status;
}
