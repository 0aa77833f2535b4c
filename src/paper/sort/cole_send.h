/* cole_send.h - the second part of a stage of cole.h: every sample goes to its new places.
 *
 * A sample knows, from the answer of its gap, where it stands in the next M(u).
 * Its processor writes it there, and its two copies into the next lists of u; and
 * it writes a job for the edge that it was sent over: a gap between samples of
 * either end, by the ranks of the sample in the next lists of both ends.
 *
 * A processor has up to three samples, one a class, and perhaps an end of M(u).  It
 * reads them first (own bank) and sends them then, target by target: no two have one
 * target, and targets of one class share no bank.
 */
#ifndef CW_PAPER_SORT_COLE_SEND_H
#define CW_PAPER_SORT_COLE_SEND_H

#include "paper/sort/cole_node.h"

typedef struct cole_sample {
    cole_spot to; /* place i of the next M(u); COLE_NOWHERE: not sent */
    int from;
    int before[3];
    int nxt; /* its rank in the next version of the list that it was taken from */
    word key;
    cole_spot job; /* job i of the edge over (l, v); COLE_NOWHERE: none */
    int up, down;  /* its ranks in the next lists of that edge */
} cole_sample;

/* Take the answer: where the sample goes.  0: it was asked by nobody. */
DEV int cole_answer(mem s, const cole *c, int cls, cole_sample *a)
{
    const word x = cole_get(s, c, c->row, COLE_REP(cls));

    if (cole_stamp(x) != c->stage)
        return 0;
    for (int k = 0; k < 3; k++)
        a->before[k] = cole_field(x, k);
    a->to.i = a->before[0] + a->before[1] + a->before[2];
    a->key = cole_get(s, c, c->row, COLE_KEY(cls));
    return 1;
}

/* The sample of UP(x) that the processor has in class U or E. */
DEV cole_sample cole_up_sample(mem s, const cole *c, int cls)
{
    cole_spot at;
    cole_sample a;
    word x;

    a.to.l = a.job.l = COLE_NOWHERE;
    if (cls == COLE_U) {
        at.l = c->f;
        at.v = cole_node(c, c->f, c->row);
        at.i = c->row - cole_lo(c, c->f, at.v);
    } else {
        at = cole_mine(c, c->f + 1);
    }
    if (at.l == COLE_NOWHERE || !cole_answer(s, c, cls, &a))
        return a;
    x = cole_get(s, c, c->row, COLE_OPP(cls));
    a.from = at.v % 2;
    a.nxt = cls == COLE_U ? at.i : cole_field(x, 0);
    a.to.l = at.l + 1;
    a.to.v = at.v / 2;
    a.job.l = at.l;
    a.job.v = at.v;
    a.job.i = a.before[a.from] + cole_field(x, 1) / 4;
    a.up = a.nxt;
    a.down = a.to.i - a.before[a.from];
    return a;
}

/* The sample of DOWN(x) that it has in class D.  On level f it is not sent, since
 * UP(x) is complete; but it still bounds a job. */
DEV cole_sample cole_down_sample(mem s, const cole *c)
{
    const cole_spot at = cole_mine(c, c->f);
    cole_sample a;
    word x;

    a.to.l = a.job.l = COLE_NOWHERE;
    if (at.l == COLE_NOWHERE || (at.l == c->f && at.i % 4 != 3))
        return a;
    if (at.l > c->f) {
        if (!cole_answer(s, c, COLE_D, &a))
            return a;
        a.to.l = at.l;
        a.to.v = at.v;
    }
    x = cole_get(s, c, c->row, COLE_OPP(COLE_D));
    if (at.l == c->f && cole_stamp(x) != c->stage)
        return a;
    a.from = 2;
    a.nxt = cole_field(x, 0);
    a.job.l = at.l;
    a.job.v = at.v;
    a.job.i = at.i / 4 + cole_field(x, 1) / cole_rate(c->f, c->third, at.l);
    a.up = at.l == c->f ? cole_field(x, 1) : a.before[0] + a.before[1];
    a.down = a.nxt;
    return a;
}

