/* threads.h - a team of host threads: the caller, and workers that wait between calls.
 *
 * A loop over n things is cut into shares of `grain`; whoever is free takes the next one.  Which
 * thread does a share is open, and so is how many threads there are: a worker that the system
 * refuses, or that wakes up late, only means that others do more.  So nothing may wait inside a
 * share for another share, and failing to make threads is no failure.
 *
 * Workers begin with the first loop that needs them and end with cw_team_end.  They take no
 * signals but those that their own instructions raise.  After fork() the child's team is the
 * caller alone; it starts workers of its own.
 */
#ifndef CW_BASE_THREADS_H
#define CW_BASE_THREADS_H

#include <stddef.h>

#define CW_THREADS_MOST 1024u /* of a team; more would only be refused by the system */

/* Set `crew` to NULL first, and `kept` and `lent` to 0.  One thread at a time may use a team. */
struct cw_team {
    unsigned wanted;      /* threads, with the caller; 0: one a processor */
    struct cw_crew *crew; /* the workers; NULL: none yet */
    void *kept;           /* cw_team_buffers: what the last call left, */
    size_t kept_bytes;
    int lent; /* .. and whether a call has it now */
};

/* How many threads a loop may count on at most: 1 .. CW_THREADS_MOST. */
unsigned cw_team_threads(const struct cw_team *team);

/* Do from .. end - 1.  `thread` is below the number of threads asked for, and no two shares with
 * the same number are done at once: it names buffers. */
typedef void cw_share(void *user, size_t from, size_t end, unsigned thread);

/* Do 0 .. n - 1 in shares of `grain`, by up to `threads`; returns when all are done.  `team` may be
 * NULL where threads is 1. */
void cw_team_run(struct cw_team *team, unsigned threads, size_t n, size_t grain, cw_share *body,
                 void *user);

/* Buffers for one call, aligned to 256 bytes; NULL: there is no memory.  What they hold is not
 * defined.  A team keeps those of up to CW_TEAM_KEEPS bytes a thread for its next call: new memory
 * costs the system as much time as sorting does, page by page. */
#define CW_TEAM_KEEPS ((size_t)8 << 20)
void *cw_team_buffers(struct cw_team *team, size_t bytes);

/* The call is done with them. */
void cw_team_buffers_done(struct cw_team *team, void *buffers);

/* How many workers there are now. */
unsigned cw_team_workers(const struct cw_team *team);

/* Wait until all workers have ended, and free what is kept.  The team may be used again. */
void cw_team_end(struct cw_team *team);

#endif
