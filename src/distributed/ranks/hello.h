/* hello.h - the first thing that ranks tell each other: what they have, and whether they are
 * willing. */
#ifndef CW_DISTRIBUTED_RANKS_HELLO_H
#define CW_DISTRIBUTED_RANKS_HELLO_H

#include "distributed/ranks/group.h"

#define CW_HELLO_FACTS 8

struct cw_hello {
    uint64_t status; /* of this rank's own checks */
    uint64_t n;
    uint64_t draw;                  /* a number that nobody foresees */
    uint64_t facts[CW_HELLO_FACTS]; /* of the job, which all ranks must have alike */
};

struct cw_everyone {
    uint64_t total, first; /* items of all ranks; of those before this one */
    uint64_t seed;         /* the same on all ranks */
};

/* How a call begins: the ranks, what this one says, and what all said. */
struct cw_entry {
    struct cw_peers peers;
    struct cw_hello hello;
    struct cw_everyone all;
};

/* CW_ERR_ARGUMENT on all ranks if facts differ; else the worst status. */
cw_status cw_hello(struct cw_peers *p, const struct cw_hello *mine, struct cw_everyone *out);

#endif
