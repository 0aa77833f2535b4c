/* bucket.h - what the kernels of the MSD radix sort share: buckets, chunks, lists, arguments.
 *
 * A bucket is a range of the array whose keys lie in lo .. lo + last.  All smaller keys stand
 * before it, all larger ones behind it.  A pass splits a bucket: its items move to the other
 * buffer, into the order of a digit
 *
 *      digit(x) = (top 32 bits of ((x - lo) << lead)) * mult / 2^32,     0 .. bins - 1
 *
 * The digit grows with x.  It takes any number of values, not only powers of two, so that buckets
 * come out just as large as the local sort likes them.  A bucket is done when its keys are equal
 * (last = 0) and it stands in the output.
 *
 * After Stehle and Jacobsen (SIGMOD 2017): most significant digit first, on all buckets of a pass
 * at once, with a local sort at the end.  It departs in its digits, which are linear in the key's
 * range and not bits of the key; in write-combining queues instead of sorted tiles
 * (prim/scatter_combining.h); and in splitters where a linear digit does not suit the keys
 * (splitters/).
 *
 * Keys move as they are.  Where they are looked at they become words of the same order
 * (prim/key_map.h): lo, last and digits are those of words.  Stable sorts of floats compare ranks
 * instead, so that -0 and +0 go the same way.  Only the local sort makes keys of words, and must
 * keep them apart (radix/local_sort_pairs.h).
 *
 * Many blocks work on a large bucket.  Each takes a chunk of it at a time.  No block waits for
 * another: what one kernel finds out, the next one reads.
 */
#ifndef CW_SORT_RADIX_BUCKET_H
#define CW_SORT_RADIX_BUCKET_H

#include "prim/key.h"
#include "sort/radix/job.h"

#ifndef PAYLOAD_BYTES
#define PAYLOAD_BYTES 0 /* bytes of a value: 0 or 4 */
#endif

/* Passes over keys alone have two ways that pairs have not: by splitters (splitters/), and values
 * that are counted instead of moved (counting/narrow_buckets.h). */
#if PAYLOAD_BYTES || !defined(RADIX_NARROW_VALUES)
#define RADIX_COUNTS 0
#else
#define RADIX_COUNTS 1
#endif

#if PAYLOAD_BYTES
typedef uint64_t item; /* the key, and the value above */
#define ITEM_BYTES        8u
#define sh_ld_item(at)    sh_ld8(at)
#define sh_st_item(at, x) sh_st8(at, x)
#else
typedef key item;
#define ITEM_BYTES        ((uint32_t)KEY_BYTES)
#define sh_ld_item(at)    sh_ld_key(at)
#define sh_st_item(at, x) sh_st_key(at, x)
#endif

/* An entry of a list of rows: 46 bits of start, 16 of length - 1, 2 of the buffer. */
DEV uint64_t row_entry(uint64_t start, uint64_t len, uint32_t at)
{
    return start | (len - 1u) << 46 | (uint64_t)at << 62;
}

DEV const key *keys_at(const struct radix_job *j, uint32_t at)
{
    return (const key *)(at == AT_IN ? j->in : at == AT_TMP ? j->tmp : j->out);
}

DEV const uint32_t *values_at(const struct radix_job *j, uint32_t at)
{
    return (const uint32_t *)(at == AT_IN    ? j->in_values
                              : at == AT_TMP ? j->tmp_values
                                             : j->out_values);
}

#define load_value(values, at) gm_ld4((values) + (at))

DEV item load_item(const key *keys, const uint32_t *values, uint64_t at)
{
#if PAYLOAD_BYTES
    return gm_ld_key(keys + at) | (uint64_t)load_value(values, at) << 32;
#else
    (void)values;
    return gm_ld_key(keys + at);
#endif
}

DEV void store_item(key *keys, uint32_t *values, uint64_t at, item x)
{
    gm_st_key(keys + at, (key)x);
#if PAYLOAD_BYTES
    gm_st4(values + at, (uint32_t)(x >> 32));
#else
    (void)values;
#endif
}

/* Where a bucket's items go to. */
DEV uint32_t moved_to(uint32_t at)
{
    return at == AT_TMP ? AT_OUT : AT_TMP;
}

#endif
