/* vectors.h - words sorted by vectors alone, up to CW_VECTORS_MOST of them. */
#ifndef CW_CPU_SORT_VECTORS_H
#define CW_CPU_SORT_VECTORS_H

#include "cpu/work.h"

#define CW_VECTORS_MOST ((size_t)1 << 30) /* words */

/* Where pivots are taken, and how many bad ones, one below the other, there may be. */
struct cw_pivots {
    uint64_t random;
    uint32_t alert;    /* one was bad */
    uint32_t left;     /* that may be */
    uint32_t foreseen; /* for tests: seeds made later follow from the first one */
};

/* Words that the sort is about to begin with, where they are, and where they end.  `work` is room for as many. */
struct cw_stretch {
    const void *from; /* `out`, `work`, or an array that is left as it is */
    void *out, *work;
    uint32_t n;
};

/* Sort them. */
typedef void cw_words_sort(struct cw_pivots *p, const struct cw_stretch *s);

/* Part them: the lesser words to the front of low->out, from there; the others to the front of their work.  What is between
 * the two, and is in place, is left out of both. */
typedef void cw_words_part(struct cw_pivots *p, const struct cw_stretch *s, struct cw_stretch *low,
                           struct cw_stretch *high);

struct cw_vectors {
    uint32_t least; /* words that are sorted at once */
    cw_words_sort *sort;
    cw_words_part *part;
};

/* For words of a kind, on the processors that have these columns; NULL where there are none. */
const struct cw_vectors *cw_vectors_of(const struct cw_columns *columns, uint32_t kind);

/* For words of 2 bytes: not every processor that has the others can press these together. */
const struct cw_vectors *cw_vectors2_of(const struct cw_columns *columns);

#endif
