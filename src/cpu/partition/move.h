/* move.h - the second half of a partition by threads: a thread sends its items to their buckets. */
#ifndef CW_CPU_PARTITION_MOVE_H
#define CW_CPU_PARTITION_MOVE_H

#include "cpu/partition/labels.h"
#include "cpu/sort/lines.h"

#define CW_PARTITION_LINED 4096u /* buckets, up to which rows are gathered into lines */

/* One of the arrays that move. */
struct cw_partition_moved {
    const char *in; /* NULL: the index, which is made */
    char *out;
    size_t bytes;
    size_t choices; /* item i has row (or number) i / choices */
};

/* One thread's memory. */
struct cw_partition_hand {
    size_t *at, *begin; /* of each bucket: where its next item goes, its first went */
    char *lines;        /* of all arrays, buckets * CW_SORT_LINE each */
    size_t bad;         /* the first item with a bad label, or n */
};

struct cw_partition_work {
    const cw_partition_job *given;
    uint32_t buckets; /* one more than given, if labels are dropped: for these */
    struct cw_labels labels;
    struct cw_partition_moved *moved;
    size_t arrays;
    struct cw_team *team;
    unsigned threads;
    struct cw_partition_hand *hand;
};

/* Where stretch t begins, and stretch t - 1 ends. */
static inline size_t cw_partition_stretch(const struct cw_partition_work *j, unsigned t)
{
    const size_t n = j->given->n, more = n % j->threads;

    return n / j->threads * t + (t < more ? t : more);
}

/* Send the items of stretch t to where its counts, which have become places, say. */
void cw_partition_move(const struct cw_partition_work *j, unsigned t);

#endif
