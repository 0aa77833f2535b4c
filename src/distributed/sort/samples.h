/* samples.h - samples of all ranks, as they arrive: packed words, one rank after another, merged in order. */
#ifndef CW_DISTRIBUTED_SORT_SAMPLES_H
#define CW_DISTRIBUTED_SORT_SAMPLES_H

#include <stdint.h>

/* The words of rank r, counts[r] of them, ascend. */
struct cw_samples {
    uint32_t ranks;
    unsigned width;         /* bytes of a word .. */
    uint64_t low;           /* .. less this */
    const uint64_t *counts; /* of each rank */
    const uint8_t *words;
};

/* The samples of a rank that are left: they ascend.  The rank whose next one comes first is at the
 * top of a heap. */
struct cw_run {
    uint64_t word, next, end; /* numbers of all samples; the word of `next` */
    uint32_t rank;
};

struct cw_merged {
    const struct cw_samples *samples;
    struct cw_run *runs;
    uint32_t left;
};

#define CW_MERGED_ROOM sizeof(struct cw_run) /* of a rank */

/* All samples by word, then by rank; the first is on top of the heap in `room` while any is left. */
struct cw_merged cw_merged_open(const struct cw_samples *samples, void *room);
void cw_merged_drop(struct cw_merged *m);

/* The first one's number among those of its rank. */
static inline uint64_t cw_merged_number(const struct cw_merged *m)
{
    return m->runs->next + m->samples->counts[m->runs->rank] - m->runs->end;
}

#endif
