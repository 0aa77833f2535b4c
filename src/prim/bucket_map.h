/* bucket_map.h - a key becomes the number of a bucket: a monotone map, made from a sample, under
 * which buckets get about as many keys each.
 *
 *      offset   of the key's word above the least sampled one, cut to the sampled range
 *      cell     its top 10 bits, when the range is scaled to 32 bits: 1024 cells of equal width
 *      number   the cell's first bucket, and as far into its buckets as the key is into the cell
 *
 * A cell has as many buckets as its share of the sample.  So the map is a piecewise linear estimate
 * of the keys' distribution function.  It never falls, and keys of one word have one number: stable
 * passes over the digits of numbers, least significant first, leave buckets in order and equal keys
 * in theirs.
 *
 * After Stehle and Jacobsen (hybrid radix sort, SIGMOD 2017), who split by bits; the estimate is
 * that of Kristo et al. (learned sort, SIGMOD 2020) with one level.
 *
 * Time: one request of shared memory a key.  For keys of 8 bytes (KEY_LOG 3), bits counted from the
 * lowest.
 */
#ifndef CW_PRIM_BUCKET_MAP_H
#define CW_PRIM_BUCKET_MAP_H

#include <stdint.h>

#define BUCKET_CELLS_LOG   10u
#define BUCKET_CELLS_COUNT (1u << BUCKET_CELLS_LOG)
#define BUCKET_CELLS_BYTES (4u * BUCKET_CELLS_COUNT)

struct bucket_map {
    /* the least sampled word; words are shifted up so that their highest bit is bit 63 */
    uint64_t lo;
    uint64_t last;                      /* the greatest one above it */
    uint32_t lead;                      /* zeros before the highest one of `last` */
    uint32_t leave;                     /* 1: another method sorts the array */
    uint32_t cells[BUCKET_CELLS_COUNT]; /* first bucket, buckets << 16 */
};

#endif
