/* grid_turn_kernels.h - the kernels of grid_turns.h for one type of item, and their part of the table.
 *
 * A source includes grid_shapes.h before.
 */
#define SPLIT_BINS GRID_BINS
#include "dev/kernel.h"
#include "kernels/grid_table.h"
#include "kernels/grid_turns.h"

#if defined(__CUDACC__)
extern "C" void GRID_NAME(turns_cuda)(struct grid_table *t)
#else
void GRID_NAME(turns_small)(struct grid_table *t)
#endif
{
    t->kernel[GRID_TURNS] = GRID_ENUM(turns);
    t->kernel[GRID_TURNS_PLAIN] = GRID_ENUM(turns_plain);
    t->kernel[GRID_TURNS_TREE] = GRID_ENUM(turns_tree);
    t->shared[GRID_TURNS] = MANY_SHARED;
    t->shared[GRID_TURNS_PLAIN] = MANY_SHARED;
    t->shared[GRID_TURNS_TREE] = TURN_TREE + TREE_SHARED;
}
