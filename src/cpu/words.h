/* words.h - words and what they are made of: keys above places.
 *
 * See work.h for what a word holds.  Compiled for each WORD_LOG; keys of 1, 2, 4 or 8 bytes are
 * read and written with no demand on their alignment.
 */
#ifndef CW_CPU_WORDS_H
#define CW_CPU_WORDS_H

#include <string.h>

#include "cpu/inline.h"
#include "cpu/work.h"
#include "cpu/word.h"

/* key_map.h's map in words of this size, and where a word has its key. */
struct form {
    bits flip, toggle, bias, mask;
    uint32_t bits;
    uint32_t shift;                   /* bits below the key */
    bits place;                       /* those bits set, if there is a place */
    bits minus, plus, low, high, nan; /* of ranks */
};

/* Key and place are filled in by whoever has them. */
static inline struct form form_of_map(const struct cw_key_map *m)
{
    const struct form f = {
        (bits)m->flip,  (bits)m->toggle, (bits)m->bias, (bits)m->mask, m->bits,     0, 0,
        (bits)m->minus, (bits)m->plus,   (bits)m->low,  (bits)m->high, (bits)m->nan};

    return f;
}

/* ---- items of 1, 2, 4 and 8 bytes ----------------------------------------------------------- */

CW_INLINE uint64_t item_get(const void *array, size_t x, size_t bytes)
{
    const char *p = (const char *)array + x * bytes;
    uint64_t x8;
    uint32_t x4;
    uint16_t x2;

    switch (bytes) {
    case 1:
        return *(const uint8_t *)p;
    case 2:
        CW_COPY_WORD(&x2, p, 2);
        return x2;
    case 4:
        CW_COPY_WORD(&x4, p, 4);
        return x4;
    default:
        CW_COPY_WORD(&x8, p, 8);
        return x8;
    }
}

CW_INLINE void item_put(void *array, size_t x, size_t bytes, uint64_t item)
{
    char *p = (char *)array + x * bytes;
    const uint32_t x4 = (uint32_t)item;
    const uint16_t x2 = (uint16_t)item;

    switch (bytes) {
    case 1:
        *(uint8_t *)p = (uint8_t)item;
        break;
    case 2:
        CW_COPY_WORD(p, &x2, 2);
        break;
    case 4:
        CW_COPY_WORD(p, &x4, 4);
        break;
    default:
        CW_COPY_WORD(p, &item, 8);
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

#if WORD_LOG < 4

CW_INLINE word word_of(const struct form *f, bits key, uint32_t place)
{
    return key << f->shift | (place & f->place);
}

/* From bit `shift` on; its key is above form.shift. */
CW_INLINE bits word_above(word x, uint32_t shift)
{
    return x >> shift;
}

CW_INLINE uint32_t word_place(const struct form *f, word x)
{
    return (uint32_t)(x & f->place);
}

#else

CW_INLINE word word_of(const struct form *f, bits key, uint32_t place)
{
    const word x = {key, place};

    (void)f;
    return x;
}

CW_INLINE bits word_above(word x, uint32_t shift)
{
    return x.key >> shift;
}

CW_INLINE uint32_t word_place(const struct form *f, word x)
{
    (void)f;
    return (uint32_t)x.place;
}

#endif

#endif
