/* plan.h - Nakano's offline permutation: the plan, made once and run many times.
 *
 * The item in slot s of row i has label (i', j') and must go to column j' of row
 * i'.  A plan has m rounds and one entry for each processor and round:
 *
 *      round k, processor i:   x = A[i][slot]      own row, so bank i
 *                              B[row][col] = x     bank `row`
 *
 * In a round the rows are w different ones (they are a colour of colour.h), so no
 * bank is asked twice in a write step; in a read step each processor asks its own.
 * Time:  m read steps and m write steps on the data, which is optimal: every bank
 *        is busy in each.  An entry is one 64-bit word, read from the own row.
 * Space: 8 bytes an item for the plan.  Making it takes 12 more, 28 with the labels.
 */
#ifndef CW_PAPER_PERMUTE_PLAN_H
#define CW_PAPER_PERMUTE_PLAN_H

#include "clearway.h"
#include "paper/permute/colour.h"

#include <stdbool.h>
#include <stdint.h>

/* An entry, from its low end: row (20 bits), slot (22), column (22). */
#define CW_PLAN_ROW_BITS  CW_COLOUR_ROW_BITS
#define CW_PLAN_SLOT_BITS 22
#define CW_PLAN_ROW_MAX   ((uint32_t)1 << CW_PLAN_ROW_BITS)  /* the most rows */
#define CW_PLAN_SLOT_MAX  ((uint32_t)1 << CW_PLAN_SLOT_BITS) /* the most columns */

#ifdef __CUDACC__
#define CW_BOTH __host__ __device__ /* for the host and for a GPU */
#else
#define CW_BOTH
#endif

struct cw_paper_plan {
    uint32_t w;
    uint32_t m;
    uint64_t *entry; /* [k*w + i]: what processor i does in round k */
};

static inline CW_BOTH uint32_t cw_paper_plan_row(uint64_t entry)
{
    return (uint32_t)entry & (CW_PLAN_ROW_MAX - 1);
}

static inline CW_BOTH uint32_t cw_paper_plan_slot(uint64_t entry)
{
    return (uint32_t)(entry >> CW_PLAN_ROW_BITS) & (CW_PLAN_SLOT_MAX - 1);
}

static inline CW_BOTH uint32_t cw_paper_plan_col(uint64_t entry)
{
    return (uint32_t)(entry >> (CW_PLAN_ROW_BITS + CW_PLAN_SLOT_BITS));
}

static inline CW_BOTH uint64_t cw_paper_plan_entry(uint32_t row, uint32_t slot, uint32_t col)
{
    return (uint64_t)col << (CW_PLAN_ROW_BITS + CW_PLAN_SLOT_BITS) |
           (uint64_t)slot << CW_PLAN_ROW_BITS | row;
}

/* Plan the permutation that sends slot s of row i to label[i*m + s] = i'*m + j'.
 * The same labels and seed give the same plan.  CW_ERR_LABEL names the first label
 * that is out of range or was there before; CW_ERR_SHAPE: w > CW_PLAN_ROW_MAX, m >
 * CW_PLAN_SLOT_MAX or 2^32 items.  *plan is empty after a failure.
 */
cw_status cw_paper_plan_make(struct cw_paper_plan *plan, uint32_t w, uint32_t m,
                             const uint64_t *label, uint64_t seed);

/* CW_ERR_FORMAT, with the first offender named, unless every round writes to w
 * different rows, every row reads each of its slots once, and every column of every
 * row is written once: a plan that passes can be run without a conflict. */
cw_status cw_paper_plan_check(const struct cw_paper_plan *plan);

/* CW_ERR_LABEL unless the plan, which has passed the check, is one for these labels. */
cw_status cw_paper_plan_serves(const struct cw_paper_plan *plan, const uint64_t *label);

/* Is w x m a shape that a plan can have?  Room for its entries, whose shape is set. */
bool cw_paper_plan_fits(uint32_t w, uint32_t m);
cw_status cw_paper_plan_room(struct cw_paper_plan *plan);

/* Also of an empty plan. */
void cw_paper_plan_free(struct cw_paper_plan *plan);

/* Save to a file, as a whole or not at all (files/output.h).  A failure leaves what was there. */
cw_status cw_paper_plan_save(const struct cw_paper_plan *plan, const char *path);

/* The same, appended to an output, which stays the caller's to commit or to drop. */
struct cw_output;
cw_status cw_paper_plan_write(const struct cw_paper_plan *plan, struct cw_output *to);

/* Load and check.  CW_ERR_IO if it cannot be read, CW_ERR_FORMAT if it is no sound
 * plan; *plan is empty after a failure. */
cw_status cw_paper_plan_load(struct cw_paper_plan *plan, const char *path);

#endif
