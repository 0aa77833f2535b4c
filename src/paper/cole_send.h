/* cole_send.h - the middle of a stage of cole.h: every sample goes to its new places.
 *
 * A sample knows, from the answer of its gap, where it stands in the next M(u).
 * Its processor writes it there, and its two copies into the next lists of u; and
 * it writes a job for the edge that it was sent over: a gap between samples of
 * either end, by the ranks of the sample in the next lists of both ends.
 *
 * A processor has up to three samples, one a class.  They are read first (own
 * bank) and then sent, class by class and target by target: no two samples have
 * one target, and targets of one kind share no bank.
 */
#ifndef CW_PAPER_COLE_SEND_H
#define CW_PAPER_COLE_SEND_H

#include "paper/cole_node.h"

typedef struct cole_sample {
    cole_spot to; /* place i of the next M(u); COLE_NOWHERE: not sent */
    int from, side;
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
    a.side = a.from; /* in DOWN of the sibling */
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
        a.side = (int)cole_get(s, c, c->row, COLE_SIDE);
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

/* Send one sample: to M, to its copies, to its job. */
DEV void cole_send(mem s, const cole *c, const cole_sample *a)
{
    const int f = c->f_new, l = a->to.l;

    cole_sync(s, c);
    if (l > f)
        cole_put(s, c, cole_row(c, f + 1, l, a->to.v, a->to.i), COLE_M,
                 cole_pack_place(a->from, a->before[0], a->before[1], a->nxt, c->stage + 1));
    for (int p = 0; p < 3; p++) {
        const int out = l < f ? -1 : cole_copy(a->from, p);

        cole_sync(s, c);
        if (out >= 0 && (out == 2 || l > f)) {
            const int r = cole_list_row(c, f, l, a->to.v, out, a->to.i - a->before[out]);

            if (out == 2) {
                cole_put(s, c, r, COLE_KEY(cole_up_class(f, l)), a->key);
            } else {
                cole_put(s, c, r, COLE_KEY(COLE_D), a->key);
                cole_put(s, c, r, COLE_SIDE, (word)a->side);
            }
        }
    }
    cole_sync(s, c);
    if (a->job.l >= f)
        cole_put(s, c, cole_row(c, f, a->job.l, a->job.v, a->job.i), COLE_JOB,
                 cole_pack(a->up, a->down, 0, c->stage));
    cole_sync(s, c);
}

/* All samples of the stage. */
DEV void cole_samples(mem s, const cole *c)
{
    const cole_sample u = cole_up_sample(s, c, COLE_U);
    const cole_sample e = cole_up_sample(s, c, COLE_E);
    const cole_sample d = cole_down_sample(s, c);

    cole_send(s, c, &u);
    cole_send(s, c, &e);
    cole_send(s, c, &d);
}

#endif
