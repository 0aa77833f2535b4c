/* permute_offline.h - Nakano's offline permutation: run a plan (plan.h).
 *
 * In round k processor i takes the item that the plan names from its own row and
 * writes it to its place in the other buffer.  The plan's rows of a round are w
 * different ones, so a write step asks each bank once; in a read step everyone asks
 * the own bank.  Every bank is busy in every step.
 *
 * The plan is known before the items are, so it is part of the program: in the paper's
 * words, the result of the precomputation is encoded in the program's description.  A
 * processor's entry of a round is one word of it, read by that processor only; these
 * reads are no accesses to the data and are counted apart, m of them.
 *
 * Time:  m read steps and m write steps; m more to read the plan where that counts.
 * Space: m words a row for the result, which stands in the first auxiliary area: in
 *        the input's place it could not be, because a place may be taken until its item
 *        has been read.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_OFFLINE_H
#define CW_PAPER_PERMUTE_PERMUTE_OFFLINE_H

#include "dev/dev.h"
#include "paper/permute/plan.h"

/* Items from column 0 to column `to`.  The plan is for this shape and has passed
 * cw_paper_plan_check.  Returns the words of the plan that the processor has read. */
DEV int permute_offline(mem s, const struct cw_paper_plan *plan, int to)
{
    const int i = lane_id(s), w = (int)plan->w, m = (int)plan->m;

    group_sync(s, 0, 1, w);
    for (int k = 0; k < m; k++) {
        const uint64_t entry = plan->entry[(size_t)k * (size_t)w + (size_t)i];
        const word x = bank_read(s, i, cw_paper_plan_slot(entry));

        bank_write(s, cw_paper_plan_row(entry), to + (int)cw_paper_plan_col(entry), x);
    }
    phase_mark(s, 0, 1, w, to, m, "permuted");
    return m;
}

#endif
