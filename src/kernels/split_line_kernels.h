/* split_line_kernels.h - the kernels of split_lines.h for one type of item, and their part of the table. */
#define SPLIT_LINES_SHAPES
#include "kernels/split_shapes.h"
#include "dev/kernel.h"
#include "kernels/split_table.h"
#include "kernels/split_lines.h"

#if defined(__CUDACC__)
extern "C" void SPLIT_NAME(lines_cuda)(struct split_table *t)
#else
void SPLIT_NAME(lines_small)(struct split_table *t)
#endif
{
    t->kernel[SPLIT_LINES] = SPLIT_ENUM(lines);
    t->kernel[SPLIT_LINES_ANY] = SPLIT_ENUM(lines_any);
    t->shared[SPLIT_LINES] = LINES_SHARED;
    t->shared[SPLIT_LINES_ANY] = LINES_SHARED;
    t->lines_threads = GRID_THREADS;
    t->lines_items = LINES_ROUND;
    t->lines_blocks = GRID_BLOCKS;
    t->lines_room = GRID_RING / (4u + GRID_VALUES);
    t->lines_least = SPLIT_LINES_LEAST;
}
