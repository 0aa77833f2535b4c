/* kernel_run.c - the steps of a kernel, for one thread. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/code.h"
#include "expr/kernel.h"

#define STEPS_MAX 1000000u /* of a thread */

struct thread {
    struct cw_program *p;
    const char *text;
    int64_t value[CW_PROGRAM_NAMES + CW_PROGRAM_LOCALS];
    unsigned char known[CW_PROGRAM_NAMES + CW_PROGRAM_LOCALS];
    uint32_t loops;
    uint32_t round[CW_PROGRAM_LOOPS];
    unsigned char last[CW_PROGRAM_LOOPS]; /* this round is the last: the end is unknown */
    struct cw_expr_error *error;
};

void cw_program_note(struct cw_program *p, size_t at, const char *format, ...)
{
    struct cw_note *const n = &p->note[p->notes];
    va_list args;

    for (uint32_t k = 0; k < p->notes; k++)
        if (p->note[k].at == at)
            return;
    if (p->notes == CW_PROGRAM_NOTES)
        return;
    p->notes++;
    n->at = at;
    va_start(args, format);
    vsnprintf(n->text, sizeof n->text, format, args);
    va_end(args);
}

const char *cw_note_cause(const struct cw_note *n)
{
    return n->text + (strncmp(n->text, "left out: ", 10) ? 0 : 10);
}

/* A name of e without a value; NULL: all have one. */
static const struct cw_instruction *unknown_in(const struct thread *t, const struct cw_expr *e)
{
    for (uint32_t k = 0; e && k < e->count; k++)
        if (e->code[k].op == OP_NAME && !t->known[e->code[k].value])
            return &e->code[k];
    return NULL;
}

static int is_known(const struct thread *t, const struct cw_expr *e)
{
    return e && !unknown_in(t, e);
}

/* What C leaves undefined is unknown here. */
static void set(struct thread *t, const struct cw_step *s)
{
    const uint32_t k = t->p->given + s->which;
    int64_t x = 0;

    t->known[k] = is_known(t, s->e) && !cw_expr_eval(s->e, t->value, &x, t->error);
    t->value[k] = x;
}

/* *jumps: go on at the label, not with the next step. */
static cw_status unless(struct thread *t, const struct cw_step *s, int *jumps)
{
    const int length = (int)(s->text.length < 40 ? s->text.length : 40);
    int64_t x = 1;

    *jumps = s->if_unknown;
    if (is_known(t, s->e)) {
        const cw_status status = cw_expr_eval(s->e, t->value, &x, t->error);

        *jumps = x == 0;
        return status;
    }
    if (s->ends_loop) {
        t->last[t->loops - 1] = 1;
        cw_program_note(t->p, s->text.at, "'%.*s' is not known: the loop is run once", length,
                        t->text + s->text.at);
    } else {
        cw_program_note(t->p, s->text.at, "'%.*s' is not known: taken as %s", length,
                        t->text + s->text.at, s->if_unknown ? "false" : "true");
    }
    return CW_OK;
}

/* Leave out an access of which a subscript is unknown. */
static int leave_out(struct thread *t, const struct cw_access *a)
{
    for (uint32_t d = 0; d < a->dims; d++) {
        const struct cw_instruction *const c = unknown_in(t, a->index[d]);

        if (!c)
            continue;
        cw_program_note(t->p, a->at, "left out: '%s' is not known here: -D may give it a value",
                        t->p->names[c->value].text[0] ? t->p->names[c->value].text
                                                      : t->p->local[c->value - t->p->given].name);
        return 1;
    }
    return 0;
}

static cw_status ask(struct thread *t, const struct cw_step *s,
                     cw_status (*asked)(void *, const struct cw_asked *), void *to)
{
    const struct cw_access *const a = &t->p->access[s->which];
    struct cw_asked what = {s->which, t->loops, {0}, 0};
    int64_t holds = 1;
    cw_status status;

    if (t->p->condition && is_known(t, t->p->condition) &&
        cw_expr_eval(t->p->condition, t->value, &holds, t->error)) {
        t->error->at = SIZE_MAX;
        return CW_ERR_ARGUMENT;
    }
    if (!holds || leave_out(t, a))
        return CW_OK;
    memcpy(what.round, t->round, sizeof what.round);
    status = cw_program_locate(t->p, a, t->value, &what.index, t->error);
    return status ? status : asked(to, &what);
}

cw_status cw_expr_kernel_run(struct cw_program *p, const int64_t *values, const char *text,
                             cw_status (*asked)(void *to, const struct cw_asked *what), void *to,
                             struct cw_expr_error *error)
{
    struct thread t = {.p = p, .text = text, .error = error};
    uint32_t left = STEPS_MAX;
    cw_status status = CW_OK;

    for (uint32_t k = 0; k < p->given + p->locals; k++) {
        t.known[k] = k < p->given || p->local[k - p->given].constant;
        t.value[k] = k < p->given ? values[k] : p->local[k - p->given].is;
    }
    for (uint32_t pc = 0; pc < p->steps && !status; left--) {
        const struct cw_step *const s = &p->step[pc++];
        int jumps = s->kind == STEP_JUMP;

        if (left == 0) {
            error->at = s->text.at;
            snprintf(error->text, sizeof error->text, "more than %u steps: does this loop end?",
                     STEPS_MAX);
            return CW_ERR_ARGUMENT;
        }
        if (s->kind == STEP_SET) {
            set(&t, s);
        } else if (s->kind == STEP_ASK) {
            status = s->which == UINT32_MAX ? CW_OK : ask(&t, s, asked, to);
        } else if (s->kind == STEP_UNLESS) {
            status = unless(&t, s, &jumps);
        } else if (s->kind == STEP_ENTER) {
            t.loops = s->which + 1;
            t.round[s->which] = t.last[s->which] = 0;
        } else if (s->kind == STEP_NEXT) {
            t.round[t.loops - 1]++;
            jumps = !t.last[t.loops - 1];
        } else if (s->kind == STEP_LEAVE) {
            t.loops = s->which;
            memset(t.round + t.loops, 0, (CW_PROGRAM_LOOPS - t.loops) * sizeof t.round[0]);
        }
        if (jumps)
            pc = s->to;
    }
    return status;
}

void cw_expr_kernel_free(struct cw_program *p)
{
    for (uint32_t k = 0; k < p->steps; k++)
        cw_expr_free(p->step[k].e);
    free(p->step);
}
