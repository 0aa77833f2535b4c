/* permute_finish.h - how the paper ends its permutation: pack, sort, three groups.
 *
 * Comes when at most n / log_m^3 w labels are left; rows may still hold up to m.
 *
 * Pack.  A row is wide if it has more than cap = 2 ceil(m / log_m^3 w) labels.  Row 0
 * draws t shifts; in round r every row p looks at row p + t_r (mod w), and if p is
 * wide and the other is narrow and has not been given anything, p pushes up to
 * q = ceil(2m/t) labels there.  Labels go from p to p + t_r only: each row looks at one
 * row and is looked at by one row, so all steps are rotations.  (Were they to go both
 * ways, p and p + 2 t_r could push to p + t_r in the same step.)  A row takes labels
 * once, so nobody ends above cap + q who did not begin there; passes with fresh shifts
 * are made until no row has more.  The mean is at most cap/2, so half of the rows are narrow.
 *
 * Sort.  The packed w x (cap + q) matrix, filled up with words above all labels, in
 * row-major order: by lemma 2 where it holds for the width rounded up to a power of two,
 * else by the general sort.
 *
 * Groups.  With i1 and i2 the rows that the first and the last label of a row go to:
 *   middle  labels for other rows than i1 and i2: in sorted order such a row's labels
 *           lie in one row only, so one a step, in any order
 *   first   labels for i1: (i1, j) in step j; no other label has i1 and j
 *   last    labels for i2, unless i1 = i2, in any order: if two rows hold labels for i2,
 *           the later one begins with them and sends them in its first group, so at
 *           most one row has i2 as last group.  This is what the guard i1 != i2 is for.
 *
 * Time:  3 a label to gather, t (2q + 3) + 2 and the sharing of t words a pass to pack, at most
 *        width to fill up, the sort, 2m + 4 width + 2 to send.
 * Space: the lists' columns and the items' serve as the sort's two buffers, finish_width
 *        words each, which is between m and about 4m.
 * Departs from the paper: rows cannot know whether they are "lucky", so they judge by
 * their count; packing is repeated, because few labels in all do not mean that the
 * lucky rows are narrow; the general sort where the packed width does not meet lemma 2's
 * condition; the last group need not wait for step j.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_FINISH_H
#define CW_PAPER_PERMUTE_PERMUTE_FINISH_H

#include "paper/permute/permute_hash_at.h"
#include "paper/partition/lemma2.h"

/* 64 lg x, rounded down; x >= 1. */
DEV int log_64(int x)
{
    word y;
    int lg = 0;

    while (x >> lg > 1)
        lg++;
    y = ((word)x << 31) >> lg;
    for (int k = 0; k < 6; k++) {
        y = y * y >> 31;
        lg = 2 * lg + (int)(y >> 32);
        y >>= y >> 32;
    }
    return lg;
}

/* x / log_m^3 w, rounded up or down; x itself if w <= m.  x <= 2^30, m <= 2^24. */
DEV int cubic_share(int x, int w, int m, int up)
{
    const long long a = log_64(m), b = log_64(w);

    return b <= a ? x : (int)((x * (a * a * a) + (up ? b * b * b - 1 : 0)) / (b * b * b));
}

typedef struct packing {
    int cap;    /* labels that make no row wide */
    int shifts; /* t: rounds of a pass */
    int push;   /* q: labels that are pushed at once */
} packing;

DEV packing packing_of(int w, int m)
{
    const long long lg = bits_for(w);
    packing k;

    k.cap = 2 * cubic_share(m, w, m, 1);
    k.shifts = lg * lg < 1 ? 1 : lg * lg < m ? (int)(lg * lg) : m;
    k.push = (2 * m + k.shifts - 1) / k.shifts;
    return k;
}

/* The width at which lemma 2 sorts a packed matrix, or 0 if it does not hold. */
DEV int finish_lemma2(int w, int width)
{
    int wide = 2;

    while (wide < width)
        wide *= 2;
    return wide < w && lemma2_holds(w, wide) ? wide : 0;
}

/* Columns that each of the sort's two buffers must have. */
DEV int finish_width(int w, int m, int ways)
{
    const packing k = packing_of(w, m);
    const int most = k.cap + k.push < m ? k.cap + k.push : m;
    int width = m;

    for (int x = w <= m ? m : 1; x <= most; x++) { /* w <= m: all rows are full */
        const int wide = finish_lemma2(w, x);
        const int one =
            wide ? lemma2_width(w, wide, sorter_merge(ways)) : any_width(w, x, sorter_merge(ways));

        width = one > width ? one : width;
    }
    return width;
}

/* Labels from their lists (or from all slots, if start is m) to column e.head. */
DEV void gather_labels(mem s, permuter e, int start, int count)
{
    int slot = start < e.m ? start : 0;

    all_sync(s, e);
    for (int c = 0; c < count; c++) {
        const word x = bank_read(s, e.me, e.items + slot);

        slot = start < e.m ? (int)bank_read(s, e.me, e.next + slot) : slot + 1;
        bank_write(s, e.me, e.head + c, x);
    }
    all_sync(s, e);
}

/* What others see of a row: its count, and whether it is closed to labels. */
#define STATUS(count, closed) ((word)(count) << 1 | (word)(closed))

