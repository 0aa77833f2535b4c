/* group.h - how the parts of a call talk to the other ranks: the group's functions, with counts and
 * errors. */
#ifndef CW_DISTRIBUTED_RANKS_GROUP_H
#define CW_DISTRIBUTED_RANKS_GROUP_H

#include "clearway_distributed.h"

/* One call on one rank. */
struct cw_peers {
    const cw_group *group;
    uint32_t rank, ranks;
    cw_group_report *report; /* never NULL */
    uint64_t held;           /* bytes that cw_peers_alloc gave out */
    char *lent;              /* room for cw_peers_scratch, */
    size_t lent_bytes, lent_used;
    cw_group_report unread;
};

/* Check the group, and begin the report; NULL: nobody will read it.  *p stays where it is: a copy of
 * it points there. */
cw_status cw_peers_begin(struct cw_peers *p, const cw_group *group, cw_group_report *report);

cw_status cw_peers_allgather(struct cw_peers *p, const void *mine, void *all, size_t bytes);
cw_status cw_peers_max(struct cw_peers *p, uint64_t *values, size_t count);

/* Of items, or (control) of what is said about them. */
cw_status cw_peers_alltoallv(struct cw_peers *p, const cw_exchange *exchange, int control);

/* `bytes` to and from every rank, between hosts.  `room`: 2 * ranks numbers. */
cw_status cw_peers_alltoall(struct cw_peers *p, const void *send, void *recv, size_t bytes,
                            uint64_t *room);

/* The worst status of all ranks, and whose it is in cw_last_error(): every rank gets the same.
 * Called before each collective part, so that nobody waits for a rank that has given up. */
cw_status cw_peers_agree(struct cw_peers *p, cw_status mine);

/* .. and the largest of each of up to CW_AGREE values of theirs, of all ranks. */
#define CW_AGREE 31u
cw_status cw_peers_agree_on(struct cw_peers *p, cw_status mine, uint64_t *values, size_t count);

/* Host memory, counted in the report; NULL and CW_ERR_MEMORY's text if there is none.  `bytes`
 * again to free it; NULL is fine. */
void *cw_peers_alloc(struct cw_peers *p, size_t bytes);
void cw_peers_free(struct cw_peers *p, void *memory, size_t bytes);
void cw_peers_hold(struct cw_peers *p, size_t bytes); /* count memory that comes from elsewhere */

/* Memory that is given back in the reverse order of its calls, while nothing else uses the room that
 * was lent: it lies there as far as it fits, and is then not counted; else it is allocated. */
void *cw_peers_scratch(struct cw_peers *p, size_t bytes);
void cw_peers_scratch_free(struct cw_peers *p, void *memory, size_t bytes);

/* `room`: memory of the host, on 16 bytes; NULL ends it. */
void cw_peers_lend(struct cw_peers *p, void *room, size_t bytes);

/* For tests: the so many-th allocation of this thread from now on fails; 0: none does. */
extern _Thread_local uint64_t cw_peers_fail_in;

double cw_peers_clock(void); /* seconds */

#endif
