/* model_state.h - what model.c (memory, runs) and steps.c (the rule) share. */
#ifndef CW_MACHINE_MODEL_MODEL_STATE_H
#define CW_MACHINE_MODEL_MODEL_STATE_H

#include "machine/model/groups.h"
#include "machine/lanes.h"
#include "machine/model/model.h"
#include "machine/model/rules.h"
#include "machine/trace/trace.h"

#define CW_AREA_NAME 24

struct cw_model_area {
    char name[CW_AREA_NAME];
    uint32_t first, columns;
};

/* Accesses to a bank beyond the first of a step. */
struct cw_model_extra {
    uint64_t total; /* over all steps, with what was folded in from cw_model_bank */
    uint64_t step;  /* `load` is of this step */
    uint32_t load;  /* accesses in it */
};

struct cw_model {
    _Alignas(64) struct cw_model_hot hot;
    uint32_t w;
    uint32_t m, live;
    struct cw_lane **queue; /* [2 w + CW_MODEL_AHEAD] */
    struct cw_lane *lane;   /* [w + 1], the last is the host */

    struct cw_model_extra *extra; /* [w] */
    uint64_t step;                /* number of the step in progress, from 1 */
    uint32_t degree;              /* of the step so far */
    uint32_t skipped;
    uint64_t accesses, conflicts, steps, time;
    uint32_t worst_degree;
    uint32_t warps;
    uint64_t pipe;     /* when the memory pipeline is free */
    uint64_t *pending; /* [warps]: when each warp's request is answered */

    struct cw_model_config config;
    struct cw_rules *rules; /* NULL: the model's own */
    uint32_t dmms, global;  /* of struct cw_model_rules */
    struct cw_groups *groups;
    struct cw_lanes *lanes;
    struct cw_trace *trace;
    struct cw_model_area *areas;
    uint32_t area_count;
    void (*hook)(void *, const struct cw_phase *);
    void *hook_arg;
    void (*body)(struct cw_model *, const void *);
    const void *body_arg;
    cw_status status;

    /* what a lane asks the host to do: it has the larger stack */
    const struct cw_phase *phase;
    struct {
        uint32_t row, col;
        struct cw_group group;
        const char *site;
    } fault;
};

/* steps.c: run all lanes from the queue until they are done or one has a fault; say
 * which; what a lane that is done calls. */
void cw_model_go(struct cw_model *s);
cw_status cw_model_outcome(const struct cw_model *s);
uint32_t cw_model_done(uint32_t lane, void *arg);

#endif
