/* data.h - keys of every type, by the name of what is hard or easy about them.
 *
 *      uniform            random; floats too are random in their order, without NaNs
 *      sorted, reverse    rising, falling, over all the type's values
 *      equal              all the same
 *      two, few           random among 2, among 16 values
 *      zipf               the k-th of up to 2^20 values has a chance of about 1 / k
 *      heavy              every other key is the same, the rest uniform
 *      top-equal          the upper half of the bits is the same in all, at most 16 bits
 *      low-equal          the lower half of the bits is the same in all, at most 16 bits
 *      nan                floats: NaNs of both signs, infinities and zeros among others
 *      adversarial-merge  bank conflicts in every large merge of a merge sort (adversary.h)
 *      adversarial-radix  bank conflicts in the scatter of every pass of a radix sort
 *
 * All but the last two are made key by key; those need up to 16 bytes more for each key.
 */
#ifndef CW_INPUTS_DATA_H
#define CW_INPUTS_DATA_H

#include "clearway.h"

/* constant, name */
#define CW_DATA_LIST(X)                   \
    X(CW_DATA_UNIFORM, "uniform")         \
    X(CW_DATA_SORTED, "sorted")           \
    X(CW_DATA_REVERSE, "reverse")         \
    X(CW_DATA_EQUAL, "equal")             \
    X(CW_DATA_TWO, "two")                 \
    X(CW_DATA_FEW, "few")                 \
    X(CW_DATA_ZIPF, "zipf")               \
    X(CW_DATA_HEAVY, "heavy")             \
    X(CW_DATA_TOP_EQUAL, "top-equal")     \
    X(CW_DATA_LOW_EQUAL, "low-equal")     \
    X(CW_DATA_NAN, "nan")                 \
    X(CW_DATA_MERGE, "adversarial-merge") \
    X(CW_DATA_RADIX, "adversarial-radix")

enum cw_data {
#define CW_DATA_ENUM(constant, name) constant,
    CW_DATA_LIST(CW_DATA_ENUM)
#undef CW_DATA_ENUM
        CW_DATA_COUNT
};

/* The names in that order, then NULL. */
extern const char *const cw_data_names[CW_DATA_COUNT + 1];

/* n keys of the kind.  The same arguments give the same keys.  CW_ERR_TYPE where the kind makes
 * no sense for the type (NaNs of integers; an adversary that needs more different keys than the
 * type has). */
cw_status cw_data_make(enum cw_data kind, cw_type type, size_t n, uint64_t seed, void *out);

/* The same; adversaries against a sort of this shape, NULL: of the usual one. */
struct cw_adversary;
cw_status cw_data_make_against(enum cw_data kind, cw_type type, size_t n, uint64_t seed,
                               const struct cw_adversary *asked, void *out);

#endif
