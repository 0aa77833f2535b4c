/* seats.h - a group whose ranks share memory: each says where its data lies, and takes it from the
 * others.
 *
 * Every function is the same three steps: say where one's data lies, meet, take what is needed from
 * the others, meet again so that nobody changes it too early.  How ranks meet is all that differs
 * between threads (threads.c) and ranks that are simulated (simulated.c). */
#ifndef CW_DISTRIBUTED_RANKS_SEATS_H
#define CW_DISTRIBUTED_RANKS_SEATS_H

#include "clearway_distributed.h"

struct cw_seat {
    struct cw_seat *all; /* of `ranks` seats */
    uint32_t rank, ranks;
    int (*meet)(void *seat); /* returns when all ranks have come; 0 */
    void *of;                /* for `meet` */
    const void *data;
    const cw_exchange *exchange;
};

void cw_seats_group(struct cw_seat *seat, cw_group *out);

#endif
