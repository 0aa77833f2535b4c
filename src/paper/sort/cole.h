/* cole.h - a column sorted by Cole's parallel mergesort: O(log h) steps, one word a bank.
 *
 * Theorem 2 sorts columns of h items by h processors, one a row, with an EREW PRAM
 * sort (Cole, "Parallel merge sort", SIAM J. Comput. 17, 1988).  Here EREW holds of
 * banks, not of words only: no bank is asked twice in a step, Cole's own arrays
 * included.
 *
 * The algorithm.  Node u of a binary tree over the rows hears, in each stage, from
 * its three neighbours: a sorted list A from the left child, B from the right one,
 * C from the parent.  It merges them, M(u) = A u B u C, and sends to each neighbour
 * a sample of what it heard from the other two: every fourth item of
 *
 *      UP(u) = A u B  to the parent,  DOWN(left) = B u C,  DOWN(right) = A u C.
 *
 * (In Cole's words UP(u) = SUP(left) u SUP(right), DOWN(left) = SUP(right) u SDOWN(u).)
 * On the lowest level f whose UP is complete, samples are every 4th, 2nd, then every
 * item in three stages; then level f + 1 is complete and f is forgotten.  Lists
 * double in a stage, and between two neighbours in a sample there are at most 3
 * items of the next one (more generally 2k + 1 between k + 1 of them); so each gap
 * of M(u) is merged in constant time, if it is known what falls into it.  Known it
 * is because of the invariant of every edge: an item of UP(x) knows its rank in
 * DOWN(x), and the other way round.
 *
 *      cole_tree.h   which bank holds which entry of which list
 *      cole_node.h   the gaps of M(u), and what falls into them, merged
 *      cole_send.h   samples go to the next M(u), UP(u), DOWN(children)
 *      cole_edge.h   the invariant restored, in the gaps of the samples of both ends
 *
 * Where it departs from Cole: he merges UP(u) and the two DOWN one after the other;
 * as all three are mergers of two of A, B, C, one merger of the three serves, and an
 * item of C is read once, not twice.  Ranks in UP(x) x DOWN(x) are found by one list
 * of gaps an edge, so that a processor has one gap to merge.  Blocks of 2^3 rows are
 * sorted by counting, not by 9 stages.  Any h is taken (cole_tree.h).
 *
 * Equal items need no second key.  Where two items meet for the first time, any order
 * will do; the places of M(u) and the jobs of an edge remember it.  All that is asked
 * is that ranks do not fall along M(u), and they do not: two items from b and c have
 * their ranks in A by their order in DOWN(left), which is theirs in M(u); and an item
 * from a bounds a job, so that what M(u) has before it is ranked no higher.  The cover
 * lemma counts items between places of M(u), and asks no more than this either.
 *
 * Why no bank is asked twice: between two syncs either every processor asks its own
 * bank, or all ask for entries of one class, of which a bank has one, and each entry
 * is asked for by the one processor that leads its gap or keeps its item.  So it
 * does not matter in which step a processor asks, and loops may differ in length.
 *
 * Time:  3 (ceil(log2 h) - 3) stages of at most COLE_STAGE_STEPS, and COLE_OTHER_STEPS
 *        (h > 8); how many of these are used depends on the data, about half.
 * Space: COLE_WORDS words a bank, registers for COLE_GAP items.  Up to three ranks
 *        share a word, hence COLE_MAX_ROWS.
 */
#ifndef CW_PAPER_SORT_COLE_H
#define CW_PAPER_SORT_COLE_H

#include "paper/sort/cole_edge.h"
#include "paper/sort/cole_node.h"
#include "paper/sort/cole_send.h"

/* ranks 10, merge 30, sizes 5, samples 25, edges 65: see the loops there. */
#define COLE_STAGE_STEPS 135
#define COLE_OTHER_STEPS 20

/* Sort blocks of at most 8 rows: every item counts those before it in its block.
 * In round t processor i of a block of n reads row i + t mod n. */
DEV void cole_blocks(mem s, const cole *c, int column, int desc)
{
    const int v = cole_node(c, c->f, c->row);
    const int lo = cole_lo(c, c->f, v), n = cole_lo(c, c->f, v + 1) - lo;
    const int i = c->row - lo;
    word x = 0;
    int rank = 0;

    cole_sync(s, c);
    for (int t = 0; t < n; t++) {
        const int j = i + t < n ? i + t : i + t - n;
        word y = get(s, c->v, lo + j, column);

        if (desc)
            y = ~y;
        if (t == 0)
            x = y;
        rank += y < x || (y == x && j < i);
    }
    cole_sync(s, c);
    cole_put(s, c, lo + rank, COLE_KEY(COLE_U), x);
    cole_sync(s, c);
}

/* In the beginning all lists above level f are empty, and no stamp is valid.  A first
 * sample of at most 2 of 8 items keeps to the 3 that a gap may hold. */
DEV void cole_clear(mem s, const cole *c)
{
    const cole_spot m = cole_mine(c, c->f + 1);
    int n0 = 0, n1 = 0;

    if (m.l == c->f + 1) {
        n0 = cole_lo(c, c->f, 2 * m.v + 1) - cole_lo(c, c->f, 2 * m.v);
        n1 = cole_lo(c, c->f, 2 * m.v + 2) - cole_lo(c, c->f, 2 * m.v + 1);
    }
    for (int cls = COLE_U; cls <= COLE_D; cls++) {
        cole_put(s, c, c->row, COLE_OPP(cls), 0);
        cole_put(s, c, c->row, COLE_REP(cls), 0);
    }
    cole_put(s, c, c->row, COLE_JOB, 0);
    cole_put(s, c, c->row, COLE_M,
             m.l != COLE_NOWHERE && m.i == 0 ? cole_pack_place(COLE_END, 0, 0, 0, 1) : 0);
    cole_put(s, c, c->row, COLE_RANKS, cole_pack(n0 / 4, n1 / 4, 0, 0));
    cole_sync(s, c);
}

/* Sort column `column` of v, in descending order if desc; columns aux .. aux +
 * COLE_WORDS - 1 are overwritten.  v.h <= COLE_MAX_ROWS. */
DEV void cole_sort_column(mem s, view v, int column, int desc, int aux)
{
    cole c;
    word x;

    c.v = v;
    c.aux = aux;
    c.h = v.h;
    c.row = view_row(s, v);
    for (c.top = 0; 1 << c.top < v.h;)
        c.top++;
    c.f = c.top < COLE_BASE ? c.top : COLE_BASE;
    c.stage = c.third = 1;
    cole_blocks(s, &c, column, desc);
    if (c.f < c.top)
        cole_clear(s, &c);
    while (c.f < c.top) {
        cole_place m;
        int size[3];

        c.f_new = c.f + (c.third == 3);
        m = cole_ranks(s, &c);
        cole_merge(s, &c, &m);
        cole_sizes(s, &c, &m, size);
        cole_samples(s, &c, &m, size);
        cole_edges(s, &c);
        view_phase(s, v, "cole-stage"); /* f_new is complete, every edge ranked */
        c.third = c.third % 3 + 1;
        c.f = c.f_new;
        c.stage++;
    }
    x = cole_get(s, &c, c.row, COLE_KEY(COLE_U));
    put(s, v, c.row, column, desc ? ~x : x);
    cole_sync(s, &c);
}

#endif
