/* result_file.c - what a run leaves: its result, to a file or on the screen, and its trace as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "files/array_file.h"
#include "files/bytes.h"
#include "files/npy.h"
#include "files/output.h"
#include "base/status.h"
#include "machine/trace/trace.h"
#include "paper/inputs.h"
#include "run.h"

static void text_add(struct cw_output *to, const char *words)
{
    cw_output_append(to, words, strlen(words));
}

/* ---- the result --------------------------------------------------------------------------------- */

/* A sort's items are a sequence, and so are those of a permutation that do not fill the matrix; what pads
 * them stands at the end, and is left out.  Others leave a matrix of the places that its items came from,
 * or of its items. */
static uint64_t numbers(const struct result *x, const struct request *r)
{
    return r->w * r->m - x->padding;
}

/* A transposition's output is told column by column, its result row by row. */
static uint64_t number_at(const struct result *x, const struct request *r, uint64_t i)
{
    if (x->alg->problem == CW_TRANSPOSE)
        i = i % r->m * r->w + i / r->m;
    return cw_problem_has_labels(x->alg->problem) ? CW_ITEM_PAYLOAD(x->items[i]) : x->items[i];
}

static void npy_write(const struct result *x, const struct request *r)
{
    const uint64_t n = numbers(x, r);
    const int flat = x->alg->problem == CW_SORT || x->padding;
    const struct cw_npy head = {
        .type = CW_U64, .dims = flat ? 1 : 2, .rows = flat ? 1 : r->w, .length = flat ? n : r->m};
    unsigned char bytes[CW_NPY_ROOM];

    cw_output_append(r->result_to, bytes, cw_npy_make(&head, bytes));
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t number = number_at(x, r, i);

        cw_output_append(r->result_to, &number, sizeof number);
    }
}

static void lines_write(const struct result *x, const struct request *r)
{
    const uint64_t n = numbers(x, r);

    for (uint64_t i = 0; i < n; i++) {
        char word[32];

        snprintf(word, sizeof word, "%" PRIu64 "%c", number_at(x, r, i),
                 (i + 1) % r->m && i + 1 < n ? ' ' : '\n');
        text_add(r->result_to, word);
    }
}

void result_write(const struct result *x, const struct request *r)
{
    if (cw_npy_name(r->output))
        npy_write(x, r);
    else
        lines_write(x, r);
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

static void event_text(struct cw_output *t, const struct cw_trace_event *e, int first)
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
static cw_status events_text(struct cw_trace_reader *r, struct cw_output *t)
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

static cw_status trace_text(struct cw_trace_reader *r, struct cw_output *to)
{
    const struct cw_trace_head *const head = cw_trace_read_head(r);
    char words[200];

    snprintf(words, sizeof words,
             "# %.60s, %" PRIu32 " x %" PRIu32 " of %" PRIu32 " columns, input %.60s, seed %" PRIu64
             "\n",
             head->algorithm, head->config.w, head->config.m, head->cols, head->input, head->seed);
    text_add(to, words);
    text_add(to, "# a line is a step: processor, r or w, (row,column) = value; xK: it cost K\n");
    return events_text(r, to);
}

cw_status trace_to_text(const struct cw_output *recorded, struct cw_output *to)
{
    const size_t size = (size_t)cw_output_appended(recorded);
    unsigned char *const bytes = (unsigned char *)malloc(size + 1);
    struct cw_trace_reader *r = NULL;
    cw_status status;

    if (!bytes)
        return cw_fail(CW_ERR_MEMORY, "out of memory for the trace as text");
    status = cw_read_at(recorded->fd, recorded->path, bytes, size, 0);
    if (!status)
        status = cw_trace_read_bytes(bytes, size, &r);
    if (!status)
        status = trace_text(r, to);
    cw_trace_read_close(r);
    free(bytes);
    return status;
}
