/* key_map.h - keys of every type as unsigned numbers of the same order, and back.
 *
 *      word = (key ^ (sign ? flip : 0) ^ toggle) - bias        modulo 2^bits
 *
 * toggle turns the sign bit of signed and float keys, and all bits for descending order.  flip
 * reverses the negative floats.  NaNs of one sign are then at the bottom, those of the other at the
 * top.  bias is how many NaNs one sign has.  Taken away, it moves those at the bottom past all
 * others.  Added, it moves those at the top below all others.  A bias of 0 leaves the order of the
 * bits (IEEE 754's total order).  Every key has its own word, so bits are kept, those of NaNs too.
 *
 * Equal floats.  In numeric order -0 equals +0 and all NaNs are equal, but their words differ.  A
 * sort that may put equal keys in any order need not care: the order of words is one of those that
 * are right.  A sort that keeps their order must compare something else:
 *
 *      rank = word of -0 ? word of +0 : clamp(word, low, high)
 *
 * NaNs are at one end of all words, so low or high makes them one.  A rank is no word: the key's
 * bits are gone.  There are two ways to sort by ranks.  Radix sorts and the host's passes carry the
 * word along, and make the rank where it is looked at.  Rows and the comparison sort fetch the key
 * by its place, which they know.  `tied` says that ranks are wanted and differ from words.
 */
#ifndef CW_PRIM_KEY_MAP_H
#define CW_PRIM_KEY_MAP_H

#include <stdint.h>

#include "clearway.h"

struct cw_key_map {
    uint64_t flip, toggle, bias, mask; /* mask: 2^bits - 1 */
    uint64_t minus, plus;              /* words of -0 and +0; */
    uint64_t low, high;                /* ranks are from low to high */
    uint64_t nan;                      /* the rank of NaNs: low or high */
    uint32_t bits;
    uint32_t plain; /* word = key */
    uint32_t tied;  /* ranks are to be compared, and are not the words */
};

/* The two ways, for x and m in words of any size that holds the bits. */
#define CW_SIGN(m, x) ((x) >> ((m)->bits - 1u) & 1u)
#define CW_KEY_TO_WORD(m, x) \
    ((((x) ^ (CW_SIGN(m, x) ? (m)->flip : 0u) ^ (m)->toggle) - (m)->bias) & (m)->mask)
#define CW_WORD_FLIPPED(m, x)   ((((x) + (m)->bias) & (m)->mask) ^ (m)->toggle)
#define CW_FLIPPED_TO_KEY(m, x) ((x) ^ (CW_SIGN(m, x) ? (m)->flip : 0u))

/* The rank of a word; of a map that is not tied, the word. */
#define CW_WORD_TO_RANK(m, x) \
    ((x) == (m)->minus ? (m)->plus : (x) < (m)->low ? (m)->low : (x) > (m)->high ? (m)->high : (x))

/* Whether several keys have this rank. */
#define CW_RANK_SHARED(m, x) ((x) == (m)->plus || (x) == (m)->nan)

/* The map of a type in the order that the flags say (api/types.c).  `keeps`: equal keys must keep
 * their order, or bits of ranks are asked for.  Then the map is tied if floats are. */
struct cw_key_map cw_key_map_of(cw_type type, unsigned flags, int keeps);

/* Of a sort's arguments. */
struct cw_key_map cw_key_map_of_array(const cw_array *job);
struct cw_key_map cw_key_map_of_rows(const cw_rows *job);

#endif
