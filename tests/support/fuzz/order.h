/* order.h - the rank of a key among all keys of its type, as include/clearway.h has it: the obvious way.
 *
 * Keys in ascending order of their bits, by IEEE 754's total order for floats, have numbers 0 .. 2^bits - 1:
 *
 *      -NaN .. -inf .. -0 +0 .. +inf .. +NaN          `nans` of each sign
 *
 * The other orders put all NaNs at one end, where they share the rank of the one next to the numbers, and -0 has
 * the rank of +0.
 */
#ifndef CW_FUZZ_ORDER_H
#define CW_FUZZ_ORDER_H

#include "clearway.h"

static inline unsigned mantissa_bits(cw_type type)
{
    return type == CW_F16    ? 10
           : type == CW_BF16 ? 7
           : type == CW_F32  ? 23
           : type == CW_F64  ? 52
                             : 0;
}

static inline uint64_t rank_of(cw_type type, unsigned flags, uint64_t key)
{
    const unsigned bits = 8 * (unsigned)cw_type_bytes(type);
    const uint64_t last = UINT64_MAX >> (64 - bits), sign = UINT64_C(1) << (bits - 1);
    const uint64_t nans = (UINT64_C(1) << mantissa_bits(type)) - 1;
    const int down = (flags & CW_DESCENDING) != 0;
    const int first = (flags & CW_NAN_FIRST) || ((flags & CW_NAN_GREATEST) && down);
    uint64_t number;

    if (type >= CW_U8 && type <= CW_U64)
        return down ? last - key : key;
    if (!mantissa_bits(type))
        return down ? last - (key ^ sign) : key ^ sign;
    if (flags & CW_TOTAL_ORDER) {
        number = key & sign ? last - key : key + sign;
        return down ? last - number : number;
    }
    if (key == sign)
        key = 0; /* -0 */
    number = key & sign ? last - key : key + sign;
    if (number < nans || number > last - nans) /* a NaN */
        return first ? 2 * nans - 1 : last - 2 * nans + 1;
    number = down ? last - nans - number : number - nans; /* among numbers */
    return first ? number + 2 * nans : number;
}

/* Types whose keys have one rank for several bits. */
static inline int shares_ranks(cw_type type, unsigned flags)
{
    return mantissa_bits(type) && !(flags & CW_TOTAL_ORDER);
}

#endif
