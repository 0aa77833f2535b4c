/* lemma2_any.h - lemma 2 for any w and m: the items are laid into a matrix that it takes.
 *
 * lemma2.h wants a power of two rows, and any width.  So the n = w m items are laid into the
 * first H rows, H a power of two, at a width of M = ceil(n / H) words: nothing is shared by
 * two rows of a bank, and fewer than H items, above all others, fill up.
 *
 *   pull   in step c row r < H reads item r M + c of the row-major order, from row
 *          (r M + c) / m, and writes it to its own row
 *   push   the other way: it reads its own word c and writes it to that row
 *
 * No bank is asked twice: in one step the items r M + c of two rows are at least M >= m
 * apart, so they lie in different rows of m items.
 *
 * H is the largest power of two up to w, and not below an eighth of it, for which lemma 2 holds
 * at that width with low final blocks (lemma2_low_blocks): higher ones take more steps than
 * wider rows.  If none has such blocks, H is the largest for which lemma 2 holds at all.  As
 * w < 2 * 2^floor(lg w), n / H is below 2 m with H = 2^floor(lg w) and below 16 m always; rounded up,
 * M <= 2 m and M <= 16 m (7 x 2 and 127127 x 2 have as much).  And log_M H <= log_m w.  So the bound is
 * lemma 2's, m log_m^3 w, with a constant at most 16 times its constant; for H the first choice, as for
 * all shapes with m >= 2^(1 + sqrt(2 lg w)), at most twice.
 *
 * Time:  lemma2_any_steps: lemma 2's at H x M and, unless that is w x m, 4 M to pull and push,
 *        and 2m to move back if the result ends in the buffer it began in.
 * Space: two buffers as wide as lemma 2 needs at M.
 */
#ifndef CW_PAPER_PARTITION_LEMMA2_ANY_H
#define CW_PAPER_PARTITION_LEMMA2_ANY_H

#include "paper/partition/lemma2.h"

typedef struct lemma2_plan {
    int H, M;     /* H = 0: lemma 2 does not take the shape */
    int as_it_is; /* H x M is the matrix itself */
} lemma2_plan;

/* Are all final blocks so low that wider rows would not pay: as the paper's squares, and half as
 * high where m < 16?  (By exact steps over all w up to 64 and powers of two up to 2^20.) */
DEV int lemma2_low_blocks(int h, int m)
{
    for (; h > m; h /= lemma2_high(m), m = lemma2_high(m)) {
        const int P = lemma2_low(m);

        if (lemma2_block(h, m) > (P < 16 ? P / 2 : P))
            return 0;
    }
    return 1;
}

DEV lemma2_plan lemma2_plan_of(int w, int m)
{
    const int most = lemma2_low(w);
    int low = 0;
    lemma2_plan plan;

    plan.H = plan.M = plan.as_it_is = 0;
    for (int H = most; m > 1 && !low && H > 0 && H >= most / 8; H /= 2) {
        const int M = (int)(((long long)w * m + H - 1) / H);

        if (!lemma2_holds(H, M) || (plan.H && H <= M))
            continue;
        low = lemma2_low_blocks(H, M);
        if (!plan.H || low) {
            plan.H = H;
            plan.M = M;
            plan.as_it_is = H == w;
        }
    }
    return plan;
}

/* Are there items that fill up? */
DEV sorter lemma2_any_sorter(int w, int m, lemma2_plan plan, sorter by)
{
    return (long long)plan.H * plan.M > (long long)w * m ? pad_sorter(by) : by;
}

/* Items between the matrix v of m columns and rows of M words at column `at`; the processors
 * behind the first H rows let the steps pass at the barrier. */
DEV void lemma2_pull(mem s, view v, lemma2_plan plan, int at)
{
    const int r = view_row(s, v);

    view_sync(s, v);
    for (int c = 0; r < plan.H && c < plan.M; c++) {
        const long long place = (long long)r * plan.M + c;
        word x = WORD_MAX;

        if (place < (long long)v.h * v.m)
            x = get(s, v, (int)(place / v.m), (int)(place % v.m));
        else
            lane_skip(s);
        bank_write(s, lane_id(s), at + c, x);
    }
    view_sync(s, v);
}

DEV void lemma2_push(mem s, view v, lemma2_plan plan, int from)
{
    const int r = view_row(s, v);

    view_sync(s, v);
    for (int c = 0; r < plan.H && c < plan.M; c++) {
        const long long place = (long long)r * plan.M + c;

        if (place < (long long)v.h * v.m) {
            const word x = bank_read(s, lane_id(s), from + c);

            put(s, v, (int)(place / v.m), (int)(place % v.m), x);
        } else {
            lane_skip(s);
            lane_skip(s);
        }
    }
    view_sync(s, v);
}

/* Sort v by lemma 2; needs a plan.  Returns the view of where it is now (either buffer). */
DEV view lemma2_any(mem s, view v, lemma2_plan plan)
{
    view part = view_wide(v, plan.M);

    if (plan.as_it_is)
        return lemma2_sort(s, v);
    lemma2_pull(s, v, plan, v.b);
    part.by = lemma2_any_sorter(v.h, v.m, plan, v.by);
    part = view_rows(view_flip(part), 0, plan.H);
    if (view_row(s, v) < plan.H)
        part = lemma2_sort(s, part);
    else if (lemma2_moves(plan.H, plan.M))
        part = view_flip(part);
    v.a = part.b;
    v.b = part.a;
    lemma2_push(s, v, plan, part.a);
    view_phase(s, v, "lemma 2: back in the matrix");
    return v;
}

DEV long long lemma2_any_steps(int w, int m, lemma2_plan plan, sorter by)
{
    return lemma2_steps(plan.H, plan.M, lemma2_any_sorter(w, m, plan, by)) +
           (plan.as_it_is ? 0 : 4LL * plan.M);
}

/* 1 if the result stands in the other buffer. */
DEV int lemma2_any_moves(lemma2_plan plan)
{
    return lemma2_moves(plan.H, plan.M);
}

DEV int lemma2_any_width(int w, int m, lemma2_plan plan, sorter by)
{
    return lemma2_width(plan.H, plan.M, lemma2_any_sorter(w, m, plan, by));
}

#endif
