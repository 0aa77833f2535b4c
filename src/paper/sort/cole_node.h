/* cole_node.h - the first part of a stage of cole.h: the lists at the nodes.
 *
 * M(u) = A' u B' u C', the samples of the last stage, lies in class M with one
 * place more for its end.  The processor of a place leads the gap before it.
 *
 *   ranks    it looks up its item's two copies (in the lists that leave out one
 *            of the other two sources), which hold the item's rank in the list at
 *            the other end of that edge; the third rank came with the item.
 *            Divided by the rate of sampling these are its ranks in the new
 *            samples A, B, C, and their sums its ranks in the next lists of u.
 *   merge    its own and its left neighbour's ranks bound what falls into the gap,
 *            at most 3 items of each of A, B, C (Cole's cover lemma).  It reads
 *            them, and answers each with the number of A, B, C before it.
 *   sizes    the place at the end knows |A|, |B|, |C|; it asks the neighbours of u
 *            for theirs, to set up the next end and the last jobs of two edges.
 *
 * Between two syncs only one class is touched, and an entry only by one
 * processor: a copy by its item's place, a sample by its gap, an M by its right
 * neighbour, a home by one neighbour of the node (children take turns).
 */
#ifndef CW_PAPER_SORT_COLE_NODE_H
#define CW_PAPER_SORT_COLE_NODE_H

#include "paper/sort/cole_tree.h"

#define COLE_END 3 /* the source of the end of M(u) */

/* A place of M(u), u = (at.l, at.v). */
typedef struct cole_place {
    cole_spot at;  /* COLE_NOWHERE: the bank holds none now */
    int from;      /* 0, 1, 2: from the left, right child, the parent; COLE_END */
    int before[3]; /* items of each source before it */
    int rank[3];   /* items of each list to come before it */
    int left[3];   /* the same of the place before */
} cole_place;

/* The word of a place: 37 bits for n0 and n1, items of A' and B' before it, 19 for its rank in the
 * list to come, which it is in, 6 for the stamp, 2 for the source.  M(u) is kept until the
 * children are complete, so A' and B' are at most every second item of theirs: each has at most a
 * quarter of all rows, and (2^18 + 1)^2 < 2^37.  There are at most 3 * 17 stages. */
#define COLE_QUARTER ((word)COLE_MAX_ROWS / 4 + 1)

DEV word cole_pack_place(int from, int n0, int n1, int nxt, int stamp)
{
    return ((word)n0 + (word)n1 * COLE_QUARTER) | (word)nxt << 37 | (word)stamp << 56 |
           (word)from << 62;
}

DEV int cole_list_class(int out)
{
    return out == 2 ? COLE_E : COLE_D;
}

/* What the processor's own bank says; the ranks are still to be found, but for the end. */
DEV cole_place cole_place_read(mem s, const cole *c, int *nxt)
{
    cole_place m;
    word x;

    m.at = cole_mine(c, c->f + 1);
    x = cole_get(s, c, c->row, COLE_M);
    if ((int)(x >> 56 & 0x3f) != c->stage)
        m.at.l = COLE_NOWHERE;
    m.from = (int)(x >> 62);
    *nxt = (int)(x >> 37 & 0x7ffff);
    x &= ((word)1 << 37) - 1;
    m.before[0] = (int)(x % COLE_QUARTER);
    m.before[1] = (int)(x / COLE_QUARTER);
    m.before[2] = m.at.i - m.before[0] - m.before[1];
    for (int k = 0; k < 3; k++)
        m.rank[k] = m.left[k] = 0;
    if (m.at.l != COLE_NOWHERE && m.from == COLE_END) {
        x = cole_get(s, c, c->row, COLE_RANKS);
        for (int k = 0; k < 3; k++)
            m.rank[k] = cole_field(x, k);
    }
    return m;
}

/* The item's copies are visited in the order 2 (class E), 0, 1 (class D). */
DEV int cole_visit(int p)
{
    return p == 0 ? 2 : p - 1;
}

/* Is there a copy in the list that leaves out source k? */
DEV int cole_copied(const cole_place *m, int k)
{
    return m->at.l != COLE_NOWHERE && m->from != COLE_END && m->from != k;
}

/* The ranks of every place in the samples to come, from its copies. */
DEV void cole_look_up(mem s, const cole *c, cole_place *m, int nxt, int opp[3])
{
    const int rate[3] = {cole_rate(c->f, c->third, m->at.l - 1),
                         cole_rate(c->f, c->third, m->at.l - 1), 4};

    for (int p = 0; p < 3; p++) {
        const int k = cole_visit(p);

        if (p < 2)
            cole_sync(s, c);
        opp[k] = 0;
        if (cole_copied(m, k) && !(k == 2 && m->at.l == c->top)) {
            const int r = cole_list_row(c, c->f, m->at.l, m->at.v, k, m->at.i - m->before[k]);

            opp[k] = cole_field(cole_get(s, c, r, COLE_OPP(cole_list_class(k))), 1);
            m->rank[k] = opp[k] / rate[k];
        }
    }
    if (m->at.l != COLE_NOWHERE && m->from != COLE_END)
        m->rank[m->from] = nxt / rate[m->from];
}

/* Tell the copies that are samples what they will bound: their ranks in the next
 * version of their list, and (unchanged) in the list at the other end. */
