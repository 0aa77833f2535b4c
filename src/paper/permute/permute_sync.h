/* permute_sync.h - what the parts of the randomised permutation share.
 *
 * The layout of memory, and the agreement of all rows on a sum and a maximum: how
 * many labels are left, and how many the fullest row has.
 *
 * Agreement.  After round b (b = 1, 2, 4, ..) the word of row p is the join of rows
 * p .. p + b - 1 (mod w): it read the word of row p + b/2.  A sum must count every
 * row once, so the blocks of the binary digits of w are laid end to end: where w has
 * the digit b, row p also reads the block of b rows that begins at p + (w mod b).
 * All reads are rotations p -> p + d, all writes are to the own row: each bank is
 * asked once a step.  All rows know the result at once, so nothing is broadcast.
 *
 * Time:  1 + 2 floor(lg w) + (ones in w) steps; a tree that sums and then broadcasts
 *        takes 4 ceil(lg w).   Space: a word a row.
 * Departs from the paper, which gives O(log w + m) and no method.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_SYNC_H
#define CW_PAPER_PERMUTE_PERMUTE_SYNC_H

#include "dev/dev.h"

/* Tests define this to run with one rule broken (see tests/paper/test_permute.c). */
#ifndef PERMUTE_MUTANT
#define PERMUTE_MUTANT 0
#endif

enum {
    MUTANT_NONE,
    MUTANT_COLOUR, /* the colour is taken from the row that holds the label */
    MUTANT_RING,   /* hash words are passed round for S steps only */
    MUTANT_PACK,   /* wide rows push up or down, not all one way */
    MUTANT_LAST    /* the last group is sent also where it is the first group */
};

#define PERMUTE_NIL WORD_MAX
#define PERMUTE_LOW ((word)0xffffffff)

/* What every processor knows.  The columns below are m wide where not said. */
typedef struct permuter {
    int w, m;
    int me;    /* this processor's row */
    int items; /* labels not yet delivered */
    int head;  /* first slot of each colour's list; the packed labels in the end */
    int next;  /* the slot behind this one in its list; must follow head */
    int hash;  /* the hash function: shape.words */
    int relay; /* hash words on their way: shape.relay */
    int sync;  /* 1 */
    int worst; /* loops run to the length that all rows know */
} permuter;

#define all_sync(s, e) group_sync((s), 0, 1, (e).w)

/* The end of a phase; the labels stand at column `at`. */
#define all_phase(s, e, at, name) phase_mark((s), 0, 1, (e).w, (at), (e).m, (name))

/* A label is row*m + column, in the upper half of its word. */
#define item_row(e, x) ((int)((x) >> 32) / (e).m)
#define item_col(e, x) ((int)((x) >> 32) % (e).m)

/* Row p + d, 0 <= d < w. */
DEV int row_after(int p, int d, int w)
{
    return p + d < w ? p + d : p + d - w;
}

/* Two pairs (maximum, sum), the maximum in the upper half. */
DEV word sync_join(word x, word y)
{
    const word most = x >> 32 > y >> 32 ? x >> 32 : y >> 32;

    return most << 32 | ((x & PERMUTE_LOW) + (y & PERMUTE_LOW));
}

/* The maximum (upper half) and the sum (lower half) of all rows' counts. */
DEV word sync_counts(mem s, permuter e, int count)
{
    word part = (word)count << 32 | (word)count, all = 0;

    all_sync(s, e);
    bank_write(s, e.me, e.sync, part);
    for (int b = 1; b <= e.w; b *= 2) { /* part: rows me .. me + b - 1 */
        all_sync(s, e);
        if (e.w & b)
            all = sync_join(all, bank_read(s, row_after(e.me, e.w & (b - 1), e.w), e.sync));
        if (2 * b <= e.w) {
            part = sync_join(part, bank_read(s, row_after(e.me, b, e.w), e.sync));
            all_sync(s, e); /* everyone has read the blocks of b rows */
            bank_write(s, e.me, e.sync, part);
        }
    }
    all_sync(s, e);
    return all;
}

#endif
