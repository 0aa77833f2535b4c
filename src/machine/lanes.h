/* lanes.h - coroutines: one stack a lane, and a switch from one to another.
 *
 * A lane runs until it switches away; there are no threads and no preemption,
 * so a scheduler built on this is deterministic.  Lanes hold no resources: a
 * run that fails simply leaves them where they stand, and the next
 * cw_lanes_start puts every lane back at its beginning.
 *
 * Stacks are cut from one mapping.  Their tops are staggered over the cache's
 * sets: with all of them at one page offset, a thousand lanes would fight for
 * eight cache lines, which costs a factor of five.
 */
#ifndef CW_MACHINE_LANES_H
#define CW_MACHINE_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_LANE_HOST UINT32_MAX /* the caller of cw_lanes_enter, as a place to switch to */

struct cw_lanes;

/* What a lane runs; when it returns, `done` is asked which lane runs next. */
struct cw_lane_entry {
    void (*body)(uint32_t lane, void *arg);
    uint32_t (*done)(uint32_t lane, void *arg);
    void *arg;
};

cw_status cw_lanes_create(uint32_t count, struct cw_lanes **out);
void cw_lanes_destroy(struct cw_lanes *lanes);

/* Put all lanes at the beginning of entry->body. */
void cw_lanes_start(struct cw_lanes *lanes, const struct cw_lane_entry *entry);

/* From the host: run `lane` until some lane switches to CW_LANE_HOST. */
void cw_lanes_enter(struct cw_lanes *lanes, uint32_t lane);

/* From lane `from`: go on with lane `to`; returns when somebody switches back. */
void cw_lanes_switch(struct cw_lanes *lanes, uint32_t from, uint32_t to);

/* After a run: the first lane that overran its stack, or CW_LANE_HOST. */
uint32_t cw_lanes_overrun(const struct cw_lanes *lanes);

/* Bytes of memory that the lanes may come to hold. */
size_t cw_lanes_bytes(const struct cw_lanes *lanes);

#endif
