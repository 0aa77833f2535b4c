/* kernel_read.c - statements of a kernel become steps; kernel.h says what they mean. */
#include "expr/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "expr/kernel_parts.h"

/* ---- statements ------------------------------------------------------------------ */

void kernel_forget(struct kernel *k, uint32_t from)
{
    struct cw_program *const p = k->r.program;

    for (uint32_t l = from; l < p->locals; l++)
        p->names[p->given + l].text = "";
}

static void block(struct kernel *k, size_t limit)
{
    const size_t open = k->r.p.at, close = kernel_closing(k, open, limit);
    const uint32_t locals = k->r.program->locals;

    if (close == limit)
        cw_parser_fail(&k->r.p, open, "no '}' for this '{'");
    for (k->r.p.at = open + 1; !k->r.p.failed && k->r.p.at < close;) {
        k->r.p.length = close;
        if (cw_parser_next(&k->r.p) >= 0)
            kernel_statement(k, close);
    }
    kernel_forget(k, locals);
    k->r.p.length = limit;
    k->r.p.at = close + 1;
}

static void jump_statement(struct kernel *k, uint32_t label, size_t end, size_t from)
{
    kernel_expressions(k, from, end);
    if (label != NO_LABEL)
        kernel_jump(k, STEP_JUMP, label);
    k->r.p.at = end + 1;
}

/* "float f(int x) {" up to the brace at `open`. */
static void function(struct kernel *k, size_t open, size_t limit)
{
    const uint32_t locals = k->r.program->locals, on_return = k->on_return;
    const struct cw_span nothing = {open, 0};
    size_t at = k->r.p.at, from = open, to = open;

    while ((at = kernel_find(k, at, open, "(")) < open) {
        from = at + 1;
        to = kernel_closing(k, at, open);
        at = to + 1;
    }
    k->on_return = kernel_label(k);
    kernel_parameters(k, from, to);
    k->r.p.at = open;
    block(k, limit);
    kernel_place(k, k->on_return);
    (void)kernel_emit(k, STEP_LEAVE, k->loops, NULL, nothing);
    kernel_forget(k, locals);
    k->on_return = on_return;
}

/* "<int N, typename T>" behind template, passed. */
static void template_parameters(struct kernel *k, size_t limit)
{
    const size_t at = k->r.p.at;
    size_t end = at;
    int deep = 0;

    for (; end < limit; end++) {
        deep += (k->r.p.text[end] == '<') - (k->r.p.text[end] == '>');
        if (deep == 0 && k->r.p.text[end] == '>')
            break;
    }
    if (end == limit)
        cw_parser_fail(&k->r.p, at, "no '>' for template");
    else
        kernel_parameters(k, at + 1, end);
    k->r.p.at = end + 1;
}

/* 1 if a word began a statement of its own kind, passed. */
static int keyword(struct kernel *k, struct cw_span s, size_t limit)
{
    static const char *const passed[] = {"struct", "union", "enum", "class"};
    static const struct {
        const char *name;
        void (*read)(struct kernel *, size_t);
    } kinds[] = {{"if", kernel_if},
                 {"for", kernel_for},
                 {"while", kernel_while},
                 {"do", kernel_do},
                 {"template", template_parameters}};
    const size_t end = kernel_find(k, s.at, limit, ";"), behind = s.at + s.length;

    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (kernel_is(k, s, kinds[n].name)) {
            k->r.p.at = behind;
            (void)cw_parser_next(&k->r.p);
            kinds[n].read(k, limit);
            return 1;
        }
    for (size_t n = 0; n < sizeof passed / sizeof *passed; n++)
        if (kernel_is(k, s, passed[n]) && kernel_find(k, s.at, end, "{") < end) {
            k->r.p.at = end + 1;
            return 1;
        }
    if (kernel_is(k, s, "return"))
        jump_statement(k, k->on_return, end, behind);
    else if (kernel_is(k, s, "break"))
        jump_statement(k, k->on_break, end, end);
    else if (kernel_is(k, s, "continue"))
        jump_statement(k, k->on_continue, end, end);
    else if (kernel_is(k, s, "using") || kernel_is(k, s, "typedef"))
        kernel_type_statement(k, s, end);
    else if (kernel_is(k, s, "switch") || kernel_is(k, s, "goto"))
        cw_parser_fail(&k->r.p, s.at, "%s is not known: write it with if",
                       kernel_is(k, s, "goto") ? "goto" : "switch");
    else
        return 0;
    k->r.p.at = end + 1;
    return 1;
}

