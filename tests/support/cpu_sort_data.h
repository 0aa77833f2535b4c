/* cpu_sort_data.h - keys for sorts on the host, and the order that they must come to.
 *
 * The reference compares keys as long doubles, which hold every type exactly; where only some bits
 * count, it compares those of a number written down here from the definition of the types.  It
 * knows nothing of the library's map.  It is stable.
 */
#ifndef CW_CPU_SORT_DATA_H
#define CW_CPU_SORT_DATA_H

#include "clearway.h"
#include "test.h"

#define VALUE 16 /* bytes of the longest value */

enum sort_input {
    UNIFORM,
    EQUAL,
    TWO,
    SORTED,
    REVERSE,
    NEARLY,
    ZIPF,
    HEAVY,
    SAME_TOP,
    SAME_LOW,
    MAGNITUDES,
    SPECIAL,
    FEW_OUT,
    BLOCK_OUT,
    STAIRS_DOWN,
    INPUTS
};

extern const char *const sort_input_names[INPUTS];

struct sort_data {
    cw_type type;
    enum sort_input input;
    int descending;
    unsigned first_bit, bits; /* 0: all count */
    size_t key_bytes, n;
    void *keys;
    unsigned char *values; /* of VALUE bytes; shorter ones are their first bytes */
    uint32_t *order;       /* of every item: the place in the input that it comes from */
    uint64_t seed;
};

/* All of it, from type, input, direction, bits, n and seed. */
struct sort_data sort_data_of(struct sort_data d);
void sort_data_free(struct sort_data *d);

#endif
