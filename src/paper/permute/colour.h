/* colour.h - colour the edges of an m-regular bipartite multigraph with m colours.
 *
 * What Nakano's offline permutation rests on.  The left node of an item is the
 * row (bank) that it lies in, the right node is the row that it goes to; every
 * row holds m items and gets m items, so the graph is m-regular on both sides,
 * and Koenig's theorem colours it with m colours, each of which meets every
 * node once.  The items of one colour then leave w different banks and enter w
 * different banks: one read step and one write step.
 *
 *      w = 2, m = 2     edges in: 0>1 0>0 | 1>1 1>0     (left > right, left by left)
 *                       out:      0>1 1>0 | 0>0 1>1     (colour by colour)
 *
 * An edge is a 64-bit word: its right node is the low CW_COLOUR_ROW_BITS bits,
 * the other bits are cargo that travels with it unread.  The left node is told
 * by the place, before (e / m) and after (e % w), so it is not stored.
 */
#ifndef CW_PAPER_PERMUTE_COLOUR_H
#define CW_PAPER_PERMUTE_COLOUR_H

#include "clearway.h"

#include <stddef.h>
#include <stdint.h>

#define CW_COLOUR_ROW_BITS 20
#define CW_COLOUR_ROW_MAX  ((uint32_t)1 << CW_COLOUR_ROW_BITS) /* the most rows */

/* Reorder edge[0..w*m) from left by left (edge e leaves row e / m) to colour by
 * colour: edge[k*w + i] is the edge of colour k that leaves row i.  The same seed
 * gives the same colouring.  CW_ERR_SHAPE if w > CW_COLOUR_ROW_MAX or w*m >= 2^32;
 * CW_ERR_LABEL if a right node is not below w or has not m edges; on failure the
 * edges are as they were.
 */
cw_status cw_colour_edges(uint32_t w, uint32_t m, uint64_t *edge, uint64_t seed);

/* Bytes that cw_colour_edges allocates: 12 w m + 20 w. */
size_t cw_colour_scratch(uint32_t w, uint32_t m);

#endif
