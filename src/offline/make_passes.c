/* make_passes.c - the tables of a plan that partitions items by destination.
 *
 * A table plan is a partition of the items by destination whose every move was worked out before:
 *
 *      pass 0    items in order of source, in tiles; a bucket is `fan` tiles of destinations.
 *                Items of a tile are sorted by bucket, stably, and each run goes to its bucket.
 *      pass 1    the same inside each bucket of pass 0, to buckets of one tile each
 *      last      items of a bucket of one tile go to their places
 *
 * One pass does if its runs are not too short: their mean is tile^2 / n items.  Nakano's matrix
 * (2013) of rows and columns needs a colouring of n edges to keep its passes regular; a partition needs
 * none, since a permutation fills buckets exactly, and its runs are as long on any input: a tile
 * has at most as many runs as there are buckets.  Two passes replace his three up to 2^29 bytes.
 *
 * Time: two reads of the index and one write of a place a pass, by threads, a tile at a time;
 * all else is in a core's cache.  Space: 4 bytes an item besides the plan with two passes, or if
 * the index has to be turned around (a gather), or has 8 bytes.
 */
#include "offline/making.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/threads.h"

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
    const struct cw_plan_partition *pass;
    struct divider by;
    const uint32_t *to; /* destinations, in the order of this pass's input */
    uint16_t *places;
    uint32_t *next;    /* .. of its output, or */
    uint16_t *last;    /* places of the last pass */
    uint32_t *scratch; /* 2 * buckets numbers for each thread */
};

static void count_tile(const struct moving *m, uint32_t t)
{
    const struct cw_plan_partition *const l = m->pass;
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
    const struct cw_plan_partition *const l = m->pass;
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
    uint32_t *const mine = m->scratch + (size_t)thread * 2u * m->pass->buckets;

    for (; t < end; t++)
        move_tile(m, (uint32_t)t, mine, mine + m->pass->buckets);
}

static cw_status make_pass(struct cw_plan_making *m, uint32_t k, const uint32_t **to)
{
    cw_plan *const plan = m->plan;
    struct cw_plan_partition *const l = &plan->partition[k];
    const unsigned threads = cw_team_threads(m->team);
    const int last = k + 1 == plan->partitions;
    struct moving move = {plan,
                          l,
                          divide_by((uint64_t)l->fan * plan->tile),
                          *to,
                          plan->places[k],
                          last ? NULL : cw_plan_making_room(m),
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
    return status == CW_ERR_LABEL ? cw_plan_name_offender(m) : status;
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

cw_status cw_plan_make_passes(struct cw_plan_making *m, const uint32_t *to)
{
    cw_plan *const plan = m->plan;
    cw_status status = CW_OK;

    if (!plan->partitions) {
        for (uint64_t i = 0; i < plan->n; i++)
            plan->places[0][i] = (uint16_t)to[i];
    }
    for (uint32_t k = 0; k < plan->partitions && !status; k++)
        status = make_pass(m, k, &to);
    if (!status && cw_plan_stray(plan, plan->partitions, m->team))
        status = cw_plan_name_offender(m);
    return status;
}
