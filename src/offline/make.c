/* make.c - make a plan: recognise the map, or fill in tables.
 *
 * A table plan is a partition of the items by destination whose every move was worked out before:
 *
 *      level 0     items in order of source, in tiles; a bucket is `fan` tiles of destinations.
 *                  Items of a tile are sorted by bucket, stably, and each run goes to its bucket.
 *      level 1     the same inside each bucket of level 0, to buckets of one tile each
 *      last        items of a bucket of one tile go to their places
 *
 * One level does if its runs are not too short: their mean is tile^2 / n items.  Nakano's matrix
 * of rows and columns needs a colouring of n edges to keep its passes regular; a partition needs
 * none, since a permutation fills buckets exactly, and its runs are as long on any input: a tile
 * has at most as many runs as there are buckets.  Two passes replace his three up to 2^29 bytes.
 *
 * Time: two reads of the index and one write of a place a level, by threads, a tile at a time;
 * all else is in a core's cache.  Space: 4 bytes an item besides the plan with two levels, or if
 * the index has to be turned around (a gather), or has 8 bytes.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/status.h"
#include "offline/plan.h"

#define NONE         UINT32_MAX
#define SHARE        16384u              /* items that a thread takes at a time */
#define GATHER_BYTES ((uint64_t)1 << 24) /* up to these a gather from the L2 is as fast; */
#define GATHER_ITEMS ((uint64_t)1 << 22) /* .. up to twice these if they are not more items */

/* What is known while a plan is made. */
struct making {
    cw_plan *plan;
    const void *given;
    size_t given_bytes; /* of an index */
    struct cw_team *team;
    uint32_t *own[3]; /* memory to be freed */
    uint32_t owned;
};

static uint64_t given_at(const struct making *m, uint64_t i)
{
    return m->given_bytes == 4 ? ((const uint32_t *)m->given)[i] : ((const uint64_t *)m->given)[i];
}

static uint32_t *make_room(struct making *m)
{
    uint32_t *const p = (uint32_t *)malloc((m->plan->n + 1) * sizeof *p);

    if (p)
        m->own[m->owned++] = p;
    else
        (void)cw_fail(CW_ERR_MEMORY, "a plan of %llu items", (unsigned long long)m->plan->n);
    return p;
}

/* ---- what was given ------------------------------------------------------------------------- */

/* Name the first index that is out of range or was there before. */
static cw_status name_offender(const struct making *m)
{
    const uint64_t n = m->plan->n;
    uint64_t *seen = (uint64_t *)calloc(n / 64 + 1, sizeof *seen);
    cw_status status = seen ? CW_OK : cw_fail(CW_ERR_LABEL, "not a permutation");

    for (uint64_t i = 0; i < n && !status; i++) {
        const uint64_t x = given_at(m, i);

        if (x >= n)
            status = cw_fail(CW_ERR_LABEL, "index %llu is %llu: out of range, there are %llu",
                             (unsigned long long)i, (unsigned long long)x, (unsigned long long)n);
        else if (seen[x / 64] >> x % 64 & 1u)
            status = cw_fail(CW_ERR_LABEL, "index %llu is %llu, which was there before",
                             (unsigned long long)i, (unsigned long long)x);
        else
            seen[x / 64] |= (uint64_t)1 << x % 64;
    }
    free(seen);
    return status ? status : cw_fail(CW_ERR_INTERNAL, "a permutation that is none");
}

/* Loops over all items. */
struct items {
    struct making *m;
    const uint32_t *index;
    uint32_t *out;
    _Atomic int bad; /* set if some item is */
};

static void run_items(struct items *items, cw_share *body)
{
    cw_team_run(items->m->team, cw_team_threads(items->m->team), (size_t)items->m->plan->n, SHARE,
                body, items);
}

static void tell_bad(struct items *items, int bad)
{
    if (bad)
        atomic_store_explicit(&items->bad, 1, memory_order_relaxed);
}

