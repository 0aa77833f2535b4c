/* stable_kernels.h - the kernels of radix/scatter_stable.h for one type of item, and their lines of
 * the table.
 *
 * A source includes tuning/sort_radix.h before.
 */
#define SCATTER_BINS RADIX_BINS
#include "dev/kernel.h"
#include "sort/radix/table.h"
#include "sort/radix/scatter_stable.h"

#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
void SHAPES_TABLE(RADIX_NAME(stable_kernels))(struct radix_table *t)
{
    t->kernel[RADIX_STABLE] = RADIX_ENUM(stable);
    t->kernel[RADIX_STABLE_PLAIN] = RADIX_ENUM(stable_plain);
    t->shared[RADIX_STABLE] = MANY_SHARED;
    t->shared[RADIX_STABLE_PLAIN] = MANY_SHARED;
}
#endif
