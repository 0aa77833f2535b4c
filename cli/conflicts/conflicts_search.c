/* conflicts_search.c - the change of layout with the fewest wavefronts.
 *
 * Two kinds, both one to one, so that no two elements come to lie at one place:
 *
 *   padding   x + x / P * Q: Q elements are left out after every P.  Block x / P moves as a whole,
 *             and blocks stay apart, since they move by multiples of Q in their order.
 *   swizzle   x ^ ((x >> a & mask) << b) with a > b: each bit is changed by higher bits only, so
 *             they can be undone from the highest down.
 *
 * All changes are priced on a sample of the requests: the worst, and some spread over all.  In the
 * order of that price they are then priced on all requests, until WORK requests were looked at.
 * Of equal prices, paddings by a P that means something go first, a power of two or a stride of the
 * access: others may be free by accident, for these lanes only.  Then less memory, then a smaller
 * Q.  Of swizzles the one that changes fewer bits, by nearer ones.
 */
#include "conflicts.h"

#include <stdlib.h>

#define EVERY_MAX  1024u /* P; powers of two go on to POWER_MAX */
#define POWER_MAX  32768u
#define PAD_MAX    8u /* Q; beside a power of two it goes as far as banks tell apart */
#define SHIFT_MAX  20u
#define SAMPLE     64u
#define WORK       (1u << 20)
#define CHANGE_MAX (EVERY_MAX * 16 + 16 * 256)

struct candidate {
    struct change change;
    uint64_t takes;  /* wavefronts of the sample */
    uint64_t memory; /* padding: where the last element goes */
    uint32_t odd;    /* padding: P is neither a power of two nor a stride */
};

uint64_t change_apply(const struct change *c, uint32_t x)
{
    if (c->every)
        return x + (uint64_t)(x / c->every) * c->pad;
    return x ^ ((x >> c->shift & c->mask) << c->left);
}

/* ---- the price of a change ------------------------------------------------ */

/* Elements x .. x + more, asked for at once, that do not lie together any more, or not at a multiple of their bytes. */
static int torn(const struct change *c, uint32_t x, uint64_t at, uint32_t more)
{
    return at % (more + 1) || change_apply(c, x + more) != at + more;
}

/* Wavefronts of one request; UINT32_MAX where an element leaves 4 GiB, or the shared memory that
 * all are in now. */
static uint32_t request_takes(const struct pattern *p, const struct ask *a, const struct change *c,
                              uint64_t limit)
{
    struct cw_lanes_request r = {a->bytes, a->write, a->lanes, {0}};
    const uint32_t more = a->bytes > p->bytes ? a->bytes / p->bytes - 1 : 0;
    uint32_t ideal;

    for (uint32_t lane = 0; lane < p->machine->lanes; lane++) {
        uint64_t at;

        if (!(a->lanes >> lane & 1))
            continue;
        at = change_apply(c, a->index[lane]) * p->bytes;
        if (at + a->offset + a->bytes > limit ||
            (more && torn(c, a->index[lane], at / p->bytes, more)))
            return UINT32_MAX;
        r.at[lane] = (uint32_t)at + a->offset;
    }
    return cw_bank_wavefronts(p->machine, &r, &ideal);
}

/* A swizzle stays inside an array of known size. */
static uint64_t limit_of(const struct pattern *p, const struct price *now, int swizzle)
{
    if (swizzle && p->dims && p->size[0])
        return now->memory;
    return now->memory <= p->machine->shared ? p->machine->shared : UINT64_C(1) << 32;
}

/* ---- the sample ----------------------------------------------------------- */

struct excess {
    uint32_t above, at; /* wavefronts above the ideal, of which request */
};

