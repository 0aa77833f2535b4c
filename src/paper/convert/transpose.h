/* transpose.h - transpose a square in place, one processor a row.
 *
 * In round k processor i trades with rows i + k and i - k (mod h):
 *
 *      read  (i, i+k)  (i, i-k)     its own row, so bank i
 *      write (i+k, i)  (i-k, i)     i -> i + k is a bijection mod h
 *
 * so each step asks each bank for one word: the Conflict Avoidance Condition.
 * Rounds k and h - k touch the same cells, so they are done as one.
 *
 * Time:  4 steps a round, floor(h/2) rounds (2 in the last one of an even h).
 * Space: two registers.   See: convert.h for h x m with any m.
 */
#ifndef CW_PAPER_CONVERT_TRANSPOSE_H
#define CW_PAPER_CONVERT_TRANSPOSE_H

#include "paper/view.h"

DEV void transpose_square(mem s, view v)
{
    const int i = view_row(s, v);

    view_sync(s, v);
    for (int k = 1; k <= v.h / 2; k++) {
        const int up = (i + k) % v.h;
        const int down = (i - k + v.h) % v.h;
        const word x = get(s, v, i, up);
        const word y = up != down ? get(s, v, i, down) : x;

        view_sync(s, v); /* both cells of every pair are now held */
        put(s, v, up, i, x);
        if (up != down)
            put(s, v, down, i, y);
    }
    view_sync(s, v); /* rounds share no cell; callers may */
}

#endif
