/* rules.h - what a step costs under other rules than the paper's: Nakano's machines, and hardware's.
 *
 * The w processors are warps of b, b the number of banks (the machine's width).  A word (row, column)
 * of the matrix lies in bank row mod b.  In a step each warp makes one request, of degree
 *
 *   DMM     the most words that one bank is asked for
 *   merge   the same, where words asked for twice count once: shared memory of a GPU
 *   UMM     the address groups that are asked for: b words with one address, one in each bank;
 *           for b = w a group is a column.  Global memory of a GPU, coalesced access
 *
 * and requests follow each other through one pipeline: a request of degree k fills k stages and is
 * answered l - 1 units after its last one; a warp waits for its answer.  With b = w and the DMM's
 * rule this is the model's own count.
 *
 * K. Nakano, "Simple Memory Machine Models for GPUs" (2012); "The Hierarchical Memory Machine Model
 * for GPUs" (2013): several DMMs, each with a matrix, share a UMM that the matrices come from.
 *
 * Time: a step takes O(w log b).   Space: 3 words a processor.
 */
#ifndef CW_MACHINE_MODEL_RULES_H
#define CW_MACHINE_MODEL_RULES_H

#include <stdint.h>

#include "machine/model/model.h"

struct cw_rules;

/* banks divides w. */
cw_status cw_rules_create(uint32_t w, uint32_t banks, enum cw_model_rule rule, uint32_t latency,
                          struct cw_rules **out);
void cw_rules_destroy(struct cw_rules *r);
void cw_rules_reset(struct cw_rules *r);

/* A processor asks for a word in the step in progress. */
void cw_rules_ask(struct cw_rules *r, uint32_t lane, uint32_t row, uint32_t col);

/* The step is over: the sum of its requests' degrees goes to *stages (1 if nobody asked), the
 * greatest to *degree, accesses that had to wait or groups beyond the first to *conflicts. */
void cw_rules_step(struct cw_rules *r, uint32_t *stages, uint32_t *degree, uint64_t *conflicts);

/* When the last request so far was answered. */
uint64_t cw_rules_time(const struct cw_rules *r);

#endif
