/* work.h - what the parts of cw_sort on host threads hand each other.
 *
 * An array is sorted from the leading bits of its keys on.  A bucket (at first all items) is dealt
 * into buckets that follow each other in order (sort/cuts.h says which bucket a key belongs to,
 * sort/pass.h moves the items), and each of these likewise, until one fits into a thread's
 * cache and is sorted there (sort/leaf/leaf.h).
 *
 * The arrays of an item (key, value, index) travel side by side, each in an array of its own, from
 * one side to another:
 *
 *      CW_SIDE_IN     what the caller gave; keys as he has them; the index is the place
 *      CW_SIDE_WORK   the workspace: keys as mapped by key_map.h
 *      CW_SIDE_OUT    where all of it ends; until then keys are mapped.  An argsort has no keys
 *                     here: they are looked up in CW_SIDE_IN, by the index
 *
 * Every move keeps the order of equal keys, so the sort is stable, always.
 */
#ifndef CW_CPU_SORT_WORK_H
#define CW_CPU_SORT_WORK_H

#include "base/arith.h"
#include "cpu/work.h"

#define CW_SORT_BUCKETS 2048u      /* of one pass, at most */
#define CW_SORT_BLOCK   1024u      /* keys looked at together */
#define CW_SORT_PLACES  65536u     /* items of a bucket whose places are sorted: 16 bits */
#define CW_PLACE_BITS   16u        /* the same, of a word with a place */
#define CW_SORT_LINE    64u        /* bytes that are written to memory together */
#define CW_SORT_ARRAYS  3u         /* keys, values, index */
#define CW_SORT_SAMPLE  32768u     /* keys that a pass is planned with, at most */
#define CW_SORT_LONG    (1u << 21) /* items of an array whose leaves, sample and buffers are smaller */
#define CW_SORT_DRAWN   512u       /* .. and of few keys; of more, one in .. */
#define CW_SORT_ONE_IN  256u       /* .. so many */

enum cw_side { CW_SIDE_IN, CW_SIDE_WORK, CW_SIDE_OUT };

struct cw_side_arrays {
    char *keys, *values, *index; /* NULL: there is none */
};

/* Items that belong together, and are all that belongs there. */
struct cw_bucket {
    enum cw_side side;
    size_t from, n;
};

/* Keys go to buckets by a table of digits, or by a tree of splitters (sort/cuts.h). */
struct cw_cuts;

struct cw_sorter;
struct cw_team;
struct cw_ties; /* cpu/sort/ties.h */

/* What is done with many keys, for each size and kind of processor.  A word here is 4 bytes for
 * keys up to that, else 8, and holds the bits of a mapped key's rank (key_map.h) that count. */
struct cw_sort_keys {
    void (*map)(const struct cw_sorter *s, const void *keys, uint32_t n, void *to);
    void (*unmap)(const struct cw_sorter *s, const void *mapped, uint32_t n, void *to);
    /* Words of mapped keys: in `room`, or where the keys are. */
    const void *(*words)(const struct cw_sorter *s, const void *mapped, uint32_t n, void *room);
    /* What floats in numeric order have of zeros and NaNs, added to *t: keys as the caller has them. */
    void (*ties)(const struct cw_key_map *map, const void *keys, uint32_t n, struct cw_ties *t);
    /* Which bucket does each belong to? */
    void (*bucket)(const struct cw_cuts *cuts, const void *words, uint32_t n, uint16_t *to);
    /* How many of them are less than the one before? */
    uint32_t (*falls)(const void *words, uint32_t n);
    /* Is one of them greater than the one before, or (not strictly) as great? */
    int (*rises)(const void *words, uint32_t n, int strictly);
    /* The bits in which some word differs from `from`. */
    uint64_t (*difference)(const void *words, uint32_t n, uint64_t from);
    /* Words of this size from words of 4 or 8 bytes: their lowest `width` bits without the lowest
     * `drop`, above places from `place` on. */
    void (*put_places)(const void *words, size_t bytes, uint32_t n, uint32_t width, uint32_t drop,
                       uint32_t place, void *to);
    /* And back; do any two neighbours agree but for their places? */
    int (*get_places)(const void *words, uint32_t n, uint16_t *place);
};

/* For the same processors as `columns`, one of cw_columns_list. */
const struct cw_sort_keys *cw_sort_keys_of(const struct cw_columns *columns, size_t key_bytes);

/* One thread's buffers. */
struct cw_sort_thread {
    struct cw_worker worker; /* loaded, sorted, columns, leaves: for split.h */
    void *ended;             /* as many words as `loaded`: those that are where they belong */
    struct cw_cuts *cuts;
    size_t *ends; /* of the buckets of all passes that stand inside each other */
    /* Three that share their place.  A leaf: items that are sorted from where they stand. */
    char *keys, *values, *index;
    /* A pass: of each bucket where its next item goes, where its first went, and a line an array. */
    size_t *at, *begin;
    char *lines[CW_SORT_ARRAYS];
    /* Cuts: a sample of half as many words as `loaded`. */
    uint64_t *sample;
};

/* One call of cw_sort. */
struct cw_sorter {
    const cw_array *job;
    struct cw_work work; /* the columns, for split.h */
    struct cw_key_map map;
    const struct cw_sort_keys *keys;
    struct cw_side_arrays side[3];
    size_t bytes[CW_SORT_ARRAYS];        /* of a key, a value, an index; 0: none */
    uint32_t first;                      /* bits of a mapped key from here on count, */
    uint64_t range;                      /* under this mask */
    uint32_t placed;                     /* equal words may stand for different items */
    uint32_t compare;                    /* keys may only be compared */
    const struct cw_vectors *vectors[3]; /* for words of 4, 8 and 2 bytes; NULL: there are none */
    size_t leaf;                         /* items of a bucket that is sorted in cache, at most */
    uint32_t pivots;                     /* bad ones below each other, before quicksort gives up */
    uint64_t seed;                       /* of the places where buckets are sampled */
    int foreseen;                        /* for tests: seeds made later follow from it */
    size_t room;                         /* words of 8 bytes that a thread's buffers hold */
    uint32_t ends;                       /* of a thread: cw_sort_ends */
    struct cw_team *team;
    unsigned threads;
    struct cw_sort_thread *thread;
    struct cw_sort_lists *lists; /* what all threads together work at (sort/buckets.c) */
};

/* How many of n keys, of an array of `all`, are sampled before they are dealt into buckets: one in 64, and fewer of a long array,
 * so that its sample fits in buffers that are short beside it. */
static inline uint32_t cw_sort_sample(size_t all, size_t n)
{
    const size_t one_in = n / (all < CW_SORT_LONG ? 64u : CW_SORT_ONE_IN);

    if (n < 64u * CW_SORT_DRAWN)
        return n < 1024 ? 16 : (uint32_t)(n / 64);
    return one_in < CW_SORT_DRAWN    ? CW_SORT_DRAWN
           : one_in > CW_SORT_SAMPLE ? CW_SORT_SAMPLE
                                     : (uint32_t)one_in;
}

/* How an array is sorted. */
struct cw_sort_ways {
    const struct cw_columns *columns;
    size_t leaf;     /* items sorted in cache: 0, as it should be; else 16 to 65536 */
    uint32_t pivots; /* bad ones before quicksort gives up */
    uint64_t seed;
    int foreseen; /* seeds made later follow from that one: for tests of what then happens */
};

/* cw_cpu_sort in a chosen way: for tests. */
cw_status cw_cpu_sort_by(const cw_array *job, void *workspace, struct cw_team *team,
                         const struct cw_sort_ways *ways);

#endif
