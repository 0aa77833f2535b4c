/* digits.h - sorts by counting digits of 8 bits, the lowest first: for words of up to 16 bits. */
#ifndef CW_CPU_SORT_DIGITS_H
#define CW_CPU_SORT_DIGITS_H

#include "cpu/sort/work.h"

#define CW_DIGIT_BITS  8u
#define CW_DIGITS_LESS 192u /* items that other ways sort as fast */

/* The places of n mapped keys, up to 65536, in the order of their lowest `width` bits, 1 to 16. */
void cw_sort_places_by_digits(const struct cw_sorter *s, struct cw_sort_thread *t,
                              const void *mapped, uint32_t n, uint32_t width, uint16_t *place);

/* Keys of two bytes alone, n of them, so many that digits pay and so few that 65536 counts do not. */
int cw_sort_takes_digits(const struct cw_sorter *s);
void cw_sort_keys_by_digits(const struct cw_sorter *s);

#endif