static void look_at_some(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    const uint32_t *const in = (const uint32_t *)items->m->given;
    const uint64_t n = items->m->plan->n;
    int bad = 0;

    (void)thread;
    for (; i < end; i++)
        bad |= in[i] >= n;
    tell_bad(items, bad);
}

static void narrow_some(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    const uint64_t *const in = (const uint64_t *)items->m->given;
    const uint64_t n = items->m->plan->n;
    int bad = 0;

    (void)thread;
    for (; i < end; i++) {
        bad |= in[i] >= n;
        items->out[i] = (uint32_t)in[i];
    }
    tell_bad(items, bad);
}

static void clear_some(void *user, size_t i, size_t end, unsigned thread)
{
    const struct items *const items = (const struct items *)user;

    (void)thread;
    memset(items->out + i, 0xff, (end - i) * sizeof *items->out); /* NONE */
}

/* Two threads may write one place, if the index is no permutation. */
static void invert_some(void *user, size_t i, size_t end, unsigned thread)
{
    const struct items *const items = (const struct items *)user;
    _Atomic uint32_t *const out = (_Atomic uint32_t *)items->out;

    (void)thread;
    for (; i < end; i++)
        atomic_store_explicit(&out[items->index[i]], (uint32_t)i, memory_order_relaxed);
}

static void find_none(void *user, size_t i, size_t end, unsigned thread)
{
    struct items *const items = (struct items *)user;
    int bad = 0;

    (void)thread;
    for (; i < end; i++)
        bad |= items->out[i] == NONE;
    tell_bad(items, bad);
}

/* As 32-bit numbers, all of them in range; NULL with a status. */
static const uint32_t *narrow(struct making *m, cw_status *status)
{
    uint32_t *const copy = m->given_bytes == 8 ? make_room(m) : NULL;
    struct items items = {m, NULL, copy, 0};

    if (m->given_bytes == 8 && !copy) {
        *status = CW_ERR_MEMORY;
        return NULL;
    }
    run_items(&items, copy ? narrow_some : look_at_some);
    *status = items.bad ? name_offender(m) : CW_OK;
    return items.bad ? NULL : copy ? copy : (const uint32_t *)m->given;
}

/* The inverse; if a value is there twice, another is not, and its place stays NONE. */
static const uint32_t *inverse(struct making *m, const uint32_t *index, cw_status *status)
{
    uint32_t *const out = make_room(m);
    struct items items = {m, index, out, 0};

    if (!out) {
        *status = CW_ERR_MEMORY;
        return NULL;
    }
    run_items(&items, clear_some);
    run_items(&items, invert_some);
    run_items(&items, find_none);
    *status = items.bad ? name_offender(m) : CW_OK;
    return items.bad ? NULL : out;
}

/* ---- levels --------------------------------------------------------------------------------- */

/* x / size for x below 2^31, by a multiplication: 2^(32 + k) / size rounded up, 2^k <= size, is too
 * large by less than 1, which adds less than x / 2^(32 + k) < 1 / size. */
struct divider {
    uint64_t factor;
    uint32_t shift;
};

static struct divider divide_by(uint64_t size)
{
    struct divider d = {0, 32};

    while (size >> (d.shift - 31))
        d.shift++;
    d.factor = (((uint64_t)1 << d.shift) + size - 1) / size;
    return d;
}

static uint32_t quotient(struct divider d, uint32_t x)
{
    return (uint32_t)(x * d.factor >> d.shift);
}

struct moving {
    const cw_plan *plan;
    const struct cw_plan_level *level;
    struct divider by;
    const uint32_t *to; /* destinations, in the order of this level's input */
    uint16_t *places;
    uint32_t *next;    /* .. of its output, or */
    uint16_t *last;    /* places of the last pass */
    uint32_t *scratch; /* 2 * buckets numbers for each thread */
};

