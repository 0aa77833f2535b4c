/* cuts.h - which bucket a key belongs to.
 *
 * Both ways are made from a sample of the bucket, and take any key.
 *
 * Digits: y = x - least, limited to the range of the sample, goes to cell y >> shift; a cell has
 * 2^k buckets, by the next k bits, so many as make all buckets about equally full.  So keys that
 * crowd, as floats do at some exponents, are told apart by more bits than others:
 *
 *      bucket = base(c) + (y >> shift(c))        c = y >> shift
 *
 * with what the bits of c add to y >> shift(c) taken off the base.
 *
 * Where there are fewer words than a pass has buckets, each has its own, and one pass sorts.
 *
 * Splitters: a search tree of 2^levels - 1 keys of the sample, ordered as a heap is.  Keys between
 * two splitters have a bucket, and so do those equal to one: where many are equal, they are done
 * with.  Keys are compared and nothing else.
 *
 * The tree, which is searched without branches: Sanders and Winkel (Super Scalar Sample Sort, 2004);
 * buckets for keys that equal a splitter: Axtmann, Witt, Ferizovic and Sanders (2017).  Digits of
 * different widths, fitted to a sample, are this library's.
 */
#ifndef CW_CPU_SORT_CUTS_H
#define CW_CPU_SORT_CUTS_H

#include "cpu/sort/work.h"

#define CW_CUTS_CELLS  256u
#define CW_CUTS_LEVELS 10u

/* A cell: its base modulo 2^16, which is all that a bucket's number takes, and above that 16 bits
 * of shift. */
typedef uint32_t cw_cell;

struct cw_cuts {
    uint32_t buckets;
    uint32_t levels; /* of the tree; 0: digits */
    uint32_t single; /* a bucket has one word, whatever the keys are */
    uint64_t least, most;
    uint32_t shift;
    double large;  /* share of the sample that is in buckets larger than they should be */
    uint32_t even; /* all cells have as many buckets, which are numbered by y >> even; or 64 */
    cw_cell cell[CW_CUTS_CELLS];
    /* For keys of 8 bytes and for shorter ones: the tree from [1] on, and all splitters in order,
     * with the greatest again behind them. */
    union {
        uint64_t of8[1u << CW_CUTS_LEVELS];
        uint32_t of4[1u << CW_CUTS_LEVELS];
    } tree, splitter;
};

/* Are there so few words that one pass has a bucket for each? */
static inline int cw_cuts_single(const struct cw_sorter *s)
{
    return s->range < CW_SORT_BUCKETS && !s->compare;
}

/* Cut a bucket of `items` into about `buckets`, a power of two up to CW_SORT_BUCKETS, knowing its
 * sample: `n` keys (the bits that count), sorted.  Splitters if `split`, or if digits would leave
 * most of the sample in buckets that are too large. */
void cw_cuts_make(const struct cw_sorter *s, const uint64_t *sample, uint32_t n, size_t items,
                  uint32_t buckets, int split, struct cw_cuts *out);

#endif
