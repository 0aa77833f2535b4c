/* kernel_control.c - conditions and loops of a kernel. */
#include "expr/kernel_parts.h"

/* "( .. )" at the next byte, passed: what is inside. */
static struct cw_span parentheses(struct kernel *k, size_t limit)
{
    struct cw_span s = {0, 0};
    size_t close;

    k->r.p.length = limit;
    if (cw_parser_next(&k->r.p) != '(') {
        cw_parser_unexpected(&k->r.p, "'('");
        return s;
    }
    close = kernel_closing(k, k->r.p.at, limit);
    s.at = k->r.p.at + 1;
    if (close == limit) {
        cw_parser_fail(&k->r.p, k->r.p.at, "no ')' for this '('");
        return s;
    }
    s.length = close - s.at;
    k->r.p.at = close + 1;
    return s;
}

static int word_follows(struct kernel *k, const char *text, size_t limit)
{
    k->r.p.length = limit;
    (void)cw_parser_next(&k->r.p);
    return kernel_is(k, kernel_word_at(k, k->r.p.at, limit), text);
}

/* Does the statement at hand only leave: return; break; or a block that ends so? */
static int leaves(struct kernel *k, size_t limit)
{
    size_t at, end;
    struct cw_span s;

    k->r.p.length = limit;
    at = cw_parser_next(&k->r.p) == '{' ? k->r.p.at + 1 : k->r.p.at;
    end = cw_parser_next(&k->r.p) == '{' ? kernel_closing(k, k->r.p.at, limit) : limit;
    do {
        s = kernel_trim(k, at, end);
        s = kernel_word_at(k, s.at, end);
        if (kernel_is(k, s, "return") || kernel_is(k, s, "break") || kernel_is(k, s, "continue"))
            return 1;
        at = kernel_find(k, at, end, ";") + 1;
    } while (end < limit && at < end);
    return 0;
}

void kernel_if(struct kernel *k, size_t limit)
{
    const uint32_t otherwise = kernel_label(k), before = k->r.program->steps;
    const uint32_t accesses = k->r.program->accesses;
    const struct cw_span s = word_follows(k, "constexpr", limit)
                                 ? (k->r.p.at += 9, parentheses(k, limit))
                                 : parentheses(k, limit);
    const size_t body = k->r.p.at;
    uint32_t first;

    if (k->r.p.failed)
        return;
    kernel_unless(k, s.at, s.at + s.length, otherwise, leaves(k, limit), 0);
    first = k->r.program->steps;
    k->r.p.at = body;
    kernel_statement(k, limit);
    if (!k->r.p.failed && word_follows(k, "else", limit)) {
        const uint32_t behind = kernel_label(k);

        k->r.p.at += 4;
        kernel_jump(k, STEP_JUMP, behind);
        kernel_place(k, otherwise);
        kernel_statement(k, limit);
        kernel_place(k, behind);
        return;
    }
    if (first == k->r.program->steps && accesses == k->r.program->accesses)
        kernel_undo(k, before); /* nothing depends on it */
    kernel_place(k, otherwise);
}

/* Where a loop begins and ends: labels, and what break and continue meant outside. */
struct loop {
    uint32_t top, next, end, on_break, on_continue;
};

static struct loop enter(struct kernel *k)
{
    const struct loop l = {kernel_label(k), kernel_label(k), kernel_label(k), k->on_break,
                           k->on_continue};
    const struct cw_span nothing = {k->r.p.at, 0};

    if (k->loops == CW_PROGRAM_LOOPS)
        cw_parser_fail(&k->r.p, k->r.p.at, "more than %u loops inside each other",
                       CW_PROGRAM_LOOPS);
    (void)kernel_emit(k, STEP_ENTER, k->loops++, NULL, nothing);
    kernel_place(k, l.top);
    k->on_break = l.end;
    k->on_continue = l.next;
    return l;
}

static void leave(struct kernel *k, const struct loop *l)
{
    const struct cw_span nothing = {k->r.p.at, 0};

    kernel_jump(k, STEP_NEXT, l->top);
    kernel_place(k, l->end);
    (void)kernel_emit(k, STEP_LEAVE, --k->loops, NULL, nothing);
    k->on_break = l->on_break;
    k->on_continue = l->on_continue;
}

void kernel_for(struct kernel *k, size_t limit)
{
    const uint32_t locals = k->r.program->locals;
    const struct cw_span s = parentheses(k, limit);
    const size_t end = s.at + s.length, body = k->r.p.at;
    const size_t first = kernel_find(k, s.at, end, ";");
    const size_t second = first < end ? kernel_find(k, first + 1, end, ";") : end;
    struct loop l;

    if (second == end)
        cw_parser_fail(&k->r.p, s.at, "a loop has three parts: for (int k = 0; k < 8; k++)");
    if (k->r.p.failed)
        return;
    kernel_simple(k, s.at, first);
    k->r.p.at = body;
    l = enter(k);
    kernel_unless(k, kernel_trim(k, first + 1, second).at, second, l.end, 0, 1);
    k->r.p.at = body;
    kernel_statement(k, limit);
    {
        const size_t at = k->r.p.at;

        kernel_place(k, l.next);
        kernel_expressions(k, second + 1, end);
        k->r.p.at = at;
    }
    leave(k, &l);
    kernel_forget(k, locals);
}

void kernel_while(struct kernel *k, size_t limit)
{
    const struct cw_span s = parentheses(k, limit);
    const size_t body = k->r.p.at;
    const struct loop l = enter(k);

    kernel_unless(k, s.at, s.at + s.length, l.end, 0, 1);
    k->r.p.at = body;
    kernel_statement(k, limit);
    kernel_place(k, l.next);
    leave(k, &l);
}

void kernel_do(struct kernel *k, size_t limit)
{
    const struct loop l = enter(k);
    struct cw_span s;
    size_t at;

    kernel_statement(k, limit);
    if (!word_follows(k, "while", limit))
        cw_parser_unexpected(&k->r.p, "'while'");
    if (k->r.p.failed)
        return;
    k->r.p.at += 5;
    s = parentheses(k, limit);
    at = k->r.p.at;
    kernel_place(k, l.next);
    kernel_unless(k, s.at, s.at + s.length, l.end, 0, 1);
    k->r.p.at = at;
    leave(k, &l);
}