/* One round: push labels to row `to` if it may take some.  Returns how many. */
DEV int push_labels(mem s, permuter e, packing k, int to, int wide, int count)
{
    const word other = bank_read(s, to, e.sync);
    const int there = (int)(other >> 1);
    int n = 0;

    if (wide && !(other & 1))
        n = count - k.cap < k.push ? count - k.cap : k.push;
    if (n > e.m - there)
        n = e.m - there;
    for (int x = 0; x < k.push; x++) {
        if (x < n) {
            const word y = bank_read(s, e.me, e.head + count - 1 - x);

            bank_write(s, to, e.head + there + x, y);
        } else {
            lane_skip(s);
            lane_skip(s);
        }
    }
    if (n > 0)
        bank_write(s, to, e.sync, STATUS(there + n, 1));
    else
        lane_skip(s);
    return n > 0 ? n : 0;
}

/* One pass over t fresh shifts.  Returns the row's new count. */
DEV int pack_pass(mem s, permuter e, packing k, dice *d, int count)
{
    const int wide = count > k.cap;

    hash_share(s, e, hash_shape_of(HASH_WORDS, e.w, k.shifts), d);
    bank_write(s, e.me, e.sync, STATUS(count, wide));
    for (int r = 0; r < k.shifts; r++) {
        int shift = below(bank_read(s, e.me, e.hash + r), e.w);

        if (PERMUTE_MUTANT == MUTANT_PACK && (e.me & 2))
            shift = (e.w - shift) % e.w;
        all_sync(s, e);
        count -= push_labels(s, e, k, row_after(e.me, shift, e.w), wide, count);
        all_sync(s, e);
    }
    if (!wide)
        count = (int)(bank_read(s, e.me, e.sync) >> 1);
    return count;
}

/* An item to its place. */
#define deliver(s, e, x) bank_write((s), item_row(e, x), item_col(e, x), (x))

/* One label a step: those of the last group, or those of neither first nor last. */
DEV void send_any(mem s, permuter e, int at, int width, int real, int first, int last,
                  int want_last)
{
    all_sync(s, e);
    for (int x = 0; x < width; x++) {
        const word y = x < real ? bank_read(s, e.me, at + x) : PERMUTE_NIL;
        const int row = x < real ? item_row(e, y) : -1;
        const int go = want_last ? row == last && (last != first || PERMUTE_MUTANT == MUTANT_LAST)
                                 : row != last && row != first;

        if (x >= real)
            lane_skip(s);
        if (x < real && go)
            deliver(s, e, y);
        else
            lane_skip(s);
    }
    all_sync(s, e);
}

/* Label (first, j) in step j. */
DEV void send_first(mem s, permuter e, int at, int real, int first, word y)
{
    int x = 0;

    all_sync(s, e);
    for (int j = 0; j < e.m; j++) {
        const int go = x < real && item_row(e, y) == first && item_col(e, y) == j;

        if (go)
            deliver(s, e, y);
        else
            lane_skip(s);
        if (go && ++x < real)
            y = bank_read(s, e.me, at + x);
        else
            lane_skip(s);
    }
    all_sync(s, e);
}

/* Deliver `left` labels that stand sorted in the w x width matrix at column `at`. */
DEV void send_groups(mem s, permuter e, int at, int width, int left)
{
    const int mine = left - e.me * width;
    const int real = mine < 0 ? 0 : mine < width ? mine : width;
    word y = PERMUTE_NIL;
    int first = -1, last = -1;

    all_sync(s, e);
    if (real) {
        y = bank_read(s, e.me, at);
        first = item_row(e, y);
        last = item_row(e, bank_read(s, e.me, at + real - 1));
    }
    send_any(s, e, at, width, real, first, last, 0);
    all_phase(s, e, at, "finish: middle sent");
    send_first(s, e, at, real, first, y);
    all_phase(s, e, at, "finish: first sent");
    send_any(s, e, at, width, real, first, last, 1);
    all_phase(s, e, at, "finish: last sent");
}

/* Rows are filled up since the clock showed `from`.  How many labels the emptiest row has is agreed
 * on nowhere; charged as worst, it has what all others may leave to it. */
DEV void fill_pace(mem s, permuter e, long long from, int width, int left, int most)
{
    const int others = (e.w - 1) * most;

    if (e.worst)
        lane_pace(s, from, left > others ? width - (left - others) : width);
}

/* Deliver what is left: `left` in all, `most` in the fullest row, `count` in this one,
 * listed from slot `start`.  Returns whether lemma 2 sorted it. */
DEV int permute_finish(mem s, permuter e, dice *d, int start, int count, int left, int most,
                       int ways)
{
    const packing k = packing_of(e.w, e.m);
    long long from;
    int wide, width;
    view v;

    gather_labels(s, e, start, count);
    while (most > k.cap + k.push) {
        count = pack_pass(s, e, k, d, count);
        most = (int)(sync_counts(s, e, count) >> 32);
    }
    all_phase(s, e, e.head, "finish: packed");
    wide = finish_lemma2(e.w, most);
    width = wide ? wide : most;
    from = lane_clock(s);
    for (int c = count; c < width; c++)
        bank_write(s, e.me, e.head + c, WORD_MAX);
    fill_pace(s, e, from, width, left, most);
    all_sync(s, e);
    v = view_make(0, e.w, width, e.head, e.items, ways);
    if (wide)
        v = lemma2_sort(s, v);
    else
        sort_any(s, v, 0);
    all_phase(s, e, v.a, "finish: sorted");
    send_groups(s, e, v.a, width, left);
    return wide > 0;
}

#endif
