/* plan_case.h - a permutation made, planned, executed on the host's threads and in whichever context
 * CW_TEST_BACKEND names, and held against an obvious reference. */
#ifndef CW_PLAN_CASE_H
#define CW_PLAN_CASE_H

#include "offline/plan.h"
#include "test.h"

enum plan_map {
    RANDOM,
    IDENTITY,
    ROTATION,
    REVERSAL,
    TRANSPOSE,
    BIT_REVERSAL,
    AFFINE,
    BLOCKS,  /* whole tiles change places: one run a tile */
    SHUFFLE, /* a perfect shuffle */
    FORTIES, /* blocks of 40 items change places */
    BITS,    /* a bit reversal whose last two bits change places */
    SPREAD,  /* neighbours go far apart: as many runs as can be */
    MAPS
};

struct plan_case {
    enum plan_map map;
    size_t n, bytes;
    size_t index_bytes;
    unsigned flags;
    size_t shift; /* items that arrays begin after 256 bytes */
    struct cw_plan_wish wish;
    int wished;
    const char *kind; /* that it must be, or NULL */
    uint64_t seed;
};

extern cw_context
    *plan_context[2];        /* the host's threads; CW_TEST_BACKEND (emulator, unless told) */
extern uint64_t plan_excess; /* wavefronts above the ideal, of kernels that have none */

int plan_open_contexts(void **state);
int plan_close_contexts(void **state);

/* A case; a case with a table of so many passes (0: a gather) with such tiles (0: as is best). */
struct plan_case plan_case_of(enum plan_map map, size_t n, uint64_t salt);
struct plan_case plan_passes_of(enum plan_map map, size_t n, uint32_t passes, uint32_t tile);

/* The permutation, to be freed; NULL with no memory.  Its plan; NULL after telling why. */
uint64_t *plan_case_index(const struct plan_case *c);
cw_plan *plan_case_plan(const struct plan_case *c, const uint64_t *p);

/* Was it executed as it must be, and nothing written around the output? */
int plan_case_execute(cw_context *x, const struct plan_case *c, const uint64_t *p,
                      const cw_plan *plan);

/* All of it, in both contexts: 0, or 1 after printing the case. */
int plan_case_run(struct plan_case c);

#endif
