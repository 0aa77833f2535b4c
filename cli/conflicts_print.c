/* conflicts_print.c - the answer, for people and as JSON. */
#include "conflicts.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

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

static void print_question(const struct question *q, const struct pattern *p)
{
    const uint32_t warps = (q->threads + CW_WARP - 1) / CW_WARP;

    printf("index        %s\n", q->text);
    printf("access       %s of %u bytes", p->write ? "writes" : "reads", p->bytes);
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
    printf("requests     %u\n", p->count);
    printf("wavefronts   %" PRIu64 ", %.4g a request, %u in the worst\n", price->wavefronts,
           a_request(price->wavefronts, p), price->worst_takes);
    printf("ideal        %" PRIu64 "\n", price->ideal);
    printf("excess       %" PRIu64 "\n", price->wavefronts - price->ideal);
    printf("memory       %" PRIu64 " bytes up to the last one%s\n\n", price->memory,
           price->memory > SHARED_BYTES ? ", more than a block's 227 KB" : "");
}

static void print_worst(const struct question *q, const struct pattern *p,
                        const struct price *price)
{
    const struct ask *const a = &p->ask[price->worst];
    struct collision c[COLLISIONS_MAX];
    struct cw_request r;
    uint32_t count;

    request_of(p, a, &r);
    count = collisions_of(&r, c);
    printf("the worst request, ");
    if (q->csv)
        printf("number %" PRIu64, (uint64_t)a->name);
    else if (q->has_i)
        printf("warp %u, i = %" PRId64, a->warp, a->name);
    else
        printf("warp %u", a->warp);
    printf(": %u wavefront%s, ideal %u\n", price->worst_takes, plural(price->worst_takes),
           price->worst_ideal);
    if (count)
        print_collisions(c, count);
    else if (price->wavefronts > price->ideal)
        printf("  no bank is asked for two words at a time: lanes that do not ask cost it\n");
    printf("\n");
    print_picture(&r, c, count);
    printf("  o asks that bank%s%s\n\n",
           count ? ", # asks it for another word than others: one waits" : "",
           r.lanes == UINT32_MAX ? "" : "; - idle");
}

static void print_memory(uint64_t before, uint64_t after)
{
    if (before == after)
        printf("no more memory");
    else
        printf("%" PRIu64 " bytes %s", before < after ? after - before : before - after,
               before < after ? "more" : "less");
}

static void print_fix(const char *label, const struct fix *f, const struct pattern *p,
                      const struct price *now)
{
    const struct change *const c = &f->change;

    printf("%s: ", label);
    if (c->every)
        printf("pad %u element%s after every %u", c->pad, plural(c->pad), c->every);
    else if (bits(c->mask) == 1)
        printf("swizzle, bit %u into bit %u", c->shift, c->left);
    else
        printf("swizzle, bits %u-%u into bits %u-%u", c->shift, c->shift + bits(c->mask) - 1,
               c->left, c->left + bits(c->mask) - 1);
    printf(": %" PRIu64 " wavefront%s, ", f->price.wavefronts, plural(f->price.wavefronts));
    print_memory(now->memory, f->price.memory);
    printf("\n     %s\n", f->text);
    if (f->price.wavefronts > f->price.ideal)
        printf("     (%.4g a request: the fewest that were found, not the ideal)\n",
               a_request(f->price.wavefronts, p));
}

void conflicts_print(const struct question *q, const struct pattern *p, const struct price *price,
                     const struct fixes *f)
{
    print_question(q, p);
    print_price(p, price);
    print_worst(q, p, price);
    if (price->wavefronts == price->ideal) {
        printf("no fix needed\n");
    } else if (!f->best.found) {
        printf("fix: none found, in %u paddings and %u swizzles%s\n", f->paddings, f->swizzles,
               f->unwritten ? " (one that is too long to write)" : "");
    } else {
        print_fix("fix", &f->best, p, price);
        if (f->other.found && f->other.price.wavefronts == f->best.price.wavefronts)
            print_fix(" or", &f->other, p, price);
    }
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
    for (uint32_t lane = 0; lane < CW_WARP; lane++)
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
    struct cw_request r;
    uint32_t count;

    request_of(p, a, &r);
    count = collisions_of(&r, c);
    json_open(j, "worst", '{');
    if (q->csv)
        json_number(j, "request", (uint64_t)a->name);
    else
        json_number(j, "warp", a->warp);
    if (q->has_i)
        json_real(j, "i", (double)a->name);
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
    json_price(j, &f->price);
    json_number(j, c->every ? "every" : "shift", c->every ? c->every : c->shift);
    json_number(j, c->every ? "pad" : "mask", c->every ? c->pad : c->mask);
    if (!c->every)
        json_number(j, "left", c->left);
    json_close(j, '}');
}

void conflicts_json(const struct question *q, const struct pattern *p, const struct price *price,
                    const struct fixes *f)
{
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_text(&j, "expression", q->text);
    json_text(&j, "access", p->write ? "write" : "read");
    json_number(&j, "bytes", p->bytes);
    json_number(&j, "requests", p->count);
    json_price(&j, price);
    json_worst(&j, q, p, price);
    json_fix(&j, "fix", &f->best);
    json_fix(&j, "other_fix", &f->other);
    json_close(&j, '}');
    printf("\n");
}
