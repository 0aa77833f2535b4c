/* file.h - plans in files, as save.c writes them and load.c reads them.
 *
 *      0     30 words   the head: "CWPERM\r\n", version, n, bytes, way, first, back, rows, columns,
 *                       bits, start, tile, partitions, fan, and 16 words of two columns each
 *      240   word       checksum of the head
 *      248   arrays     a gather: the index, u32, of n / columns blocks if columns is above 1.  Passes: counts of each partition pass, u16, then places
 *                       of each pass, u16.  Each is filled up with 0 to a multiple of 8 bytes.
 *            word       checksum of head and arrays
 *
 * Words have 64 bits; all numbers are little-endian.  Lines and bases are not in the file: they
 * follow from the counts.
 *
 * A step of the checksum is one-to-one in the word and in the state, so damage within one word is
 * always found; other damage but for a chance of 2^-64.  What was made to deceive the checksum is
 * refused as well, unless it is a plan: counts must fill buckets exactly and places must be
 * permutations of tiles, so that whatever is loaded executes a permutation.
 */
#ifndef CW_OFFLINE_FILE_H
#define CW_OFFLINE_FILE_H

#include "offline/plan.h"

#define CW_FILE_VERSION 1u
#define CW_FILE_FIELDS  14u
#define CW_FILE_WORDS   (CW_FILE_FIELDS + 16u) /* of the head */
#define CW_FILE_CHUNK   65536u                 /* bytes that are read or written at a time */
#define CW_FILE_MAGIC   UINT64_C(0x0a0d4d5245505743)

/* The arrays of the file, in their order. */
struct cw_file_array {
    void *data;
    uint64_t count;
    unsigned bytes; /* 2 or 4 */
};

unsigned cw_file_arrays(const cw_plan *plan, struct cw_file_array *out);

static inline uint64_t cw_file_get(const unsigned char *from, unsigned bytes)
{
    uint64_t x = 0;

    for (unsigned b = 0; b < bytes; b++)
        x |= (uint64_t)from[b] << 8 * b;
    return x;
}

static inline void cw_file_put(unsigned char *to, uint64_t x, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; b++)
        to[b] = (unsigned char)(x >> 8 * b);
}

/* Of a multiple of 8 bytes. */
static inline uint64_t cw_file_sum(uint64_t sum, const unsigned char *bytes, size_t count)
{
    for (size_t e = 0; e + 8 <= count; e += 8) {
        sum = (sum ^ cw_file_get(bytes + e, 8)) * UINT64_C(0x9e3779b97f4a7c15);
        sum = sum << 32 | sum >> 32;
    }
    return sum;
}

/* From a file of so many bytes, by its name in errors. */
cw_status cw_file_read(FILE *file, uint64_t bytes, const char *path, cw_plan **out);

#endif
