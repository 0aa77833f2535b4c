/* virtual_keys.h - sorted arrays that are computed, not stored: for as many ranks as are simulated.
 *
 * Each input is hard for some way of finding splitters. */
#ifndef CW_DISTRIBUTED_SORT_VIRTUAL_KEYS_H
#define CW_DISTRIBUTED_SORT_VIRTUAL_KEYS_H

#include "distributed/sort/splitters.h"

/* name, what it is */
#define CW_VIRTUAL_INPUTS(X)                                                  \
    X(UNIFORM, "uniform")         /* any rank's keys are spread alike */      \
    X(EQUAL, "equal")             /* one value */                             \
    X(SORTED, "sorted")           /* rank r has the r-th share */             \
    X(REVERSE, "reverse")         /* .. from the end */                       \
    X(INTERLEAVED, "interleaved") /* neighbours are on different ranks */     \
    X(POWER_LAW, "power law")     /* half of the keys have one value .. */    \
    X(HEAVY, "heavy")             /* 80 % have one value */                   \
    X(BANDS, "bands")             /* half of the ranks hold but two values */ \
    X(CLUSTERED, "clustered")     /* rank r has all keys near 64 splitters */

enum cw_virtual_input {
#define CW_VIRTUAL_ENUM(name, text) CW_VIRTUAL_##name,
    CW_VIRTUAL_INPUTS(CW_VIRTUAL_ENUM)
#undef CW_VIRTUAL_ENUM
        CW_VIRTUAL_COUNT
};

struct cw_virtual_keys {
    enum cw_virtual_input input;
    uint64_t n, seed;
    uint32_t rank, ranks;
    int narrow; /* words of 32 bits: of 2^32 items at most */
};

const char *cw_virtual_name(enum cw_virtual_input input);
uint64_t cw_virtual_word(const struct cw_virtual_keys *k, uint64_t at);
struct cw_sorted cw_virtual_sorted(struct cw_virtual_keys *k);

#endif
