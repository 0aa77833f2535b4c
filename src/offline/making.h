/* making.h - what make.c and make_passes.c share while a plan is made. */
#ifndef CW_OFFLINE_MAKING_H
#define CW_OFFLINE_MAKING_H

#include "offline/plan.h"

/* What is known while a plan is made. */
struct cw_plan_making {
    cw_plan *plan;
    const void *given;
    size_t given_bytes; /* of an index */
    struct cw_team *team;
    uint32_t *own[3]; /* memory to be freed */
    uint32_t owned;
};

/* Memory for n + 1 numbers, freed in the end; NULL, and an error, if there is none. */
uint32_t *cw_plan_making_room(struct cw_plan_making *m);

/* Name the first index that is out of range or was there before. */
cw_status cw_plan_name_offender(const struct cw_plan_making *m);

/* Tables of all passes, for destinations to[i]. */
cw_status cw_plan_make_passes(struct cw_plan_making *m, const uint32_t *to);

#endif