/* Its place in the next M(u). */
DEV void cole_send_place(mem s, const cole *c, const cole_sample *a)
{
    if (a->to.l > c->f_new)
        cole_put(s, c, cole_row(c, c->f_new + 1, a->to.l, a->to.v, a->to.i), COLE_M,
                 cole_pack_place(a->from, a->before[0], a->before[1], a->nxt, c->stage + 1));
}

/* Its copy in the next UP(u), if it does not come from the parent. */
DEV void cole_send_up(mem s, const cole *c, const cole_sample *a)
{
    if (a->to.l >= c->f_new && a->from != 2)
        cole_put(s, c, cole_up_row(c, c->f_new, a->to.l, a->to.v, a->before[0] + a->before[1]),
                 COLE_KEY(cole_up_class(c->f_new, a->to.l)), a->key);
}

/* Its copies in the next DOWN of those children that it does not come from. */
DEV void cole_send_down(mem s, const cole *c, const cole_sample *a)
{
    for (int k = 0; k < 2 && a->to.l > c->f_new; k++) {
        const int r = cole_row(c, c->f_new, a->to.l - 1, 2 * a->to.v + k, a->to.i - a->before[k]);

        if (k != a->from)
            cole_put(s, c, r, COLE_KEY(COLE_D), a->key);
    }
}

DEV void cole_send_job(mem s, const cole *c, const cole_sample *a)
{
    if (a->job.l >= c->f_new)
        cole_put(s, c, cole_row(c, c->f_new, a->job.l, a->job.v, a->job.i), COLE_JOB,
                 cole_pack(a->up, a->down, 0, c->stage));
}

/* The end of the next M(u), with its ranks in the samples after those. */
DEV void cole_send_end(mem s, const cole *c, const cole_place *m, const int size[3])
{
    const int all = m->rank[0] + m->rank[1] + m->rank[2];
    const int r = cole_row(c, c->f_new + 1, m->at.l, m->at.v, all);
    const int rate = cole_rate(c->f_new, c->third % 3 + 1, m->at.l - 1);

    cole_put(s, c, r, COLE_M, cole_pack_place(COLE_END, m->rank[0], m->rank[1], 0, c->stage + 1));
    cole_put(s, c, r, COLE_RANKS, cole_pack(size[0] / rate, size[1] / rate, size[2] / 4, 0));
}

/* The last job of the edge to child k: behind all samples, so all of both lists. */
DEV void cole_send_end_job(mem s, const cole *c, const cole_place *m, const int size[3], int k)
{
    const int all = m->rank[0] + m->rank[1] + m->rank[2];
    const int i = m->rank[k] + (m->at.i - m->before[k]) / 4;

    cole_put(s, c, cole_row(c, c->f_new, m->at.l - 1, 2 * m->at.v + k, i), COLE_JOB,
             cole_pack(size[k], all - m->rank[k], 0, c->stage));
}

/* All samples of the stage, and the ends. */
DEV void cole_samples(mem s, const cole *c, const cole_place *m, const int size[3])
{
    const int end = m->at.l > c->f_new && m->from == COLE_END;
    cole_sample u, e, d;

    cole_sync(s, c);
    u = cole_up_sample(s, c, COLE_U);
    e = cole_up_sample(s, c, COLE_E);
    d = cole_down_sample(s, c);
    cole_sync(s, c);
    cole_send_place(s, c, &u);
    cole_send_place(s, c, &e);
    cole_send_place(s, c, &d);
    if (end)
        cole_send_end(s, c, m, size);
    cole_sync(s, c);
    cole_send_up(s, c, &u); /* in the third stage of f to U, while e goes to E */
    cole_sync(s, c);
    cole_send_up(s, c, &e);
    cole_sync(s, c);
    cole_send_down(s, c, &u);
    cole_send_down(s, c, &e);
    cole_send_down(s, c, &d);
    cole_sync(s, c);
    cole_send_job(s, c, &u);
    cole_send_job(s, c, &e);
    cole_send_job(s, c, &d);
    for (int k = 0; k < 2 && end; k++)
        cole_send_end_job(s, c, m, size, k);
    cole_sync(s, c);
}

#endif
