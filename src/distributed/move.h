/* move.h - items go to their ranks: every array once, each rank's part of it in one piece. */
#ifndef CW_DISTRIBUTED_MOVE_H
#define CW_DISTRIBUTED_MOVE_H

#include "distributed/ranks/group.h"

/* Who sends how many items to whom. */
struct cw_moves {
    uint64_t *memory;         /* 4 * ranks numbers: */
    uint64_t *send, *send_at; /* items for each rank, and where they begin */
    uint64_t *recv, *recv_at; /* items of each rank */
    uint64_t sent, received;  /* in all, what stays here too */
};

/* From how the items are cut (ranks + 1 places): tells all ranks what they get.  End it in any
 * case. */
cw_status cw_moves_begin(struct cw_moves *m, struct cw_peers *p, const uint64_t *cuts);
void cw_moves_end(struct cw_moves *m, struct cw_peers *p);

/* For tests: not 0, exchanges are staged wherever the memory is, in pieces of so many bytes. */
extern size_t cw_moves_staged;

/* Move an array of items of so many bytes, in the context's memory.  Waits.  If a copy fails at the
 * very end, this rank alone knows: agree before going on. */
cw_status cw_moves_run(struct cw_moves *m, struct cw_peers *p, cw_context *context,
                       cw_stream stream, const void *from, void *to, size_t bytes);

#endif
