/* cpu_sort_data.c - keys of every kind, and a merge sort of their values. */
#include "cpu_sort_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guarded.h"
#include "values.h"

const char *const sort_input_names[INPUTS] = {"uniform",
                                              "equal",
                                              "two values",
                                              "sorted",
                                              "reverse",
                                              "nearly sorted",
                                              "Zipf",
                                              "heavy bucket",
                                              "same top half",
                                              "same low half",
                                              "all magnitudes",
                                              "zeros and NaNs",
                                              "a few out of order",
                                              "a block elsewhere",
                                              "stairs down"};

/* The infinity of a float type, of which a positive key's bits are a count from 0. */
static uint64_t infinity_of(cw_type type)
{
    return type == CW_F16    ? 0x7c00
           : type == CW_BF16 ? 0x7f80
           : type == CW_F32  ? 0x7f800000
                             : UINT64_C(0x7ff0000000000000);
}

/* Zeros, infinities, the smallest and the largest, of either sign. */
static uint64_t special(const struct sort_data *d, uint64_t x)
{
    const uint64_t sign = (x >> 8 & 1) << (8 * d->key_bytes - 1);
    const uint64_t most = cw_is_float(d->type) ? infinity_of(d->type) : (UINT64_C(1) << 7) - 1;

    switch (x % 5) {
    case 0:
        return sign;
    case 1:
        return most | sign;
    case 2:
        return 1 | sign;
    case 3:
        return (most - 1) | sign;
    default:
        return cw_is_float(d->type) ? cw_nan_of(d->type, d->seed) : ~sign;
    }
}

/* Key x of the input; NaNs all have the same bits, so that only places tell them apart. */
static uint64_t key_of(const struct sort_data *d, struct cw_random *random, size_t x)
{
    const uint32_t bits = (uint32_t)(8 * d->key_bytes);
    const uint64_t r = cw_random_next(random), mask = UINT64_MAX >> (64 - bits);
    const uint64_t half = mask >> bits / 2, step = mask / (d->n + 1) + 1;
    uint64_t key = r >> (64 - bits);

    switch (d->input) {
    case EQUAL:
        key = d->seed;
        break;
    case TWO:
        key = r >> 63 ? d->seed : ~d->seed >> 3;
        break;
    case SORTED:
        key = x * step;
        break;
    case REVERSE:
        key = (d->n - x) * step;
        break;
    case NEARLY:
        key = r % 16 ? x : r >> 8;
        break;
    case ZIPF: /* about as often as 1 / rank, anywhere */
        key = ((r >> 40) >> (r % 20)) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
        break;
    case HEAVY:
        key = r % 3 ? d->seed << 5 ^ (r >> 32 & 31) : r >> 8;
        break;
    case SAME_TOP:
        key = (r & half) | (d->seed & ~half);
        break;
    case SAME_LOW:
        key = (r & ~half) | (d->seed & half);
        break;
    case MAGNITUDES:
        key = r >> (r & 63) ^ (r & 64 ? mask : 0);
        break;
    case SPECIAL:
        key = special(d, r >> 16);
        break;
    case FEW_OUT: /* by chance too small, too large, or two places on */
        key = r % 97 ? x * step : r >> 40 & 1 ? (x + 2) * step : r >> 8;
        break;
    case BLOCK_OUT: /* more of them than are taken for a row of words that are out */
        key = x >= d->n / 3 && x < d->n / 3 + d->seed % 40
                  ? (d->seed & 64 ? mask : 0) ^ x
                  : d->n / 4 * step + x * (step - step / 3);
        break;
    case STAIRS_DOWN:
        key = (d->n - x) / (1 + d->seed % 9) * step;
        break;
    default:
        break;
    }
    key &= mask;
    if (cw_is_float(d->type) && (isnan(cw_value_of(d->type, key)) || r >> 45 == 7))
        key = cw_nan_of(d->type, d->seed);
    return key;
}

/* ---- the reference -------------------------------------------------------------------------- */

/* How many keys of the type can come before this one, or before all NaNs; -0 counts as +0.  The bits that
 * may be asked for are this number's.  Descending floats are those of the other sign. */
static uint64_t number_of(const struct sort_data *d, uint64_t key)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * d->key_bytes), top = mask / 2 + 1;
    const uint64_t size = key & ~top;
    const int negative = (key & top) != 0, is_signed = d->type >= CW_I8;

    if (cw_is_float(d->type) && isnan(cw_value_of(d->type, key)))
        return 2 * infinity_of(d->type) + 2;
    if (cw_is_float(d->type) && key == top)
        return number_of(d, 0);
    if (cw_is_float(d->type))
        return (negative != d->descending ? infinity_of(d->type) - size
                                          : infinity_of(d->type) + 1 + size) &
               mask;
    key = is_signed ? key + top : key;
    return (d->descending ? mask - key : key) & mask;
}

/* What the reference sorts by: of keys whose bits all count, the value. */
static long double weight_of(const struct sort_data *d, uint64_t key)
{
    if (!d->bits)
        return cw_value_of(d->type, key);
    return (long double)(number_of(d, key) >> d->first_bit & UINT64_MAX >> (64 - d->bits));
}

struct sort_data sort_data_of(struct sort_data d)
{
    struct cw_random random = cw_random_from(d.seed);
    long double *weight = (long double *)malloc((d.n + 1) * sizeof *weight);
    uint32_t *spare = (uint32_t *)malloc((d.n + 1) * sizeof *spare);

    assert_true(weight && spare);
    d.key_bytes = cw_type_bytes(d.type);
    d.keys = guarded_array(d.n * d.key_bytes);
    d.values = (unsigned char *)guarded_array(d.n * VALUE);
    d.order = (uint32_t *)guarded_array(d.n * sizeof *d.order);
    for (size_t x = 0; x < d.n; x++) {
        const uint64_t key = key_of(&d, &random, x), value = cw_random_next(&random);

        cw_set_item(d.keys, x, d.key_bytes, key);
        memcpy(d.values + x * VALUE, &value, 8);
        memcpy(d.values + x * VALUE + 8, &x, 8);
        weight[x] = weight_of(&d, key);
        d.order[x] = (uint32_t)x;
    }
    cw_value_sort(weight, d.order, spare, d.n, d.bits ? 0 : d.descending);
    free(weight);
    free(spare);
    return d;
}

void sort_data_free(struct sort_data *d)
{
    guarded_free(d->keys);
    guarded_free(d->values);
    guarded_free(d->order);
}