static void other(struct kernel *k, size_t limit)
{
    const size_t at = k->r.p.at, open = kernel_find(k, at, limit, "{;=");
    size_t end;

    if (open < limit && k->r.p.text[open] == '{') {
        if (kernel_find(k, at, open, "(") < open)
            function(k, open, limit);
        else
            k->r.p.at = open; /* extern "C", namespace x */
        return;
    }
    end = kernel_find(k, at, limit, ";");
    if (end < limit && strchr(")]}", k->r.p.text[end])) {
        cw_parser_fail(&k->r.p, end, "'%c' without its opening bracket", k->r.p.text[end]);
        return;
    }
    kernel_simple(k, at, end);
    k->r.p.at = end + 1;
}

void kernel_statement(struct kernel *k, size_t limit)
{
    int c;

    k->r.p.length = limit;
    c = cw_parser_next(&k->r.p);
    if (c < 0)
        return;
    if (++k->nest > KERNEL_NEST) {
        cw_parser_fail(&k->r.p, k->r.p.at, "too deep: more than %u levels", KERNEL_NEST);
    } else if (c == '{') {
        block(k, limit);
    } else if (c == '#') {
        kernel_directive(k);
    } else if (c == ';') {
        k->r.p.at++;
    } else if (!keyword(k, kernel_word_at(k, k->r.p.at, limit), limit)) {
        other(k, limit);
    }
    k->nest--;
    k->r.p.length = limit;
    if (k->r.p.at > limit) /* a semicolon is missing at the end */
        k->r.p.at = limit;
}

/* ---- the whole -------------------------------------------------------------------- */

/* Labels become steps. */
static void link_steps(struct kernel *k)
{
    struct cw_program *const p = k->r.program;

    for (uint32_t s = 0; s < p->steps; s++)
        if (p->step[s].kind == STEP_UNLESS || p->step[s].kind == STEP_JUMP ||
            p->step[s].kind == STEP_NEXT)
            p->step[s].to = k->label[p->step[s].to];
}

/* Keep what is asked of one array. */
static void choose(struct kernel *k, uint32_t which)
{
    struct cw_program *const p = k->r.program;
    size_t names[CW_PROGRAM_ACCESSES];
    uint32_t to[CW_PROGRAM_ACCESSES], kept = 0;

    for (uint32_t a = 0; a < p->accesses; a++) {
        uint32_t n = 0;

        while (n < p->arrays && names[n] != p->access[a].name.at)
            n++;
        if (n == p->arrays)
            names[p->arrays++] = p->access[a].name.at;
        to[a] = n == which ? kept++ : UINT32_MAX;
        if (n != which)
            for (uint32_t d = 0; d < CW_PROGRAM_DIMS; d++)
                cw_expr_free(p->access[a].index[d]);
        else
            p->access[to[a]] = p->access[a];
    }
    p->accesses = kept;
    for (uint32_t a = 0; a < k->r.arrays && kept; a++)
        if (k->r.declared[a].name.at == p->access[0].name.at)
            p->array = k->r.declared[a];
    for (uint32_t s = 0; s < p->steps; s++)
        if (p->step[s].kind == STEP_ASK)
            p->step[s].which = to[p->step[s].which];
}

static void no_access(struct kernel *k)
{
    const struct cw_program *const p = k->r.program;

    if (p->notes)
        cw_parser_fail(&k->r.p, p->note[0].at, "%s", cw_note_cause(&p->note[0]));
    else
        cw_parser_fail(&k->r.p, k->r.p.length,
                       "no access to shared memory: which element does a thread ask for?");
}

cw_status cw_expr_kernel_read(struct cw_program *p, const char *text, size_t length, uint32_t which,
                              struct cw_expr_error *error)
{
    struct kernel *const k = (struct kernel *)calloc(1, sizeof *k);
    cw_status status;

    p->step = (struct cw_step *)malloc(64 * sizeof *p->step);
    if (!k || !p->step) {
        free(k);
        return CW_ERR_MEMORY;
    }
    k->r.program = p;
    k->r.most = CW_READER_ARRAYS;
    k->r.source = text;
    k->r.p = (struct cw_parser){text, length, 0, p->names, NULL, CW_EXPR_INT, 0, 0, 0, error};
    k->room = 64;
    k->defined = p->locals;
    k->on_break = k->on_continue = NO_LABEL;
    k->on_return = kernel_label(k);
    while (!k->r.p.failed && cw_parser_next(&k->r.p) >= 0) {
        kernel_statement(k, length);
        k->r.p.length = length;
    }
    kernel_place(k, k->on_return);
    if (!k->r.p.failed && p->accesses == 0)
        no_access(k);
    if (!k->r.p.failed) {
        link_steps(k);
        choose(k, which);
    }
    status = k->r.p.failed ? CW_ERR_ARGUMENT : CW_OK;
    free(k);
    return status;
}
