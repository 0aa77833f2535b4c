/* verify_keys.h - keys for rows, and the order that sorting must bring them into. */
#ifndef CLI_VERIFY_KEYS_H
#define CLI_VERIFY_KEYS_H

#include <stdint.h>

#include "clearway.h"

enum verify_pattern {
    KEYS_BY_SALT, /* none: verify_pattern_of says which */
    KEYS_RANDOM,
    /* structured */
    KEYS_SORTED,
    KEYS_REVERSE,
    KEYS_EQUAL,
    KEYS_ZERO_ONE,
    KEYS_FEW,
    /* adversarial */
    KEYS_SPECIAL,     /* extremes of integers; NaNs, infinities and both zeros */
    KEYS_PAD,         /* the words that fill rows up, among others */
    KEYS_INTERLEAVED, /* places with their bits reversed: every merge takes turns */
    /* only where asked for */
    KEYS_SKEWED, /* as many of 2^k .. 2^(k+1) for every k */
    KEYS_EVEN,   /* sorted, from end to end of what bits can be */
    KEYS_PATTERNS
};

const char *verify_pattern_name(enum verify_pattern p);

/* The pattern of a row: random, structured and adversarial ones in turn; `salt` varies which. */
enum verify_pattern verify_pattern_of(uint32_t row, uint32_t salt);

/* The bits of a key; NaNs are all the same one. */
uint64_t verify_key(cw_type type, enum verify_pattern p, uint32_t column, uint32_t length,
                    uint64_t *random);

int verify_is_nan(cw_type type, uint64_t bits);

/* Rises in the order of sorting that the flags say (CW_DESCENDING, an order of floats); of equal keys it is the
 * same.  Made apart from the library's. */
uint64_t verify_rank(cw_type type, unsigned flags, uint64_t bits);

#endif
