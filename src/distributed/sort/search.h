/* search.h - the state of the search for splitters on one rank, and how its ranks talk. */
#ifndef CW_DISTRIBUTED_SORT_SEARCH_H
#define CW_DISTRIBUTED_SORT_SEARCH_H

#include "distributed/sort/pivots.h"
#include "distributed/sort/splitters.h"

/* Where a splitter may be: [lo, hi) of this rank's items; and words that those of all ranks lie
 * between. */
struct cw_interval {
    uint64_t lo, hi, low, high;
};

/* One splitter, as this rank sees it: the candidates, and those of the round before. */
struct cw_splitter {
    struct cw_interval now, before;
    uint64_t candidates, candidates_before; /* of all ranks, about */
    int found;
};

struct cw_search {
    struct cw_peers *peers;
    const struct cw_sorted *sorted;
    uint64_t total, seed, samples;
    uint32_t round;
    unsigned place_bytes;           /* of a place in any rank's items, */
    unsigned length_bytes;          /* of the number of candidates of a rank, in this round */
    struct cw_splitter *splitters;  /* a rank; that of rank 0 is none */
    uint64_t *send, *send_at;       /* bytes for each rank, and where they begin */
    uint64_t *receive, *receive_at; /* and of each rank */
};

/* What is of a round only. */
struct cw_round {
    struct cw_search *s;
    uint64_t *lengths, *counts; /* of each rank: candidates for this one's splitter, and samples */
    uint64_t before;            /* items of all ranks before those */
    uint8_t *packed, *got;      /* intervals, sent and received */
    unsigned word, candidates;  /* bytes of these in an answer */
    uint8_t *answers;
    struct cw_probe *probes;
    uint32_t *asked;
};

#define CW_ANSWER 49u /* bytes, at most: what it is, how many are left, two items */

static inline struct cw_splitter *cw_search_mine(const struct cw_search *s)
{
    return &s->splitters[s->peers->rank];
}

/* Candidates that this rank has. */
static inline uint64_t cw_splitter_length(const struct cw_splitter *x)
{
    return x->found ? 0 : x->now.hi - x->now.lo;
}

/* ---- splitters.c ------------------------------------------------------------------------------ */

/* What is in `send` and `receive`, one rank's part behind the other's. */
cw_status cw_search_exchange(struct cw_search *s, const void *from, void *to);
cw_status cw_search_exchange_lined(struct cw_search *s, const void *from, void *to, int small);
void cw_search_line_up(struct cw_search *s);

/* receive[r] bytes of rank r, the same of each for all ranks. */
cw_status cw_search_tell(struct cw_search *s, const void *mine, void *all);

/* The items before splitter j, of all ranks. */
uint64_t cw_search_target(const struct cw_search *s, uint32_t j);

/* ---- boundaries.c ----------------------------------------------------------------------------- */

/* The first round: each splitter's interval, exactly. */
cw_status cw_boundaries(struct cw_search *s);

/* ---- looks.c ---------------------------------------------------------------------------------- */

/* This rank hears of the candidates for its splitter, and of samples of these: what they show. */
cw_status cw_search_look(struct cw_round *x, struct cw_pivots *out);

/* ---- answers.c -------------------------------------------------------------------------------- */

/* All tell all what they found, and take it; to be settled. */
cw_status cw_search_answer(struct cw_round *x, const struct cw_pivots *mine);
cw_status cw_search_narrow(struct cw_round *x);

#endif
