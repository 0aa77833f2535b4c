/* key_map.h - keys of every type as unsigned numbers of the same order, and back.
 *
 *      word = (key ^ (sign ? flip : 0) ^ toggle) - bias        modulo 2^bits
 *
 * toggle turns the sign bit of signed and float keys, and all bits for descending order; flip
 * reverses the negative floats; bias, the number of NaNs of one sign, moves those that would come
 * first past all others, where the NaNs of the other sign are.  Every key has its own word, so
 * bits are kept, those of NaNs too.
 */
#ifndef CW_PRIM_KEY_MAP_H
#define CW_PRIM_KEY_MAP_H

#include <stdint.h>

#include "clearway.h"

struct cw_key_map {
    uint64_t flip, toggle, bias, mask; /* mask: 2^bits - 1 */
    uint32_t bits;
    uint32_t plain; /* word = key */
};

/* The two ways, for x and m in words of any size that holds the bits. */
#define CW_SIGN(m, x) ((x) >> ((m)->bits - 1u) & 1u)
#define CW_KEY_TO_WORD(m, x) \
    ((((x) ^ (CW_SIGN(m, x) ? (m)->flip : 0u) ^ (m)->toggle) - (m)->bias) & (m)->mask)
#define CW_WORD_FLIPPED(m, x)   ((((x) + (m)->bias) & (m)->mask) ^ (m)->toggle)
#define CW_FLIPPED_TO_KEY(m, x) ((x) ^ (CW_SIGN(m, x) ? (m)->flip : 0u))

/* The map of a type (api/types.c). */
struct cw_key_map cw_key_map_of(cw_type type, int descending);

#endif