DEV void cole_tell(mem s, const cole *c, const cole_place *m, const int opp[3])
{
    for (int p = 0; p < 3; p++) {
        const int k = cole_visit(p);
        const int i = m->at.i - m->before[k];

        if (p < 2)
            cole_sync(s, c);
        if (cole_copied(m, k) && i % 4 == 3) {
            const int r = cole_list_row(c, c->f, m->at.l, m->at.v, k, i);
            const int next = m->rank[0] + m->rank[1] + m->rank[2] - m->rank[k];

            cole_put(s, c, r, COLE_OPP(cole_list_class(k)), cole_pack(next, opp[k], 0, c->stage));
        }
    }
}

DEV cole_place cole_ranks(mem s, const cole *c)
{
    int nxt, opp[3];
    cole_place m = cole_place_read(s, c, &nxt);

    cole_look_up(s, c, &m, nxt, opp);
    cole_sync(s, c);
    if (m.at.l != COLE_NOWHERE)
        cole_put(s, c, c->row, COLE_RANKS, cole_pack(m.rank[0], m.rank[1], m.rank[2], 0));
    cole_sync(s, c);
    if (m.at.l != COLE_NOWHERE && m.at.i) {
        const int r = cole_row(c, c->f + 1, m.at.l, m.at.v, m.at.i - 1);
        const word x = cole_get(s, c, r, COLE_RANKS);

        for (int k = 0; k < 3; k++)
            m.left[k] = cole_field(x, k);
    }
    cole_tell(s, c, &m, opp);
    return m;
}

/* The row of item j of the list that comes to u from source k. */
DEV int cole_sample_row(const cole *c, const cole_place *m, int k, int j)
{
    if (k == 2)
        return cole_row(c, c->f, m->at.l, m->at.v, 4 * j + 3);
    return cole_up_row(c, c->f, m->at.l - 1, 2 * m->at.v + k,
                       (j + 1) * cole_rate(c->f, c->third, m->at.l - 1) - 1);
}

DEV int cole_sample_class(const cole *c, const cole_place *m, int k)
{
    return k == 2 ? COLE_D : cole_up_class(c->f, m->at.l - 1);
}

/* Read what falls into the gap, class after class. */
DEV void cole_gap_read(mem s, const cole *c, const cole_place *m, word key[3][3])
{
    for (int cls = COLE_U; cls <= COLE_D; cls++) {
        cole_sync(s, c);
        for (int k = 0; k < 3; k++) {
            if (m->at.l == COLE_NOWHERE || cole_sample_class(c, m, k) != cls)
                continue;
            for (int j = m->left[k]; j < m->rank[k]; j++)
                key[k][j - m->left[k]] = cole_get(s, c, cole_sample_row(c, m, k, j), COLE_KEY(cls));
        }
    }
}

/* The place of item j of source k in the merger of the gap: how many of each source
 * stand before it.  Of equal items that from the lower source comes first. */
DEV word cole_gap_place(const cole *c, const cole_place *m, word key[3][3], int k, int j)
{
    int n[3];

    for (int q = 0; q < 3; q++) {
        n[q] = m->left[q];
        for (int i = 0; i < m->rank[q] - m->left[q]; i++)
            n[q] += q == k ? i < j : q < k ? key[q][i] <= key[k][j] : key[q][i] < key[k][j];
    }
    return cole_pack(n[0], n[1], n[2], c->stage);
}

/* Merge the gap, and tell every sample in it how many of each list stand before it. */
DEV void cole_merge(mem s, const cole *c, const cole_place *m)
{
    word key[3][3];

    cole_gap_read(s, c, m, key);
    for (int cls = COLE_U; cls <= COLE_D; cls++) {
        cole_sync(s, c);
        for (int k = 0; k < 3; k++) {
            if (m->at.l == COLE_NOWHERE || cole_sample_class(c, m, k) != cls)
                continue;
            for (int j = 0; j < m->rank[k] - m->left[k]; j++)
                cole_put(s, c, cole_sample_row(c, m, k, m->left[k] + j), COLE_REP(cls),
                         cole_gap_place(c, m, key, k, j));
        }
    }
}

/* How many items the next UP(x) has, x the child of u on side k. */
DEV int cole_up_size(mem s, const cole *c, const cole_place *m, int k)
{
    const int l = m->at.l - 1, v = 2 * m->at.v + k;
    word x;

    if (l == c->f_new)
        return cole_lo(c, l, v + 1) - cole_lo(c, l, v);
    x = cole_get(s, c, cole_row(c, c->f_new + 1, l, v, 0), COLE_HOME);
    return cole_field(x, 0) + cole_field(x, 1);
}

/* For the end of M(u): size[k] becomes the length of the next list at the other end
 * of edge k.  Ends leave the size of their own node at its home and visit those of
 * its children, then the left children's that of their parent, then the right ones'. */
DEV void cole_sizes(mem s, const cole *c, const cole_place *m, int size[3])
{
    const int on = m->at.l > c->f_new && m->from == COLE_END;
    const int low = c->f_new + 1, l = m->at.l, v = m->at.v;

    size[0] = size[1] = size[2] = 0;
    cole_sync(s, c);
    if (on)
        cole_put(s, c, cole_row(c, low, l, v, 0), COLE_HOME,
                 cole_pack(m->rank[0], m->rank[1], m->rank[2], 0));
    cole_sync(s, c);
    for (int k = 0; k < 2 && on; k++)
        size[k] = cole_up_size(s, c, m, k);
    for (int side = 0; side < 2; side++) {
        cole_sync(s, c);
        if (on && l < c->top && v % 2 == side) {
            const word x = cole_get(s, c, cole_row(c, low, l + 1, v / 2, 0), COLE_HOME);

            size[2] = cole_field(x, 1 - side) + cole_field(x, 2);
        }
    }
}

#endif
