/* word.h - the word of WORD_LOG: 4, 8 or 16 bytes (2, 3, 4), and its part that is the key. */
#ifndef CW_CPU_WORD_H
#define CW_CPU_WORD_H

#include <stddef.h>
#include <stdint.h>

/* Arrays of the caller's floats and integers may be read as words. */
#if defined(__GNUC__)
#define CW_ALIAS __attribute__((may_alias))
#else
#define CW_ALIAS
#endif

#if WORD_LOG == 1 /* only sort/vectors/ */
typedef uint16_t bits;
typedef bits CW_ALIAS word;
#elif WORD_LOG == 2
typedef uint32_t bits; /* what holds a key */
typedef bits CW_ALIAS word;
#elif WORD_LOG == 3
typedef uint64_t bits;
typedef bits CW_ALIAS word;
#else
typedef uint64_t bits;
typedef struct {
    bits key, place;
} word;
#endif

#define WORD_KIND (WORD_LOG - 2)
#define LANES     (WORD_LOG == 1 ? 32 : WORD_LOG == 2 ? 16 : 8) /* cw_lanes(WORD_KIND) */

#endif