static void count_tile(const struct moving *m, uint32_t t)
{
    const struct cw_plan_level *const l = m->level;
    const uint32_t begin = t / l->group * l->group * m->plan->tile;
    const uint32_t *const to = m->to + (size_t)t * m->plan->tile;
    const uint32_t items = cw_plan_count(m->plan, t);
    uint16_t *const count = l->counts + (size_t)t * l->buckets;

    for (uint32_t i = 0; i < items; i++)
        count[quotient(m->by, to[i] - begin)]++;
}

/* at[b]: the next place in the run of bucket b; base[b]: where place 0 goes. */
static void move_tile(const struct moving *m, uint32_t t, uint32_t *at, uint32_t *base)
{
    const struct cw_plan_level *const l = m->level;
    const uint32_t begin = t / l->group * l->group * m->plan->tile;
    const size_t here = (size_t)t * m->plan->tile;
    const uint16_t *const count = l->counts + (size_t)t * l->buckets;
    const uint32_t items = cw_plan_count(m->plan, t);
    uint32_t r = l->first[t], sum = 0;

    for (uint32_t b = 0; b < l->buckets; b++) {
        at[b] = sum;
        sum += count[b];
        if (count[b])
            base[b] = l->bases[r++];
    }
    for (uint32_t i = 0; i < items; i++) {
        const uint32_t to = m->to[here + i];
        const uint32_t b = quotient(m->by, to - begin);
        const uint32_t place = at[b]++;

        m->places[here + i] = (uint16_t)place;
        if (m->next)
            m->next[base[b] + place] = to;
        else
            m->last[base[b] + place] = (uint16_t)(to - begin - b * m->plan->tile);
    }
}

static void count_tiles(void *user, size_t t, size_t end, unsigned thread)
{
    (void)thread;
    for (; t < end; t++)
        count_tile((const struct moving *)user, (uint32_t)t);
}

static void move_tiles(void *user, size_t t, size_t end, unsigned thread)
{
    const struct moving *const m = (const struct moving *)user;
    uint32_t *const mine = m->scratch + (size_t)thread * 2u * m->level->buckets;

    for (; t < end; t++)
        move_tile(m, (uint32_t)t, mine, mine + m->level->buckets);
}

static cw_status make_level(struct making *m, uint32_t k, const uint32_t **to)
{
    cw_plan *const plan = m->plan;
    struct cw_plan_level *const l = &plan->level[k];
    const unsigned threads = cw_team_threads(m->team);
    const int last = k + 1 == plan->parts;
    struct moving move = {plan,
                          l,
                          divide_by((uint64_t)l->fan * plan->tile),
                          *to,
                          plan->places[k],
                          last ? NULL : make_room(m),
                          last ? plan->places[k + 1] : NULL,
                          (uint32_t *)malloc(threads * 2u * l->buckets * sizeof(uint32_t))};
    cw_status status;

    if (!move.scratch || (!last && !move.next)) {
        free(move.scratch);
        return cw_fail(CW_ERR_MEMORY, "a plan of %llu items", (unsigned long long)plan->n);
    }
    cw_team_run(m->team, threads, plan->tiles, 1, count_tiles, &move);
    status = cw_plan_lay(plan, k);
    if (!status)
        cw_team_run(m->team, threads, plan->tiles, 1, move_tiles, &move);
    free(move.scratch);
    *to = move.next;
    return status == CW_ERR_LABEL ? name_offender(m) : status;
}

struct stray {
    const cw_plan *plan;
    uint32_t pass;
    _Atomic uint32_t found; /* 1 + the last tile that is no permutation */
};

static void look_for_stray(void *user, size_t t, size_t end, unsigned thread)
{
    struct stray *const s = (struct stray *)user;
    const cw_plan *const plan = s->plan;

    (void)thread;
    for (; t < end; t++) {
        const uint16_t *const place = plan->places[s->pass] + t * plan->tile;
        const uint32_t items = cw_plan_count(plan, (uint32_t)t);
        uint64_t seen[65536 / 64] = {0};
        uint32_t bad = 0, found = atomic_load(&s->found);

        for (uint32_t i = 0; i < items; i++) {
            bad |= place[i] >= items || (seen[place[i] / 64] >> place[i] % 64 & 1u);
            seen[place[i] / 64] |= (uint64_t)1 << place[i] % 64;
        }
        while (bad && found < t + 1 &&
               !atomic_compare_exchange_weak(&s->found, &found, (uint32_t)t + 1))
            continue;
    }
}

