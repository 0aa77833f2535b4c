/* verify.h - was the problem solved?  Told from input and output alone.
 *
 * `in` is a copy of what was put in, `out` what came out, w*m words each, both
 * read in the order that the problem gives places in:
 *
 *   CW_SORT       both in the algorithm's order: out is in, sorted by qsort
 *   CW_SORT_ROWS  row by row: each row of out is that row of in, sorted by qsort
 *   CW_TRANSPOSE  in row by row, out column by column: the same sequence
 *   CW_PARTITION  row by row: row r of out holds the items of label r, no other,
 *                 none twice and none lost, in any order
 *   CW_PERMUTE    row by row: place L of out holds the item of label L, unchanged
 *
 * Equal keys are equal words, so nothing is lost by comparing words; it cannot
 * be seen, and does not matter, which of two equal words stands first.
 */
#ifndef CW_PAPER_VERIFY_H
#define CW_PAPER_VERIFY_H

#include "paper/paper.h"

/* CW_OK; CW_ERR_INTERNAL with the first wrong place; CW_ERR_LABEL or CW_ERR_MEMORY. */
cw_status cw_verify(enum cw_problem problem, uint32_t w, uint32_t m, const cw_word *in,
                    const cw_word *out);

#endif
