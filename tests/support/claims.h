/* claims.h - what the proofs say of each phase, to be held against what a hook sees.
 *
 * A claim belongs to the name of a phase.  It looks at a rectangle with one threshold:
 * how many rows or columns are dirty at most, where they stand, and that nothing else is
 * out of order.  Every claim counts how often it was looked at, and how often its bound
 * was met with equality.
 */
#ifndef CW_TEST_CLAIMS_H
#define CW_TEST_CLAIMS_H

#include "marks.h"
#include "paper/paper.h"
#include "paper/sort/sort_tall.h"

/* One look: at the end of a phase, with one threshold. */
struct cw_look {
    const struct cw_marks *marks;
    const struct cw_job *job;
    cw_word threshold;
    uint32_t h, m;    /* the rectangle */
    uint32_t round;   /* lemma 1: first or second */
    wide_plan_t plan; /* theorem 1: what sort_wide does with such a rectangle */
    struct cw_dirt rows, columns;
    const char *wrong; /* the claim that does not hold, NULL if all do */
    uint32_t value, bound;
};

struct cw_claim {
    const char *phase;
    void (*look)(struct cw_look *k);
    uint64_t looks, bounded, reached; /* how often looked at, with a bound, that was met */
};

extern struct cw_claim cw_claims[];
extern const uint32_t cw_claim_count;

/* NULL if no proof speaks of that phase. */
struct cw_claim *cw_claim_of(const char *phase);

/* Look at k->marks, threshold by threshold, 1 .. `thresholds`; stops at the first that the
 * claim does not hold for, with k->wrong set. */
void cw_claim_look(struct cw_claim *claim, struct cw_look *k, cw_word thresholds);

#endif
