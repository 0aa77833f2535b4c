#include "verify_keys.h"

#include "verify.h"

#define SPECIALS 7u

const char *verify_pattern_name(enum verify_pattern p)
{
    static const char *const names[KEYS_PATTERNS] = {
        "by salt",    "random",  "sorted",    "reverse",     "equal",  "0-1",
        "few values", "special", "pad words", "interleaved", "skewed", "even"};

    return names[p];
}

enum verify_pattern verify_pattern_of(uint32_t row, uint32_t salt)
{
    const uint32_t kind = (row + salt) % 3, turn = row / 3 + salt;

    if (kind == 0)
        return KEYS_RANDOM;
    if (kind == 1)
        return (enum verify_pattern)(KEYS_SORTED + turn % 5);
    return (enum verify_pattern)(KEYS_SPECIAL + turn % 3);
}

static unsigned bits_of(cw_type t)
{
    return 8u * (unsigned)cw_type_bytes(t);
}

static uint64_t sign_of(cw_type t)
{
    return (uint64_t)1 << (bits_of(t) - 1);
}

static uint64_t mask_of(cw_type t)
{
    return UINT64_MAX >> (64 - bits_of(t));
}

static int is_float(cw_type t)
{
    return t >= CW_F16;
}

static uint64_t infinity_of(cw_type t)
{
    return t == CW_F16    ? 0x7c00u
           : t == CW_BF16 ? 0x7f80u
           : t == CW_F32  ? 0x7f800000u
                          : 0x7ff0000000000000u;
}

static int is_nan(cw_type t, uint64_t x)
{
    return is_float(t) && (x & ~sign_of(t)) > infinity_of(t);
}

static uint64_t nan_of(cw_type t)
{
    return infinity_of(t) | (infinity_of(t) & ~(infinity_of(t) << 1)) >> 1; /* the quiet one */
}

static uint64_t special(cw_type t, uint64_t r)
{
    const uint64_t sign = sign_of(t), all = mask_of(t), infinity = infinity_of(t);
    const uint64_t floats[SPECIALS] = {0, sign, infinity, infinity | sign, nan_of(t), 1, sign | 1};
    const uint64_t integers[SPECIALS] = {0, sign, all, sign - 1, 1, all - 1, sign + 1};

    return is_float(t) ? floats[r % SPECIALS] : integers[r % SPECIALS];
}

/* What becomes the largest word, up or down, or (a NaN) as good as that; one in two keys. */
static uint64_t pad(cw_type t, uint64_t r)
{
    const uint64_t most = is_float(t) ? nan_of(t) : t >= CW_I8 ? sign_of(t) - 1 : mask_of(t);
    const uint64_t least = is_float(t) ? infinity_of(t) | sign_of(t) : t >= CW_I8 ? sign_of(t) : 0;

    return r % 4 == 0 ? most : r % 4 == 1 ? least : r >> 2;
}

static uint32_t reversed(uint32_t column, uint32_t length)
{
    uint32_t x = 0;

    for (uint32_t bit = 1; bit < length; bit *= 2, column /= 2)
        x = 2 * x + column % 2;
    return x;
}

static uint64_t any_key(cw_type t, enum verify_pattern p, uint32_t column, uint32_t length,
                        uint64_t r)
{
    switch (p) {
    case KEYS_SORTED:
        return column;
    case KEYS_REVERSE:
        return length - column;
    case KEYS_EQUAL:
        return 77;
    case KEYS_ZERO_ONE:
        return r & 1;
    case KEYS_FEW:
        return r % 5;
    case KEYS_SPECIAL:
        return special(t, r);
    case KEYS_PAD:
        return pad(t, r);
    case KEYS_SKEWED:
        return (r & mask_of(t)) >> (r >> 58) % bits_of(t);
    case KEYS_EVEN:
        return mask_of(t) / length * column;
    case KEYS_INTERLEAVED:
        return reversed(column, length);
    default:
        return r;
    }
}

uint64_t verify_key(cw_type type, enum verify_pattern p, uint32_t column, uint32_t length,
                    uint64_t *random)
{
    const uint64_t x = any_key(type, p, column, length, verify_random(random)) & mask_of(type);

    return is_nan(type, x) ? nan_of(type) : x;
}

int verify_is_nan(cw_type type, uint64_t bits)
{
    return is_nan(type, bits);
}

/* Numbers have ranks from 1 on. */
uint64_t verify_rank(cw_type type, unsigned flags, uint64_t bits)
{
    const uint64_t sign = sign_of(type), mask = mask_of(type);
    const int descending = (flags & CW_DESCENDING) != 0;
    uint64_t rank = bits;

    if (is_float(type) && !(flags & CW_TOTAL_ORDER)) {
        if (is_nan(type, bits) && (flags & CW_NAN_FIRST || (flags & CW_NAN_GREATEST && descending)))
            return 0;
        if (is_nan(type, bits))
            return UINT64_MAX;
        bits = bits == sign ? 0 : bits; /* -0 is +0 */
    }
    if (is_float(type))
        rank = bits & sign ? ~bits & mask : bits | sign;
    else if (type >= CW_I8)
        rank = bits ^ sign;
    rank = descending ? mask - rank : rank;
    return is_float(type) && !(flags & CW_TOTAL_ORDER) ? rank + 1u : rank;
}
