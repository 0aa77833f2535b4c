/* count_kernels.h - the kernels of count.h for one width of key; those that any width shares, with 8. */
#define TILE_THREADS 256u
#define TILE_ITEMS   2u
#include "partition/stable/count.h"
#include "partition/stable/table.h"

KERNEL(NAME_OF2(cw_partition_count_, STABLE_TYPE), struct stable_job, STABLE_COUNT_THREADS, 4)
{
    stable_count_digits(arg);
}

#if KEY_LOG == 3
KERNEL(cw_partition_begin, struct stable_job, STABLE_BUCKETS, 1)
{
    stable_begin(arg);
}

KERNEL(cw_partition_find, struct stable_job, PARTITION_PLAIN, 4)
{
    stable_load_cuts(&arg->rule, STABLE_COUNT_CUTS);
    stable_find(arg);
}

KERNEL(cw_partition_blocks, struct stable_job, PARTITION_PLAIN, 4)
{
    stable_blocks(arg);
}
#endif
