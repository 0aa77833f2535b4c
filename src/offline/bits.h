/* bits.h - affine maps of index bits over GF(2): i -> A i xor b. */
#ifndef CW_OFFLINE_BITS_H
#define CW_OFFLINE_BITS_H

#include "offline/kernels/job.h"

#define CW_BITS_MOST 31u /* of an index */

/* column[k] is A applied to bit k.  *out gets the columns of the inverse; 0 if there is none. */
int cw_bits_invert(const uint32_t *column, uint32_t bits, uint32_t *out);

/* A x. */
uint32_t cw_bits_apply(const uint32_t *column, uint32_t x);

/* Bits below which there are no tiles, for words of so many bytes. */
uint32_t cw_bits_least(uint32_t word);

/* The tiles in which out[A i xor b] = in[i] is done: all of *out but its arrays and items. */
void cw_bits_tiles(const uint32_t *column, uint32_t bits, uint32_t start, uint32_t word,
                   struct plan_bits *out);

#endif
