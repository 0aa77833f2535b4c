/* conflicts_print.c - the answer, for people and as JSON. */
#include "conflicts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static double a_request(uint64_t wavefronts, const struct pattern *p)
{
    return (double)wavefronts / p->count;
}

static uint32_t bits(uint32_t mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

/* ---- for people ----------------------------------------------------------- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* A line for each statement, the later ones indented. */
static void print_lines(const char *text, int indent)
{
    while (strchr(text, ';') && strchr(text, ';')[1 + strspn(strchr(text, ';') + 1, " ")]) {
        const char *const end = strchr(text, ';') + 1;

        printf("%.*s\n%*s", (int)(end - text), text, indent, "");
        text = end + strspn(end, " ");
    }
    printf("%s\n", text);
}

static void print_question(const struct question *q, const struct pattern *p)
{
    const uint32_t wide = p->machine->lanes, warps = (q->threads + wide - 1) / wide;

    if (p->kernel) {
        printf("array        %s\n", p->name);
    } else {
        printf("%s        ", p->dims ? "lines" : "index");
        print_lines(q->text, 13);
    }
    if (q->only_if)
        printf("if           %s\n", q->only_if);
    printf("access       %s of %u byte%s",
           !p->writes ? "reads"
           : p->reads ? "reads and writes"
                      : "writes",
           p->wide, plural(p->wide));
    if (q->csv)
        printf(", recorded in %s\n", q->csv);
    else if (q->has_i)
        printf(", %u thread%s, i from %" PRId64 " to %" PRId64 "\n", q->threads, plural(q->threads),
               q->from, q->to - 1);
    else
        printf(", %u thread%s, %u warp%s\n", q->threads, plural(q->threads), warps, plural(warps));
}

static void print_price(const struct pattern *p, const struct price *price)
{
    if (p->machine != cw_bank_machines)
        printf("machine      %s: warps of %u lanes, %u banks\n", p->machine->name,
               p->machine->lanes, p->machine->banks);
    printf("requests     %u\n", p->count);
    printf("wavefronts   %" PRIu64 ", %.4g a request, %u in the worst\n", price->wavefronts,
           a_request(price->wavefronts, p), price->worst_takes);
    printf("ideal        %" PRIu64 "\n", price->ideal);
    printf("excess       %" PRIu64 "\n", price->wavefronts - price->ideal);
    printf("memory       %" PRIu64 " bytes%s", price->memory,
           p->dims && p->size[0] ? "" : " up to the last one");
    if (price->memory > p->machine->shared)
        printf(", more than a block's %u KB", p->machine->shared / 1024);
    printf("\n\n");
}

static void print_worst(const struct question *q, const struct pattern *p,
                        const struct price *price)
{
    const struct ask *const a = &p->ask[price->worst];
    struct collision c[COLLISIONS_MAX];
    struct cw_lanes_request r;
    uint32_t count;
    int idle;

    request_of(p, a, &r);
    idle = (uint32_t)__builtin_popcountll(r.lanes) < p->machine->lanes;
    count = collisions_of(p->machine, &r, c);
    printf("the worst request, ");
    if (q->csv)
        printf("number %" PRIu64, (uint64_t)a->name);
    else if (q->has_i)
        printf("warp %u, i = %" PRId64, a->warp, a->name);
    else
        printf("warp %u", a->warp);
    if (p->kernel)
        printf(", line %zu", p->line_of[a->access]);
    else if (p->accesses > 1)
        printf(", access %u of %u", a->access + 1, p->accesses);
    for (uint32_t k = 0; k < a->loops; k++)
        printf("%s%u", k ? "." : ", round ", a->round[k] + 1);
    printf(": %u wavefront%s, ideal %u\n", price->worst_takes, plural(price->worst_takes),
           price->worst_ideal);
    if (count)
        print_collisions(c, count);
    else if (price->wavefronts > price->ideal)
        printf("  no bank is asked for two words at a time: lanes that do not ask cost it\n");
    printf("\n");
    print_picture(p->machine, &r, c, count);
    printf("  o asks that bank%s%s\n",
           count ? ", # asks it for another word than others: one waits" : "",
           idle ? "; - idle" : "");
}

static void print_memory(uint64_t before, uint64_t after)
{
    if (before == after)
        printf("no more memory");
    else
        printf("%" PRIu64 " bytes %s", before < after ? after - before : before - after,
               before < after ? "more" : "less");
}

static void print_change(const struct fix *f, const struct pattern *p)
{
    const struct change *const c = &f->change;

    if (*f->is)
        printf("%s instead of %s", f->is, f->was);
    else if (c->every)
        printf("pad %u element%s after every %u", c->pad, plural(c->pad), c->every);
    else if (p->dims > 1)
        printf("swizzle the last subscript");
    else if (bits(c->mask) == 1)
        printf("swizzle, bit %u into bit %u", c->shift, c->left);
    else
        printf("swizzle, bits %u-%u into bits %u-%u", c->shift, c->shift + bits(c->mask) - 1,
               c->left, c->left + bits(c->mask) - 1);
}

static void print_fix(const char *label, const struct fix *f, const struct pattern *p,
                      const struct price *now, const char *now_text)
{
    printf("%s: ", label);
    print_change(f, p);
    printf(": %" PRIu64 " wavefront%s, not %" PRIu64 "; ", f->price.wavefronts,
           plural(f->price.wavefronts), now->wavefronts);
    print_memory(now->memory, f->price.memory);
    printf("\n");
    if (p->kernel) {
        print_changed(now_text, f->text);
    } else {
        printf("     ");
        print_lines(f->text, 5);
    }
    if (f->price.wavefronts > f->price.ideal)
        printf("     (%.4g a request: the fewest that were found, not the ideal)\n",
               a_request(f->price.wavefronts, p));
}

static void print_fixes(const struct question *q, const struct pattern *p,
                        const struct price *price, const struct fixes *f)
{
    if (price->wavefronts == price->ideal) {
        printf("no fix needed: %" PRIu64 " wavefront%s, the ideal\n%s", price->wavefronts,
               plural(price->wavefronts), p->arrays > 1 ? "" : "\n");
    } else if (!f->best.found) {
        printf("fix: none found, in %u paddings and %u swizzles%s\n\n", f->paddings, f->swizzles,
               f->unwritten ? " (one that is too long to write)" : "");
    } else {
        print_fix("fix", &f->best, p, price, q->text);
        if (f->other.found && f->other.price.wavefronts == f->best.price.wavefronts)
            print_fix(" or", &f->other, p, price, q->text);
        printf("\n");
    }
}

/* The answer first: what to change; then what it costs now, and why. */
void conflicts_print(const struct question *q, const struct pattern *p, const struct price *price,
                     const struct fixes *f)
{
    if (p->arrays > 1)
        printf("%s, array %u of %u%s", p->name, q->array + 1, p->arrays,
               price->wavefronts == price->ideal ? ": " : "\n");
    print_fixes(q, p, price, f);
    print_notes(q, p);
    if (p->arrays > 1 && price->wavefronts == price->ideal)
        return; /* nothing to see */
    print_question(q, p);
    print_price(p, price);
    print_accesses(q, p);
    print_worst(q, p, price);
}

/* ---- JSON ----------------------------------------------------------------- */

static void json_price(struct json *j, const struct price *price)
{
    json_number(j, "wavefronts", price->wavefronts);
    json_number(j, "ideal", price->ideal);
    json_number(j, "excess", price->wavefronts - price->ideal);
    json_number(j, "memory", price->memory);
}

static void json_collision(struct json *j, const struct collision *c)
{
    json_open(j, NULL, '{');
    json_number(j, "bank", c->bank);
    json_open(j, "lanes", '[');
    for (uint32_t lane = 0; lane < CW_LANES_MAX; lane++)
        if (c->lanes >> lane & 1)
            json_number(j, NULL, lane);
    json_close(j, ']');
    json_open(j, "words", '[');
    for (uint32_t k = 0; k < c->count; k++)
        json_number(j, NULL, c->word[k]);
    json_close(j, ']');
    json_close(j, '}');
}

static void json_worst(struct json *j, const struct question *q, const struct pattern *p,
                       const struct price *price)
{
    const struct ask *const a = &p->ask[price->worst];
    struct collision c[COLLISIONS_MAX];
    struct cw_lanes_request r;
    uint32_t count;

    request_of(p, a, &r);
    count = collisions_of(p->machine, &r, c);
    json_open(j, "worst", '{');
    if (q->csv)
        json_number(j, "request", (uint64_t)a->name);
    else
        json_number(j, "warp", a->warp);
    if (p->accesses > 1)
        json_number(j, "access", a->access);
    if (q->has_i)
        json_real(j, "i", (double)a->name);
    if (a->loops) {
        json_open(j, "rounds", '[');
        for (uint32_t k = 0; k < a->loops; k++)
            json_number(j, NULL, a->round[k]);
        json_close(j, ']');
    }
    json_number(j, "wavefronts", price->worst_takes);
    json_number(j, "ideal", price->worst_ideal);
    json_open(j, "collisions", '[');
    for (uint32_t k = 0; k < count; k++)
        json_collision(j, &c[k]);
    json_close(j, ']');
    json_close(j, '}');
}

static void json_fix(struct json *j, const char *key, const struct fix *f)
{
    const struct change *const c = &f->change;

    if (!f->found) {
        json_text(j, key, NULL);
        return;
    }
    json_open(j, key, '{');
    json_text(j, "kind", c->every ? "padding" : "swizzle");
    json_text(j, "expression", f->text);
    if (*f->is)
        json_text(j, "array", f->is);
    json_price(j, &f->price);
    json_number(j, c->every ? "every" : "shift", c->every ? c->every : c->shift);
    json_number(j, c->every ? "pad" : "mask", c->every ? c->pad : c->mask);
    if (!c->every)
        json_number(j, "left", c->left);
    json_close(j, '}');
}

void conflicts_json(struct json *j, const struct question *q, const struct pattern *p,
                    const struct price *price, const struct fixes *f)
{
    json_open(j, NULL, '{');
    json_text(j, "expression", q->text);
    json_text(j, "machine", p->machine->name);
    json_text(j, "access", !p->writes ? "read" : p->reads ? "read and write" : "write");
    json_number(j, "bytes", p->bytes);
    json_number(j, "requests", p->count);
    json_price(j, price);
    json_worst(j, q, p, price);
    json_fix(j, "fix", &f->best);
    json_fix(j, "other_fix", &f->other);
    if (p->kernel) {
        json_text(j, "array", p->name);
        json_accesses(j, p);
        json_notes(j, q, p);
    }
    json_close(j, '}');
}
