/* simulated.c - ranks as coroutines that take turns. */
#include "distributed/ranks/simulated.h"

#include <stdlib.h>

#include "base/status.h"
#include "distributed/ranks/seats.h"
#include "machine/lanes.h"

struct simulation {
    struct cw_lanes *lanes;
    struct cw_seat *seats;
    uint32_t ranks;
    cw_simulated_body *body;
    void *user;
};

static int meet(void *self)
{
    const struct cw_seat *const seat = (const struct cw_seat *)self;
    const struct simulation *const s = (const struct simulation *)seat->of;

    if (s->ranks > 1)
        cw_lanes_switch(s->lanes, seat->rank, (seat->rank + 1) % s->ranks);
    return 0;
}

static void run(uint32_t rank, void *of)
{
    struct simulation *const s = (struct simulation *)of;
    cw_group group;

    cw_seats_group(&s->seats[rank], &group);
    s->body(&group, s->user);
}

/* All ranks meet equally often, so the last one is also the last to end. */
static uint32_t done(uint32_t rank, void *of)
{
    const struct simulation *const s = (const struct simulation *)of;

    return rank + 1 < s->ranks ? rank + 1 : CW_LANE_HOST;
}

cw_status cw_simulated_run(uint32_t ranks, cw_simulated_body *body, void *user)
{
    struct simulation s = {NULL, NULL, ranks, body, user};
    const struct cw_lane_entry entry = {run, done, &s};
    cw_status status;

    s.seats = (struct cw_seat *)calloc(ranks, sizeof *s.seats);
    if (!s.seats)
        return cw_fail(CW_ERR_MEMORY, "%u simulated ranks", ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        const struct cw_seat seat = {s.seats, r, ranks, meet, &s, NULL, NULL};

        s.seats[r] = seat;
    }
    status = cw_lanes_create(ranks, &s.lanes);
    if (!status) {
        cw_lanes_start(s.lanes, &entry);
        cw_lanes_enter(s.lanes, 0);
        if (cw_lanes_overrun(s.lanes) != CW_LANE_HOST)
            status = cw_fail(CW_ERR_INTERNAL, "a simulated rank has overrun its stack");
        cw_lanes_destroy(s.lanes);
    }
    free(s.seats);
    return status;
}
