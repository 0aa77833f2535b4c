/* portions.h - passes as launches: each launch has a portion of the array.
 *
 * A portion has no more tiles than there are rows of state, which all launches use one after another
 * (lsd/pass.h).
 */
#ifndef CW_SORT_LSD_PORTIONS_H
#define CW_SORT_LSD_PORTIONS_H

#include "sort/lsd/job.h"
#include "sort/lsd/table.h"

struct lsd_portions {
    uint64_t tiles, portions;
    uint64_t rows;   /* of the state */
    uint32_t *state; /* rows, and behind them two tickets, of even and of odd launches */
};

static inline void lsd_portions_of(struct lsd_portions *x, const struct lsd_shape *s, uint64_t n)
{
    x->tiles = (n + s->items - 1u) / s->items;
    x->portions = (x->tiles + s->rows - 1u) / s->rows;
    x->rows = x->tiles < s->rows ? x->tiles : s->rows;
}

/* Words of the state, tickets included.  They begin as 0. */
static inline uint64_t lsd_state_words(const struct lsd_portions *x)
{
    return LSD_BUCKETS * x->rows + 2u;
}

/* Tiles of portion k. */
static inline uint32_t lsd_portion_tiles(const struct lsd_portions *x, const struct lsd_shape *s,
                                         uint64_t k)
{
    const uint64_t left = x->tiles - k * s->rows;

    return left < s->rows ? (uint32_t)left : s->rows;
}

/* The job of pass p over portion k. */
static inline void lsd_portion_job(struct lsd_job *j, const struct lsd_portions *x,
                                   const struct lsd_shape *s, uint32_t p, uint64_t k)
{
    const uint64_t number = p * x->portions + k;
    const uint64_t most = (uint64_t)s->rows * s->items;

    j->pass = p;
    j->portion = (uint32_t)k;
    j->portions = (uint32_t)x->portions;
    j->from = k * most;
    j->items = (uint32_t)(j->n - j->from < most ? j->n - j->from : most);
    j->tiles = lsd_portion_tiles(x, s, k);
    j->state = x->state;
    j->rows = (uint32_t)x->rows;
    j->ticket = j->state + LSD_BUCKETS * x->rows + number % 2u;
    j->next_ticket = j->state + LSD_BUCKETS * x->rows + (number + 1u) % 2u;
}

#endif
