/* work.h - what the parts of the CPU backend hand each other.
 *
 * A row is sorted as words of its own order: keys mapped by key_map.h, and behind each key its
 * place in the row if an index or values are asked for.  So no two words of a row are equal unless
 * nothing tells them apart, and any sort of words is a stable sort of keys.
 *
 *      word      keys alone            with a place
 *      4 bytes   8, 16 and 32 bits     8 and 16 bits, above 16 bits of place (rows of up to 2^16)
 *      8 bytes   64 bits               32 bits, above 32 bits of place
 *      16 bytes                        64 bits, then 64 bits of place
 *
 * Rows become leaves: stretches of words that are sorted whole, several side by side
 * (columns.h).  A row too long for that is first split by its leading digits (split.h).
 */
#ifndef CW_CPU_WORK_H
#define CW_CPU_WORK_H

#include "clearway.h"
#include "cpu/rows/bounds.h"
#include "prim/key_map.h"

/* Words to sort, and where to; in may be out. */
struct cw_leaf {
    const void *in;
    void *out;
    uint32_t n;
};

#define CW_LEAVES     1024u /* that wait to be sorted, at most */
#define CW_LEAF_LIMIT 8192u /* words of a leaf, at most */

/* Sort count leaves side by side, no more than there are lanes. */
typedef void cw_columns_sort(const struct cw_leaf *leaf, uint32_t count, void *columns);

/* One way to sort leaves, for words of 4, 8 and 16 bytes (0, 1, 2). */
struct cw_columns {
    const char *name;
    int (*here)(void); /* does this processor have it? */
    cw_columns_sort *sort[3];
    uint32_t limit[3]; /* the longest leaf, a multiple of 8 */
    uint32_t wide[3];  /* the same where many leaves of about that length fill the lanes */
};

extern const struct cw_columns cw_columns_list[];
extern const uint32_t cw_columns_count;

/* Leaves side by side: as many as fill 64 bytes, of 16-byte words 8. */
static inline uint32_t cw_lanes(uint32_t kind)
{
    return kind == 0 ? 16 : 8;
}

struct cw_sorter;  /* cpu/sort/work.h */
struct cw_vectors; /* cpu/sort/vectors/vectors.h */

/* One call of cw_sort_rows. */
struct cw_work {
    const cw_rows *job;
    struct cw_key_map map;
    const struct cw_columns *columns;
    uint32_t kind;                    /* 0, 1, 2: words of 4, 8, 16 bytes */
    uint32_t placed;                  /* words have places */
    uint32_t direct;                  /* words are what the arrays hold: no load, no store */
    size_t capacity;                  /* words of one thread's buffers: what it sorts at a time */
    const struct cw_vectors *vectors; /* that sort whole rows; NULL: there are none */
    uint32_t alone;                   /* rows are sorted by these, one by one; */
    const struct cw_sorter *mapper;   /* .. their keys become words as its do */
};

/* One thread's buffers. */
struct cw_worker {
    const struct cw_work *work;
    void *loaded, *sorted;  /* capacity words each */
    void *parts;            /* 2 bytes for each word of the longest row (sort/leaf/divide.h) */
    void *columns;          /* lanes * (wide + 1) words */
    void *values;           /* those of one row, where they are sorted in place */
    struct cw_leaf *leaves; /* CW_LEAVES, and as many for another order of them */
    uint32_t leaf_count;
    size_t together; /* words that are sorted before all leaves that wait are */
    uint64_t random; /* where pivots are taken */
    uint32_t alert;  /* one was bad */
    uint64_t moved;  /* words that splits, divisions and merges moved: for tests */
};

/* Sort rows first .. last - 1, of no more than `capacity` keys together. */
typedef void cw_rows_sort(struct cw_worker *t, size_t first, size_t last);

cw_rows_sort cw_cpu_rows4, cw_cpu_rows8, cw_cpu_rows16;

/* cw_cpu_sort_rows with the way to sort leaves chosen: for tests. */
struct cw_team;
cw_status cw_cpu_sort_rows_by(const cw_rows *job, struct cw_team *team,
                              const struct cw_columns *columns);

#endif
