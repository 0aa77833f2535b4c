/* adversary_sample.c - keys whose samples say nothing: our own sorts, as one sees them who has read
 * the source.  adversary.h says what they are. */
#include <stdlib.h>
#include <string.h>

#include "cpu/sort/sample.h"
#include "files/external_sample.h"
#include "inputs/adversary.h"
#include "base/status.h"

/* What is left after some rounds. */
struct rest {
    uint64_t all;        /* of the array */
    uint64_t n, from;    /* how many, and where they lie among all */
    uint64_t *place;     /* which of the array's they are */
    unsigned char *seen; /* to be set for those that a sample of them sees */
    unsigned char *kept; /* of the array's: these must stay as they are */
    uint64_t *keys;      /* all of the array */
    uint64_t seed;
};

/* Set seen[] for a round. */
typedef void look(struct rest *r, uint32_t round);

static void next_round(struct rest *r, uint32_t round)
{
    uint64_t left = 0;

    for (uint64_t i = 0; i < r->n; i++) {
        if (r->seen[i] && !r->kept[r->place[i]])
            r->keys[r->place[i]] = round;
        else
            r->place[left++] = r->place[i];
    }
    r->from += r->n - left;
    r->n = left;
}

static cw_status make(look *each, uint64_t seed, uint64_t n, uint32_t rounds, uint64_t left,
                      uint64_t *keys)
{
    struct rest r = {n, n, 0, NULL, NULL, NULL, keys, seed};
    uint64_t random = ~seed;
    cw_status status = CW_OK;

    r.place = (uint64_t *)malloc((n + 1) * sizeof *r.place);
    r.seen = (unsigned char *)malloc(n + 1);
    r.kept = (unsigned char *)calloc(n + 1, 1);
    for (uint64_t i = 0; r.place && i < n; i++) {
        r.place[i] = i;
        keys[i] = cw_drawn(&random) | UINT64_C(1) << 63;
    }
    for (uint32_t k = 0; r.place && r.seen && r.kept && k < rounds && r.n > left; k++) {
        memset(r.seen, 0, r.n);
        each(&r, k);
        next_round(&r, k);
    }
    if (!r.place || !r.seen || !r.kept)
        status = cw_fail(CW_ERR_MEMORY, "no room for %llu places", (unsigned long long)n);
    free(r.place);
    free(r.seen);
    free(r.kept);
    return status;
}

/* ---- cw_sort on the host -------------------------------------------------------------------- */

static void look_now(struct rest *r, uint32_t round)
{
    const uint32_t count = cw_sort_sample(r->all, r->n);
    uint64_t random = cw_sample_seed(r->seed + round, r->from, r->n);

    for (uint32_t x = 0; x < count; x++)
        r->seen[cw_sample_place(&random, r->n, count, x)] = 1;
}

/* Eight keys decide, and may not change in later rounds. */
static void look_0_1(struct rest *r, uint32_t round)
{
    const uint32_t count = cw_sort_sample(r->all, r->n);
    const uint64_t step = r->n / count;
    uint64_t random = r->n;

    (void)round;
    for (uint32_t x = 0; x < 8; x++) {
        random = cw_drawn(&random) ^ r->keys[r->place[r->n / 8 * x]];
        r->kept[r->place[r->n / 8 * x]] = 1;
    }
    for (uint32_t x = 0; x < count; x++)
        r->seen[x * step + cw_drawn(&random) % step] = 1;
}

cw_status cw_adversary_sort(uint64_t set, uint64_t n, uint32_t rounds, uint64_t *keys)
{
    return make(look_now, cw_drawn(&set), n, rounds, 1024, keys);
}

cw_status cw_adversary_sort_0_1(uint64_t n, uint64_t left, uint64_t *keys)
{
    return make(look_0_1, 1, n, UINT32_MAX, left, keys);
}

/* ---- the external sort ---------------------------------------------------------------------- */

static void look_from(struct rest *r, uint64_t seed)
{
    for (uint64_t k = 0; k < cw_external_pieces(r->n); k++) {
        uint64_t count;
        const uint64_t first = cw_external_piece(&seed, r->n, k, &count);

        memset(r->seen + first, 1, count);
    }
}

static void look_outside(struct rest *r, uint32_t round)
{
    (void)round;
    look_from(r, r->seed);
    r->seed = cw_external_next_seed(r->seed);
}

static void look_outside_0_1(struct rest *r, uint32_t round)
{
    look_from(r, round + 1u);
}

cw_status cw_adversary_external(uint64_t seed, uint64_t n, uint32_t rounds, uint64_t *keys)
{
    return make(look_outside, seed, n, rounds, 1024, keys);
}

cw_status cw_adversary_external_0_1(uint64_t n, uint32_t rounds, uint64_t *keys)
{
    return make(look_outside_0_1, 1, n, rounds, 1024, keys);
}