static int by_excess(const void *a, const void *b)
{
    const struct excess *const x = (const struct excess *)a, *const y = (const struct excess *)b;

    if (x->above != y->above)
        return x->above > y->above ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* At most SAMPLE requests: all, or half of them the worst and half spread over the others.  Returns
 * how many; *takes: their wavefronts now. */
static uint32_t take_sample(const struct pattern *p, struct excess *all, uint32_t *sample,
                            uint64_t *takes)
{
    const uint32_t count = p->count < SAMPLE ? p->count : SAMPLE;
    const uint32_t worst = p->count > SAMPLE ? SAMPLE / 2 : count;
    uint32_t ideal;

    for (uint32_t k = 0; k < p->count; k++) {
        struct cw_lanes_request r;

        request_of(p, &p->ask[k], &r);
        all[k].at = k;
        all[k].above = cw_bank_wavefronts(p->machine, &r, &ideal);
        all[k].above -= ideal;
    }
    qsort(all, p->count, sizeof *all, by_excess);
    *takes = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t rest = p->count - worst;
        struct cw_lanes_request r;

        sample[k] = all[k < worst ? k : worst + rest * (k - worst) / (count - worst)].at;
        request_of(p, &p->ask[sample[k]], &r);
        *takes += cw_bank_wavefronts(p->machine, &r, &ideal);
    }
    return count;
}

/* ---- the changes ---------------------------------------------------------- */

static int is_power(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

/* Is x how far lane 1, 2, 4, 8 or 16 is from lane 0, and not only the lane before going on? */
static int is_stride(const struct ask *a, uint32_t x)
{
    uint64_t before = 0;

    for (uint32_t lane = 1; lane < 32 && a->lanes & 1; lane *= 2) {
        const uint32_t from = a->index[0], to = a->index[lane];
        const uint32_t far = to > from ? to - from : from - to;

        if (a->lanes >> lane & 1 && far == x && far != 2 * before)
            return 1;
        before = a->lanes >> lane & 1 ? far : 0;
    }
    return 0;
}

/* Elements that banks tell apart. */
static uint32_t apart_of(const struct pattern *p)
{
    return 4 * p->machine->banks / p->bytes;
}

static uint32_t add_paddings(uint32_t every, uint32_t most, uint32_t step, uint32_t odd,
                             uint32_t last, struct candidate *out)
{
    for (uint32_t pad = 1; pad <= most; pad++) {
        const struct change c = {every, pad * step, 0, 0, 0};

        out[pad - 1] = (struct candidate){c, 0, change_apply(&c, last), odd};
    }
    return most;
}

/* A size of the array but the first one grows: t[32][33].  Rows of size[d] .. are then followed by
 * some more of what size[d] counts. */
static uint32_t larger_sizes(const struct pattern *p, uint32_t last, struct candidate *out)
{
    const uint32_t most = apart_of(p) < 64 ? apart_of(p) : 64;
    uint64_t inside = 1;
    uint32_t count = 0;

    for (uint32_t d = p->dims - 1; d > 0; d--) {
        const uint64_t every = inside * p->size[d];

        count += add_paddings((uint32_t)every, most, (uint32_t)inside, 0, last, out + count);
        inside = every;
    }
    return count;
}

static uint32_t all_paddings(const struct pattern *p, const struct price *now,
                             struct candidate *out)
{
    const uint32_t apart = apart_of(p), last = (uint32_t)(now->memory / p->bytes - 1);
    uint32_t count = 0;

    if (p->dims > 1)
        return larger_sizes(p, last, out);
    for (uint32_t every = 1; every <= POWER_MAX && every <= last;
         every += every < EVERY_MAX ? 1 : every) {
        const uint32_t most = is_power(every) || PAD_MAX > apart - 1 ? apart - 1 : PAD_MAX;
        const uint32_t odd = !is_power(every) && !is_stride(&p->ask[now->worst], every);

        count += add_paddings(every, most, 1, odd, last, out + count);
    }
    return count;
}

/* Can the subscripts of the array say it: the last one changed by the one before it? */
static int is_sayable(const struct pattern *p, const struct change *c)
{
    uint64_t wide, rows, from;

    if (p->dims < 2)
        return 1;
    wide = p->size[p->dims - 1];
    rows = p->size[p->dims - 2];
    from = (uint64_t)1 << c->shift; /* the lowest bit that it looks at, as so many elements */
    if (wide & (wide - 1) || from < wide || (uint64_t)c->mask << c->left >= wide)
        return 0;
    return p->dims == 2 || (!(rows & (rows - 1)) && (uint64_t)c->mask << c->shift < wide * rows);
}

static uint32_t all_swizzles(const struct pattern *p, struct candidate *out)
{
    const uint32_t apart = apart_of(p);
    uint32_t count = 0;

    for (uint32_t left = 0; 1u << left < apart; left++) {
        for (uint32_t mask = 1; mask << left < apart; mask = 2 * mask + 1) {
            for (uint32_t shift = left + 1; shift <= SHIFT_MAX; shift++) {
                const struct change c = {0, 0, shift, mask, left};

                if (is_sayable(p, &c))
                    out[count++] = (struct candidate){c, 0, 0, 0};
            }
        }
    }
    return count;
}

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_price(const void *a, const void *b)
{
    const struct candidate *const x = (const struct candidate *)a;
    const struct candidate *const y = (const struct candidate *)b;
    const struct change *const c = &x->change, *const d = &y->change;
    const int orders[] = {order(x->takes, y->takes),   order(x->odd, y->odd),
                          order(x->memory, y->memory), order(c->pad, d->pad),
                          order(c->every, d->every),   order(c->mask, d->mask),
                          order(c->shift, d->shift),   order(c->left, d->left)};

    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        if (orders[k])
            return orders[k];
    return 0;
}

/* ---- the search ----------------------------------------------------------- */

/* Price all on the sample; keep those that take less than now.  Returns how many. */
static uint32_t screen(const struct pattern *p, const uint32_t *sample, uint32_t count,
                       uint64_t now, uint64_t limit, struct candidate *c, uint32_t candidates)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < candidates; k++) {
        uint64_t takes = 0;

        for (uint32_t x = 0; x < count && takes < now; x++)
            takes += request_takes(p, &p->ask[sample[x]], &c[k].change, limit);
        c[k].takes = takes;
        if (takes < now)
            c[kept++] = c[k];
    }
    qsort(c, kept, sizeof *c, by_price);
    return kept;
}

