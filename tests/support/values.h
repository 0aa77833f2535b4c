/* values.h - keys of every type by their values, with no use of the library's map to words. */
#ifndef CW_TEST_VALUES_H
#define CW_TEST_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

int cw_is_float(cw_type type);

/* The value of a key with these bits.  A long double holds every type exactly. */
long double cw_value_of(cw_type type, uint64_t bits);

/* Does key value x come before y?  NaNs are last both ways, and equal; -0 equals +0. */
int cw_value_before(long double x, long double y, int descending);

/* The order of two keys, as bits, by CW_DESCENDING and the order of floats among the flags: below 0, 0 or above. */
int cw_value_compare(cw_type type, unsigned flags, uint64_t a, uint64_t b);

/* One of three NaNs of a float type. */
uint64_t cw_nan_of(cw_type type, uint64_t seed);

/* Sort places 0 .. n - 1, which stand at `place`, by their values, stably; `spare`: room for n. */
void cw_value_sort(const long double *value, uint32_t *place, uint32_t *spare, size_t n,
                   int descending);

/* Item x of an array of items of 1, 2, 4 or 8 bytes. */
uint64_t cw_item(const void *array, size_t x, size_t bytes);
void cw_set_item(void *array, size_t x, size_t bytes, uint64_t item);

#endif
