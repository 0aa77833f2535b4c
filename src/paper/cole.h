#ifndef CW_PAPER_COLE_H
#define CW_PAPER_COLE_H

#include "paper/cole_edge.h"
#include "paper/cole_node.h"
#include "paper/cole_send.h"

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

/* All lists above level f are empty; no stamp is valid. */
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

        c.f_new = c.f + (c.third == 3);
        m = cole_ranks(s, &c);
        cole_merge(s, &c, &m);
        cole_end(s, &c, &m);
        cole_samples(s, &c);
        cole_edges(s, &c);
        c.third = c.third % 3 + 1;
        c.f = c.f_new;
        c.stage++;
    }
    x = cole_get(s, &c, c.row, COLE_KEY(COLE_U));
    put(s, v, c.row, column, desc ? ~x : x);
    cole_sync(s, &c);
}

#endif