/* Of those, the one that takes fewest on all requests, if fewer than now. */
static int settle(const struct pattern *p, const struct price *now, uint64_t limit,
                  const struct candidate *c, uint32_t candidates, struct change *out)
{
    uint64_t best = now->wavefronts, work = 0;
    int found = 0;

    for (uint32_t k = 0; k < candidates && work < WORK; k++) {
        uint64_t takes = 0;
        uint32_t x;

        if (c[k].takes >= best || best <= now->ideal) /* the sample is not all */
            break;
        for (x = 0; x < p->count && takes < best; x++)
            takes += request_takes(p, &p->ask[x], &c[k].change, limit);
        work += x;
        if (takes < best) {
            best = takes;
            *out = c[k].change;
            found = 1;
        }
    }
    return found;
}

int search_change(const struct pattern *p, const struct price *now, int swizzle, struct change *out,
                  uint32_t *tried)
{
    const uint64_t limit = limit_of(p, now, swizzle);
    struct candidate *const c = (struct candidate *)malloc(CHANGE_MAX * sizeof *c);
    struct excess *const all = (struct excess *)malloc(p->count * sizeof *all);
    uint32_t sample[SAMPLE];
    int found = -1;

    if (c && all) {
        uint64_t takes;
        const uint32_t count = take_sample(p, all, sample, &takes);
        uint32_t kept;

        *tried = swizzle ? all_swizzles(p, c) : all_paddings(p, now, c);
        kept = screen(p, sample, count, takes, limit, c, *tried);
        found = settle(p, now, limit, c, kept, out);
    }
    free(c);
    free(all);
    return found;
}
