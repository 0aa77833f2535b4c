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
#define CHANGE_MAX (EVERY_MAX * PAD_MAX + 16 * CW_BANKS)

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

/* Wavefronts of one request; UINT32_MAX where an element leaves 4 GiB, or the shared memory that
 * all are in now. */
static uint32_t request_takes(const struct pattern *p, const struct ask *a, const struct change *c,
                              uint64_t limit)
{
    struct cw_request r = {p->bytes, 0, p->write, a->lanes, {0}};
    uint32_t ideal;

    for (uint32_t lane = 0; lane < CW_WARP; lane++) {
        uint64_t at;

        if (!(a->lanes >> lane & 1))
            continue;
        at = change_apply(c, a->index[lane]) * p->bytes;
        if (at + p->bytes > limit)
            return UINT32_MAX;
        r.at[lane] = (uint32_t)at;
    }
    return cw_wavefronts(&r, &ideal);
}

static uint64_t limit_of(const struct price *now)
{
    return now->memory <= SHARED_BYTES ? SHARED_BYTES : UINT64_C(1) << 32;
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
        struct cw_request r;

        request_of(p, &p->ask[k], &r);
        all[k].at = k;
        all[k].above = cw_wavefronts(&r, &ideal);
        all[k].above -= ideal;
    }
    qsort(all, p->count, sizeof *all, by_excess);
    *takes = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t rest = p->count - worst;
        struct cw_request r;

        sample[k] = all[k < worst ? k : worst + rest * (k - worst) / (count - worst)].at;
        request_of(p, &p->ask[sample[k]], &r);
        *takes += cw_wavefronts(&r, &ideal);
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

    for (uint32_t lane = 1; lane < CW_WARP && a->lanes & 1; lane *= 2) {
        const uint32_t from = a->index[0], to = a->index[lane];
        const uint32_t far = to > from ? to - from : from - to;

        if (a->lanes >> lane & 1 && far == x && far != 2 * before)
            return 1;
        before = a->lanes >> lane & 1 ? far : 0;
    }
    return 0;
}

static uint32_t all_paddings(const struct pattern *p, const struct price *now,
                             struct candidate *out)
{
    const uint32_t apart = 4 * CW_BANKS / p->bytes; /* elements that banks tell apart */
    const uint32_t last = (uint32_t)(now->memory / p->bytes - 1);
    uint32_t count = 0;

    for (uint32_t every = 1; every <= POWER_MAX && every <= last;
         every += every < EVERY_MAX ? 1 : every) {
        const uint32_t most = is_power(every) || PAD_MAX > apart - 1 ? apart - 1 : PAD_MAX;
        const uint32_t odd = !is_power(every) && !is_stride(&p->ask[now->worst], every);

        for (uint32_t pad = 1; pad <= most; pad++) {
            const struct change c = {every, pad, 0, 0, 0};

            out[count++] = (struct candidate){c, 0, change_apply(&c, last), odd};
        }
    }
    return count;
}

static uint32_t all_swizzles(const struct pattern *p, struct candidate *out)
{
    const uint32_t apart = 4 * CW_BANKS / p->bytes;
    uint32_t count = 0;

    for (uint32_t left = 0; 1u << left < apart; left++)
        for (uint32_t mask = 1; mask << left < apart; mask = 2 * mask + 1)
            for (uint32_t shift = left + 1; shift <= SHIFT_MAX; shift++)
                out[count++] = (struct candidate){{0, 0, shift, mask, left}, 0, 0, 0};
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

        if (c[k].takes >= best) /* and the sample is not all */
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
    const uint64_t limit = limit_of(now);
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
