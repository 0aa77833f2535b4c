/* conflicts_fix.c - a change of layout as an expression, priced anew from its text.
 *
 * What is offered is what the user can paste: the text is parsed and evaluated for every lane of
 * every request like any other, and its price is the one that is told.
 */
#include "conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* The user's expression comes twice, in parentheses unless it binds tightly enough; the first not
 * with a -, as it would be taken for an option.  NULL: no memory. */
static char *expression(const struct question *q, const struct change *c)
{
    const enum cw_expr_level level = expression_level(q, q->text);
    const int bare = level >= (c->every ? CW_EXPR_SUM : CW_EXPR_UNARY) && q->text[0] != '-';
    const int bare_inside = level >= (c->every ? CW_EXPR_PRODUCT : CW_EXPR_UNARY);
    const size_t size = 2 * strlen(q->text) + 64;
    char *const out = (char *)malloc(size);
    char by[32] = "", times[32] = "";

    if (!out)
        return NULL;
    if (c->every > 1)
        snprintf(by, sizeof by, " / %u", c->every);
    if (c->pad > 1)
        snprintf(times, sizeof times, " * %u", c->pad);
    if (c->left)
        snprintf(times, sizeof times, " << %u", c->left);
    if (c->every)
        snprintf(out, size, "%s%s%s + %s%s%s%s%s", bare ? "" : "(", q->text, bare ? "" : ")",
                 bare_inside ? "" : "(", q->text, bare_inside ? "" : ")", by, times);
    else
        snprintf(out, size, "%s%s%s ^ %s(%s%s%s >> %u & %u)%s%s", bare ? "" : "(", q->text,
                 bare ? "" : ")", c->left ? "(" : "", bare ? "" : "(", q->text, bare ? "" : ")",
                 c->shift, c->mask, times, c->left ? ")" : "");
    return out;
}

/* Price what the text says; it must say what was found. */
static int verify(const struct question *q, const struct price *now, struct fix *f, int *unwritten)
{
    struct pattern p;
    struct trouble why;
    const int status = pattern_make(q, f->text, &p, &why);

    if (status == USAGE) { /* wrapped once more it is too long or too deep */
        *unwritten = 1;
        return DONE;
    }
    if (status)
        return complain(FAILED, "%s", why.error.text);
    pattern_price(&p, &f->price);
    pattern_free(&p);
    f->found = f->price.wavefronts < now->wavefronts;
    return DONE;
}

static int find(const struct question *q, const struct pattern *p, const struct price *now,
                int swizzle, uint32_t *tried, int *unwritten, struct fix *f)
{
    const int found = search_change(p, now, swizzle, &f->change, tried);

    if (found == 0)
        return DONE;
    if (found > 0)
        f->text = expression(q, &f->change);
    if (!f->text)
        return complain(FAILED, "out of memory");
    return verify(q, now, f, unwritten);
}

/* The one that takes fewer wavefronts; of equals the padding, as it is the plainer one, unless it
 * takes more than an eighth of the memory in addition. */
static int swizzle_is_better(const struct fix *padding, const struct fix *swizzle,
                             const struct price *now)
{
    if (!padding->found || !swizzle->found)
        return swizzle->found;
    if (padding->price.wavefronts != swizzle->price.wavefronts)
        return swizzle->price.wavefronts < padding->price.wavefronts;
    return padding->price.memory > now->memory + now->memory / 8 &&
           swizzle->price.memory < padding->price.memory;
}

int fixes_find(const struct question *q, const struct pattern *p, const struct price *now,
               struct fixes *out)
{
    int status;

    memset(out, 0, sizeof *out);
    if (now->wavefronts == now->ideal)
        return DONE;
    status = find(q, p, now, 0, &out->paddings, &out->unwritten, &out->best);
    if (!status)
        status = find(q, p, now, 1, &out->swizzles, &out->unwritten, &out->other);
    if (swizzle_is_better(&out->best, &out->other, now)) {
        const struct fix padding = out->best;

        out->best = out->other;
        out->other = padding;
    }
    return status;
}

void fixes_free(struct fixes *f)
{
    free(f->best.text);
    free(f->other.text);
}