uint32_t cw_plan_stray(const cw_plan *plan, uint32_t pass, struct cw_team *team)
{
    struct stray s = {plan, pass, 0};

    cw_team_run(team, cw_team_threads(team), plan->tiles, 4, look_for_stray, &s);
    return s.found;
}

static cw_status make_passes(struct making *m, const uint32_t *to)
{
    cw_plan *const plan = m->plan;
    cw_status status = CW_OK;

    if (!plan->parts) {
        for (uint64_t i = 0; i < plan->n; i++)
            plan->places[0][i] = (uint16_t)to[i];
    }
    for (uint32_t k = 0; k < plan->parts && !status; k++)
        status = make_level(m, k, &to);
    if (!status && cw_plan_stray(plan, plan->parts, m->team))
        status = name_offender(m);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static cw_status make_gather(struct making *m, const uint32_t *index, int gather)
{
    cw_plan *const plan = m->plan;
    cw_status status;
    const uint32_t *from = inverse(m, index, &status); /* finds what is there twice, too */

    if (status)
        return status;
    plan->index = (uint32_t *)malloc((plan->n + 1) * sizeof *plan->index);
    if (!plan->index)
        return cw_fail(CW_ERR_MEMORY, "an index of %llu", (unsigned long long)plan->n);
    memcpy(plan->index, gather ? index : from, plan->n * sizeof *plan->index);
    return CW_OK;
}

/* Is a gather as fast as passes?  As measured on an H200: while items stay in the L2, and of odd
 * sizes of more than 8 bytes, which passes move in parts. */
static int gather_wins(const cw_plan *plan)
{
    const uint64_t bytes = plan->n * plan->bytes;

    return bytes <= GATHER_BYTES || (bytes <= 2 * GATHER_BYTES && plan->n <= GATHER_ITEMS) ||
           (plan->bytes > 8 && plan->bytes < 16);
}

static cw_status fill(struct making *m, int gather, const struct cw_plan_wish *wish)
{
    cw_plan *const plan = m->plan;
    cw_status status;
    const uint32_t *index = narrow(m, &status);

    if (status)
        return status;
    if (!wish->table && cw_plan_recognise(index, gather, plan))
        return CW_OK;
    if (wish->gather ? wish->gather > 0 : gather_wins(plan)) {
        plan->way = CW_PLAN_GATHER;
        return make_gather(m, index, gather);
    }
    plan->way = CW_PLAN_PASSES;
    status = cw_plan_shape(plan, wish->tile, wish->parts, 0);
    if (!status && gather)
        index = inverse(m, index, &status);
    return status ? status : make_passes(m, index);
}

cw_status cw_plan_make(const void *index, size_t index_bytes, size_t n, size_t bytes,
                       unsigned flags, unsigned threads, const struct cw_plan_wish *wish,
                       cw_plan **out)
{
    static const struct cw_plan_wish none = {0, 0, 0, 0};
    struct cw_team team = {threads, NULL};
    struct making m = {.given = index, .given_bytes = index_bytes, .team = &team};
    cw_status status;

    *out = NULL;
    m.plan = (cw_plan *)calloc(1, sizeof *m.plan);
    if (!m.plan)
        return cw_fail(CW_ERR_MEMORY, "a plan");
    m.plan->n = n;
    m.plan->bytes = (uint32_t)bytes;
    status = fill(&m, (flags & CW_GATHER) != 0, wish ? wish : &none);
    cw_team_end(&team);
    for (uint32_t k = 0; k < m.owned; k++)
        free(m.own[k]);
    if (status)
        cw_plan_destroy(m.plan);
    else
        *out = m.plan;
    return status;
}
