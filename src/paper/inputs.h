/* inputs.h - inputs by name, the same for the same seed on every machine.
 *
 * Sorting, row sorting and transposition take keys.  An input is a sequence of
 * n = w*m keys; the i-th stands at the i-th place of the algorithm's order.
 *
 *   uniform   random words                  few      random, at most 16 different keys
 *   sorted    rising                        organ    rising, then falling back
 *   reverse   falling                       zeroone  random zeros and ones
 *   equal     all the same
 *
 * Partition and permutation take labels: where each item goes.  A label is a row
 * (partition, each row m times) or a place row*m + column (permute, each once).
 * A partition's label is the row of the place that the permutation names.
 * With L = i*m + j, the item at row i, column j:
 *
 *   random        goes anywhere
 *   identity      stays
 *   reverse       goes to place n-1-L
 *   transpose     goes to place j*w + i: the matrix is written column by column
 *   bit-reversal  goes to place L, bits reversed (n no power of two: places >= n are left out)
 *   rotate        goes to place L + m + 1 (mod n)
 *   blocks        goes to a row that its whole row goes to, at a random column
 */
#ifndef CW_PAPER_INPUTS_H
#define CW_PAPER_INPUTS_H

#include <stdint.h>

#include "paper/paper.h"

/* Names that cw_input_make knows for this problem, NULL at the end; the first is the default. */
const char *const *cw_input_names(enum cw_problem problem);

/* Do items of this problem carry labels? */
int cw_problem_has_labels(enum cw_problem problem);

/* Fill out[0 .. w*m) with keys, all below 2^key_bits (0: any word), or with labels.
 * CW_ERR_ARGUMENT for an unknown name. */
cw_status cw_input_make(const char *name, enum cw_problem problem, uint32_t w, uint32_t m,
                        uint32_t key_bits, uint64_t seed, cw_word *out);

/* Is this what the problem demands?  CW_ERR_LABEL names the first item that is not: a key
 * of 2^key_bits or more (0: all are fine), a label out of range or used too often. */
cw_status cw_input_check(enum cw_problem problem, uint32_t w, uint32_t m, uint32_t key_bits,
                         const cw_word *in);

/* An item that carries a label: label above, payload (which item it is) below. */
#define CW_ITEM(label, payload) ((cw_word)(label) << 32 | (cw_word)(payload))
#define CW_ITEM_LABEL(item)     ((uint32_t)((item) >> 32))
#define CW_ITEM_PAYLOAD(item)   ((uint32_t)(item))

/* Labels to items: the payload of item i is i. */
void cw_input_items(uint64_t n, cw_word *labels);

#endif
