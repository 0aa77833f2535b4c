/* conflicts_fix.c - changes of layout, each priced anew from its text.
 *
 * What is offered is what the user can paste: the text is parsed and evaluated for every lane of
 * every request like any other, and its price is the one that is told.
 */
#include "conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

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
        f->text = changed_text(q, p, f);
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
