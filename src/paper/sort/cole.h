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
 * Time:  3 (ceil(log2 h) - 3) stages of at most COLE_STAGE_STEPS, and at most
 *        COLE_OTHER_STEPS; how many of these are used depends on the data.  Barriers end a
 *        loop with its slowest row, which no row can know: with v.worst every part of a stage
 *        runs to its bound, and cole_worst_steps is exact.
 *
 * The bound of a stage, as the sum over stretches between two syncs of the most that one
 * processor asks in it:
 *
 *   ranks 10    own M and its ranks 2; copies, class E 1 and class D 2; own ranks 1; the left
 *               neighbour's 1; told to the copies 1 and 2
 *   merge 30    a gap has at most 3 items of each of A, B, C: classes U and E two lists each,
 *               D one: 6 + 6 + 3 reads, and as many answers
 *   sizes 5     the own home 1, two children 2, the parent 1 for left nodes, 1 for right ones
 *   samples 25  three words of one sample each of U, E and D 9; their places 3, and an end's 2;
 *               copies up 1 and 1, down 1, 1 and 2; jobs 3, and an end's 2
 *   edges 65    two jobs 2; class U read 12, E read 12; D read and written 24; E written 12.  U
 *               written 3: only every rate-th item of U is, and its gaps hold at most 4, 2 and 12
 *               items where the rate to come is 2, 1 and 4
 *
 * The most that a hill climber found (tests/paper/test_cole_worst.c, with CW_LONG=1), beside this bound:
 * 288 of 830 steps at 32 rows, 746 of 1640 at 128, 1305 of 2450 at 512, 1621 of 2855 at 1024.
 *
 * Space: COLE_WORDS words a bank, registers for COLE_GAP items.  Up to three ranks
 *        share a word (cole_tree.h), hence COLE_MAX_ROWS.
 */
#ifndef CW_PAPER_SORT_COLE_H
#define CW_PAPER_SORT_COLE_H

#include "paper/sort/cole_edge.h"
#include "paper/sort/cole_node.h"
#include "paper/sort/cole_send.h"

/* Steps of the parts of a stage, at most. */
enum {
    COLE_RANKS_STEPS = 10,
    COLE_MERGE_STEPS = 30,
    COLE_SIZES_STEPS = 5,
    COLE_SAMPLES_STEPS = 25,
    COLE_EDGES_STEPS = 65
};

#define COLE_STAGE_STEPS 135 /* their sum */
#define COLE_OTHER_STEPS 20

/* Steps of cole_sort_column with v.worst: blocks of n rows n + 1, clear 9, the last two. */
DEV long long cole_worst_steps(int h)
{
    int top = 0, f;

    while (1 << top < h)
        top++;
    f = top < COLE_BASE ? top : COLE_BASE;
    return (h + (1 << (top - f)) - 1) / (1 << (top - f)) + 3 + (f < top ? 9 : 0) +
           3LL * (top - f) * COLE_STAGE_STEPS;
}

/* The part that began when the clock showed *from is over: to its bound. */
DEV void cole_pace(mem s, const cole *c, long long *from, int length)
{
    if (c->v.worst)
        lane_pace(s, *from, length);
    *from = lane_clock(s);
}

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
        long long from = lane_clock(s);
        cole_place m;
        int size[3];

        c.f_new = c.f + (c.third == 3);
        m = cole_ranks(s, &c);
        cole_pace(s, &c, &from, COLE_RANKS_STEPS);
        cole_merge(s, &c, &m);
        cole_pace(s, &c, &from, COLE_MERGE_STEPS);
        cole_sizes(s, &c, &m, size);
        cole_pace(s, &c, &from, COLE_SIZES_STEPS);
        cole_samples(s, &c, &m, size);
        cole_pace(s, &c, &from, COLE_SAMPLES_STEPS);
        cole_edges(s, &c);
        cole_pace(s, &c, &from, COLE_EDGES_STEPS);
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
