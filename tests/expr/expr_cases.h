/* expr_cases.h - expressions that a C compiler and src/expr read: X(expression), over int64_t
 * t, lane, warp and i.
 *
 * Every operator beside those of other levels, groups, signs, sides that are not evaluated.  Left
 * as typed: the spaces are part of the cases.
 */
#ifndef CW_EXPR_CASES_H
#define CW_EXPR_CASES_H

/* clang-format off */
#define EXPRESSIONS(X) \
    X(t) X(0) X(42) X(0x2a) X(0XFf) X(9223372036854775807) X(0x7fffffffffffffff) \
    X(t + lane * warp) X(t * lane + warp) X(t - lane - warp) X(t - (lane - warp)) \
    X(t / 3 * 3) X(t * 3 / 3) X(t % 7 * 2) X(t / 7 % 5) X(100 / 7 / 3) X(100 % 37 % 5) \
    X(-t / 4) X(-t % 4) X(-(t / 4)) X(- - t) X(-~t) X(~-t) X(!t) X(!!t) X(!t + 1) X(~t & 31) \
    X(+t) X(- +t) X(t - -lane) X(t + +lane) X(t-1) X(t+1) X(t*-1) X(-t*-lane) \
    X(t << 2 + 1) X((t << 2) + 1) X(t >> 1 << 1) X(t + 1 >> 1) X(-t >> 1) X(-7 >> 1) \
    X(t < lane) X(t <= lane) X(t > lane) X(t >= lane) X(t == lane) X(t != lane) \
    X(t < lane < warp) X(t < lane == warp < i) X(t == lane < warp) X(t << 1 < lane) \
    X(t & 3 == 3) X((t & 3) == 3) X(t & lane ^ warp) X(t ^ lane & warp) X(t | lane ^ warp) \
    X(t ^ lane | warp) X(t & lane | warp & i) X(t | lane & warp | i) X(t ^ t >> 1) \
    X(t && lane) X(t || lane) X(t && lane || warp) X(t || lane && warp) X(t | lane && warp) \
    X(!t && !lane || !warp && !i) X(t && 7 / t) X(!t || 7 / t) X((t && lane) + (t || lane)) \
    X(t ? lane : warp) X(t ? lane : warp ? i : 9) X(t ? lane ? 1 : 2 : 3) X((t ? 1 : 2) * 3) \
    X(t ? 1 : 2 * 3) X(t < 4 ? t : t - 4) X(t ? 7 / t : 9) X(t == 0 ? 9 : 7 % t) \
    X(t || lane ? warp : i) X(t ? lane || warp : lane && warp) X(t ? -lane : ~warp) \
    X((t % 32) * 33 + t / 32) X((t & 7) << 3 | t >> 3 & 7) X(t * 33 ^ (t >> 5 & 31)) \
    X(lane / 4 * 32 + lane % 4 ^ (i & 3) << 3) X(((((t)))) + ((lane))) \
    X(warp * 1024 + lane * 32 + (i ^ lane & 7)) X(t+1*2-3/4%5<<1>>1<=2!=0&1^3|8&&1||i?lane:warp) \
    X(3u - 5) X((unsigned)-1 / 2) X((unsigned char)(t + 300)) X(1ull << 40) X(t ? -1 : 1u) X(t + 5u - 9) \
    X((short)(t * 40000)) X((int)lane - 7u) X(-1 < 0u) X(~0u >> 4) X((long)-1 < 0u) X((uint8_t)~t) \
    X(0xffffffff + 1) X(0x7fffffff + 1u) X((size_t)t % 7 - (t & 3) * 0ul) X(-5 / 2u) X(-5 % 2u) \
    X(1 + 2 * 3 - 4 / 2 % 3 << 1 >> 1 & 0xff ^ 3 | 8)
/* clang-format on */

#endif
