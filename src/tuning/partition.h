/* partition.h - shapes of the partition's kernels: how many threads, items and bins.
 *
 * Large ones are what was fastest on an H200 (docs/partition.md).  Tiny ones give small arrays many
 * pieces and passes.  A source defines SHAPES, may define PAYLOAD_BYTES (4: pairs), includes
 * dev/shapes.h, then this.
 */
#ifndef PAYLOAD_BYTES
#define PAYLOAD_BYTES 0
#endif

#if SHAPES == SHAPES_LARGE

#define SCATTER_WIDTH   8u /* bits of a digit, at most */
#define COUNT_THREADS   512u
#define COUNT_BLOCKS    4u
#define PARTITION_TURNS 65536u
#define SCAN_THREADS    1024u
#if PAYLOAD_BYTES
#define SCATTER_THREADS 512u
#define SCATTER_PER     16
#define SCATTER_BLOCKS  2
#define RADIX_THREADS   1024u
#define RADIX_ITEMS     4
#define RADIX_BLOCKS    1
#define RADIX_QUEUES    131072u
#else
#define SCATTER_THREADS 512u
#define SCATTER_PER     16
#define SCATTER_BLOCKS  2
#define RADIX_THREADS   512u
#define RADIX_ITEMS     8
#define RADIX_BLOCKS    3
#define RADIX_QUEUES    65536u
#endif
#define PARTITION_PROCESSORS 132u

#elif SHAPES == SHAPES_SMALL /* pairs: two blocks of tiles a multiprocessor, or one of queues */

#define SCATTER_WIDTH        8u
#define COUNT_THREADS        512u
#define COUNT_BLOCKS         2u
#define PARTITION_TURNS      65536u
#define SCAN_THREADS         1024u
#define SCATTER_THREADS      256u
#define SCATTER_PER          16
#define SCATTER_BLOCKS       2
#define RADIX_THREADS        512u
#define RADIX_ITEMS          4
#define RADIX_BLOCKS         1
#define RADIX_QUEUES         65536u /* 32 pairs a bin: lines of 128 bytes */
#define PARTITION_PROCESSORS 132u

#else

#define SCATTER_WIDTH        6u
#define COUNT_THREADS        64u
#define COUNT_BLOCKS         1u
#define PARTITION_TURNS      64u
#define SCAN_THREADS         64u
#define SCATTER_THREADS      64u
#define SCATTER_PER          4
#define SCATTER_BLOCKS       2
#define RADIX_THREADS        64u
#define RADIX_ITEMS          4
#define RADIX_BLOCKS         2
#define RADIX_QUEUES         (PAYLOAD_BYTES ? 16384u : 8192u)
#define PARTITION_PROCESSORS 2u

#endif

#define SCATTER_BINS (1u << SCATTER_WIDTH)
#define RADIX_BINS   SCATTER_BINS
#define KEY_LOG      2
