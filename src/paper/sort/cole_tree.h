/* cole_tree.h - where Cole's mergesort (cole.h) keeps its lists, one word a bank.
 *
 * The tree.  Level l has 2^(L-l) nodes, L = ceil(log2 h).  Node v of level l
 * owns rows lo(l, v) .. lo(l, v+1) - 1 with lo(l, v) = floor(v*h / 2^(L-l)), so
 * nodes of a level differ by at most one row.  With h below 2^L this is the tree
 * over 2^L leaves whose missing items are +infinity and are not stored: every
 * list holds its real items first, so a list without its infinite tail has the
 * same indices and the same samples as the whole one.
 *
 * The classes.  f is the level whose lists are complete.  A processor's bank
 * has room for one entry of each class:
 *
 *      U    UP(x), level f                     index i in row lo(x) + i
 *      E    UP(x), levels f+1, f+2, ..         layers 0, 1, ..
 *      D    DOWN(x), levels f, f+1, ..         layers 0, 1, ..
 *      M    M(u), levels f+1, f+2, ..          layers 0, 1, ..
 *      J    jobs of the edge over x, from f    layers 0, 1, ..
 *
 * Layer 0 takes the rows of its node that are not 3 mod 4, in order; layer k > 0
 * those rows 4p + 3 whose p has exactly k - 1 trailing zeros.  So the lists of a
 * class share no bank: what one processor alone reads of a class, in whatever
 * step, collides with nobody who reads that class.  Room: at most 0.52 of a
 * node's rows are asked of the 3/4 in layer 0, 0.08 of the 1/8 in layer 1, an
 * eighth of that in each next layer, and one entry more for the end
 * (tests/paper/test_cole_proof.c counts it).
 *
 * A word holds up to three ranks, and a stamp that says in which stage it was written;
 * h may be 2^20, as on the model.  Below the root lists have at most 2^19 items, so a
 * rank in A or B takes 20 bits.  C is empty at the root; below, it is every fourth
 * item of lists that are samples themselves, fewer than 2^17.  The stamp has 7 bits.
 * A place of M(u) has a layout of its own (cole_node.h).
 */
#ifndef CW_PAPER_SORT_COLE_TREE_H
#define CW_PAPER_SORT_COLE_TREE_H

#include "paper/view.h"

#define COLE_MAX_ROWS (1 << 20)
#define COLE_BASE     3 /* blocks of 2^3 rows are sorted by counting */
#define COLE_NOWHERE  (-1)

enum cole_class { COLE_U, COLE_E, COLE_D };

/* The words of a bank: three for each class of entries, then the others. */
#define COLE_KEY(cls) (3 * (cls))     /* the item */
#define COLE_OPP(cls) (3 * (cls) + 1) /* its rank in the list at the other end of the edge */
#define COLE_REP(cls) (3 * (cls) + 2) /* where it stands in the M it was sent to */
#define COLE_M        9               /* a place of M(u) */
#define COLE_RANKS    10              /* its ranks in the three lists to come */
#define COLE_HOME     11              /* at place 0 of M(u): how many items of each source */
#define COLE_JOB      12              /* a place of a list of jobs */
#define COLE_WORDS    13

/* What a processor knows of the run: the same in all of them, but for row. */
typedef struct cole {
    view v;
    int aux;      /* first auxiliary column */
    int h, top;   /* rows; level of the root */
    int row;      /* the processor's own */
    int stage;    /* 1, 2, .. */
    int third;    /* 1, 2, 3: first, second, third stage of level f */
    int f, f_new; /* the complete level before and after this stage */
} cole;

typedef struct cole_spot {
    int l, v, i; /* level, node, index; l is COLE_NOWHERE if there is none */
} cole_spot;

#define cole_get(s, c, r, col)    bank_read((s), bank_of((c)->v, r), (c)->aux + (col))
#define cole_put(s, c, r, col, x) bank_write((s), bank_of((c)->v, r), (c)->aux + (col), (x))
#define cole_sync(s, c)           view_sync(s, (c)->v)

DEV word cole_pack(int x, int y, int z, int stamp)
{
    return (word)x | (word)y << 20 | (word)z << 40 | (word)stamp << 57;
}

DEV int cole_field(word x, int k)
{
    return (int)(x >> (20 * k) & (k < 2 ? 0xfffff : 0x1ffff));
}

DEV int cole_stamp(word x)
{
    return (int)(x >> 57 & 0x7f);
}

/* First row of node v of level l. */
DEV int cole_lo(const cole *c, int l, int v)
{
    return (int)((word)v * (word)c->h >> (c->top - l));
}

/* The node of level l that owns row r. */
DEV int cole_node(const cole *c, int l, int r)
{
    return (int)((((word)(r + 1) << (c->top - l)) - 1) / (word)c->h);
}

/* The least p = half (mod 2 half) from which a node that begins at row lo counts. */
DEV int cole_first(int lo, int half)
{
    return (lo / 4 + half - 1) / (2 * half) * (2 * half) + half;
}

/* The row of entry i of node v, level l, in a class whose layer 0 is level low. */
DEV int cole_row(const cole *c, int low, int l, int v, int i)
{
    const int lo = cole_lo(c, l, v);

    if (l == low) {
        const int t = lo - lo / 4 + i;

        return t + t / 3;
    } else {
        const int half = 1 << (l - low - 1);

        return 4 * (cole_first(lo, half) + i * 2 * half) + 3;
    }
}

/* The inverse: which entry of such a class the processor's own row is for. */
DEV cole_spot cole_mine(const cole *c, int low)
{
    const int r = c->row;
    cole_spot at;

    at.l = low;
    if (r % 4 == 3) {
        at.l = r / 4 ? low + 1 : c->top + 1;
        for (int p = r / 4; p && p % 2 == 0; p /= 2)
            at.l++;
    }
    at.v = at.i = 0;
    if (at.l > c->top) {
        at.l = COLE_NOWHERE;
    } else {
        int lo;

        at.v = cole_node(c, at.l, r);
        lo = cole_lo(c, at.l, at.v);
        if (at.l == low) {
            at.i = r - r / 4 - (lo - lo / 4);
        } else {
            const int half = 1 << (at.l - low - 1);

            at.i = (r / 4 - cole_first(lo, half)) / (2 * half);
        }
    }
    return at;
}

/* UP(x), x node v of level l, when f is the complete level. */
DEV int cole_up_class(int f, int l)
{
    return l == f ? COLE_U : COLE_E;
}

DEV int cole_up_row(const cole *c, int f, int l, int v, int i)
{
    return l == f ? cole_lo(c, l, v) + i : cole_row(c, f + 1, l, v, i);
}

/* M(u) is the merger of three lists: 0 from the left child, 1 from the right one,
 * 2 from the parent.  Leaving one of them out gives the list whose samples go
 * there: DOWN(left), DOWN(right), UP(u).  The row of its entry i: */
DEV int cole_list_row(const cole *c, int f, int l, int v, int out, int i)
{
    return out == 2 ? cole_up_row(c, f, l, v, i) : cole_row(c, f, l - 1, 2 * v + out, i);
}

/* Of how many items of UP(x), x on level l, one is sent up in a stage. */
DEV int cole_rate(int f, int third, int l)
{
    return l > f || third == 1 ? 4 : third == 2 ? 2 : 1;
}

#endif
