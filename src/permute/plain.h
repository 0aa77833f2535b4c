/* plain.h - permutations without passes, as launches into a queue. */
#ifndef CW_PERMUTE_PLAIN_H
#define CW_PERMUTE_PLAIN_H

#include "backend/queue.h"
#include "prim/bijection.h"

/* log2 of 1, 2, 4, 8 or 16 bytes; 5 for any other number. */
unsigned cw_permute_log(size_t bytes);

/* By the index of the job: elements, or rows. */
cw_status cw_permute_plain(struct cw_queue *q, const cw_permute_job *job);

/* By a bijection: out[i] = in[at(i)], or back(i). */
cw_status cw_permute_draw(struct cw_queue *q, const cw_permute_job *job, const struct bijection *by,
                          int back);

#endif
