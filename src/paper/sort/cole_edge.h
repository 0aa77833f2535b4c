/* cole_edge.h - the last part of a stage of cole.h: ranks across every edge.
 *
 * The edge over x joins UP(x) to DOWN(x).  Its jobs are the gaps of the samples
 * just sent over it, both ways, in order: job i says how many items of UP(x) and
 * of DOWN(x) are below its sample.  So it and job i - 1 bound the gap; at most 12
 * items of either list are in it.  The processor of the job reads and merges them
 * and writes to each its rank in the other list.
 *
 * An entry lies in one gap, so it is asked by one processor only; class U, then
 * E, then D, then U and E again.
 */
#ifndef CW_PAPER_SORT_COLE_EDGE_H
#define CW_PAPER_SORT_COLE_EDGE_H

#include "paper/sort/cole_tree.h"

/* Between two samples of the last UP(x), both included, there are 5 items of it, which
 * cut its sources, the samples of the two children, into 5 gaps together: i of the one,
 * 5 - i of the other.  These hold at most 2i + 1 and 2(5 - i) + 1 new items. */
#define COLE_GAP 12

typedef struct cole_job {
    cole_spot at;
    int up0, up1, down0, down1;
} cole_job;

DEV cole_job cole_job_read(mem s, const cole *c)
{
    cole_job job;
    word x;

    job.at = cole_mine(c, c->f_new);
    x = cole_get(s, c, c->row, COLE_JOB);
    if (cole_stamp(x) != c->stage)
        job.at.l = COLE_NOWHERE;
    job.up1 = cole_field(x, 0);
    job.down1 = cole_field(x, 1);
    x = 0;
    cole_sync(s, c);
    if (job.at.l != COLE_NOWHERE && job.at.i)
        x = cole_get(s, c, cole_row(c, c->f_new, job.at.l, job.at.v, job.at.i - 1), COLE_JOB);
    job.up0 = cole_field(x, 0);
    job.down0 = cole_field(x, 1);
    return job;
}

/* Walk the gap's part of DOWN(x), and find where the items of UP(x) stand in it: an
 * equal one before. */
DEV void cole_walk(mem s, const cole *c, const cole_job *job, const word *key, int *rank)
{
    const int n = job->up1 - job->up0;
    int k = 0;

    for (int i = job->down0; i < job->down1; i++) {
        const int r = cole_row(c, c->f_new, job->at.l, job->at.v, i);
        const word x = cole_get(s, c, r, COLE_KEY(COLE_D));

        for (; k < n && key[k] <= x; k++)
            rank[k] = i;
        cole_put(s, c, r, COLE_OPP(COLE_D), cole_pack(0, job->up0 + k, 0, 0));
    }
    for (; k < n; k++)
        rank[k] = job->down1;
}

DEV void cole_edges(mem s, const cole *c)
{
    const cole_job job = cole_job_read(s, c);
    const int on = job.at.l != COLE_NOWHERE;
    const int cls = cole_up_class(c->f_new, job.at.l);
    const int rate = cole_rate(c->f_new, c->third % 3 + 1, job.at.l);
    word key[COLE_GAP];
    int rank[COLE_GAP];

    for (int k = COLE_U; k <= COLE_E; k++) {
        cole_sync(s, c);
        for (int i = job.up0; on && k == cls && i < job.up1; i++)
            key[i - job.up0] =
                cole_get(s, c, cole_up_row(c, c->f_new, job.at.l, job.at.v, i), COLE_KEY(k));
    }
    cole_sync(s, c);
    if (on)
        cole_walk(s, c, &job, key, rank);
    for (int k = COLE_U; k <= COLE_E; k++) {
        cole_sync(s, c);
        for (int i = job.up0; on && k == cls && i < job.up1; i++)
            if (k == COLE_E || i % rate == rate - 1) /* others of U are not asked for it */
                cole_put(s, c, cole_up_row(c, c->f_new, job.at.l, job.at.v, i), COLE_OPP(k),
                         cole_pack(0, rank[i - job.up0], 0, 0));
    }
}

#endif
