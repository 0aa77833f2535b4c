/* model.h - the Discrete Memory Machine: w processors, w banks, one access a step.
 *
 * Memory is a w x m matrix followed by named auxiliary columns; row r is bank r.
 * Each processor is a lane (lanes.h) that stops at every access.  A step is one
 * access of every processor that has one to make, wherever in the source it
 * stands; own row and foreign rows count alike.
 *
 *   strict   a bank asked twice in a step ends the run with an error that names
 *            step, bank, both processors, both addresses and both source lines
 *   count    the second access waits: the step costs as many steps as its
 *            busiest bank is asked for words; every access that waits is a conflict
 *
 * Because no bank serves two words at once, an access may be carried out as soon
 * as its lane asks: nobody else can see or change that bank before the step ends.
 * Where count mode lets accesses collide they are served in the order they stop.
 *
 * Waiting for a group of lanes (cw_model_sync) costs no step: processors are
 * synchronous, one that waits simply skips its accesses.  A group goes on in the
 * step in which its last lane comes: none of its lanes has acted in that step.
 *
 * A step in which lanes only skip is a step too.  In Nakano's time it takes one
 * unit and no place in the pipeline.
 *
 * Time: about 10 ns an access up to w = 1024, 50 ns at w = 65536.  Space: a stack
 * of 16 KiB a lane (8 KiB beyond 2^14 lanes) and about 300 bytes besides.
 */
#ifndef CW_MACHINE_MODEL_MODEL_H
#define CW_MACHINE_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

typedef uint64_t cw_word;

#define CW_MODEL_JUNK UINT64_C(0xbadc0ffee0ddf00d) /* auxiliary words when a run begins */

struct cw_model;
struct cw_trace;

struct cw_model_config {
    uint32_t w, m;    /* the matrix: w rows (banks, processors), m columns */
    int count;        /* 0: strict, 1: conflicts serialise and are counted */
    uint32_t latency; /* Nakano's l: an access takes l time units; 0 means 1 */
    uint32_t threads; /* Nakano's p, a multiple of w: p / w warps, each with a matrix
                         of its own and the same input, share the pipeline; 0 means w */
};

/* What a step costs: rules.h. */
enum cw_model_rule { CW_MODEL_DMM, CW_MODEL_MERGE, CW_MODEL_UMM };

/* Other machines than the paper's; all zero is the paper's. */
struct cw_model_rules {
    enum cw_model_rule rule;
    uint32_t banks;  /* fewer than w, a divisor of it: w / banks warps share one matrix; 0: w */
    uint32_t dmms;   /* Nakano's hierarchical machine: so many DMMs, each with such a matrix that
                        it loads from and stores to a UMM of latency `global`; 0: none */
    uint32_t global; /* 0 means 1 */
};

struct cw_counters {
    uint64_t steps;        /* with serialised conflicts */
    uint64_t work;         /* w * steps */
    uint64_t accesses;     /* words read or written */
    uint64_t reads;        /* of these, reads */
    uint64_t conflicts;    /* accesses that found their bank taken in that step */
    uint64_t time;         /* time units for all p / w matrices, latency counted */
    uint64_t busiest_load; /* accesses to the bank that was asked most */
    uint32_t busiest_bank; /* which one */
    uint32_t worst_degree; /* most accesses to one bank in one step */
};

/* A group of lanes: first, first + stride, ..., rows of them. */
struct cw_group {
    uint32_t first, stride, rows;
};

/* Where an algorithm stands: told to the hook when the whole group is there. */
struct cw_phase {
    const char *name;
    struct cw_group group; /* the rows that have finished the phase */
    uint32_t column, cols; /* where their data is now */
};

cw_status cw_model_create(const struct cw_model_config *config, struct cw_model **out);
void cw_model_destroy(struct cw_model *s);

/* Change the rules, between two runs.  CW_ERR_ARGUMENT: they do not fit, or are not the paper's in
 * strict mode or with several matrices. */
cw_status cw_model_rules(struct cw_model *s, const struct cw_model_rules *rules);

/* What it was made with, the defaults filled in. */
const struct cw_model_config *cw_model_settings(const struct cw_model *s);

/* Add `columns` auxiliary columns behind the others; their first goes to *first. */
cw_status cw_model_aux(struct cw_model *s, const char *name, uint32_t columns, uint32_t *first);
uint32_t cw_model_extra(const struct cw_model *s); /* auxiliary words a row, in all */
uint32_t cw_model_columns(const struct cw_model *s);
size_t cw_model_private(
    const struct cw_model *s); /* most bytes that a lane kept to itself: its stack */

/* The i-th auxiliary area: its name, first column and width; 0 past the last one. */
int cw_model_area(const struct cw_model *s, uint32_t i, const char **name, uint32_t *first,
                  uint32_t *columns);

/* A word of memory, for the host: fills inputs, reads results; not counted. */
cw_word *cw_model_at(struct cw_model *s, uint32_t row, uint32_t col);

/* Called between two runs or never; NULL removes.  The hook runs on the caller's stack,
 * when all lanes of the phase's group are there; it must not change memory while a run
 * is traced.  A trace takes one run; then the model forgets it. */
void cw_model_hook(struct cw_model *s, void (*hook)(void *arg, const struct cw_phase *phase),
                   void *arg);
void cw_model_trace(struct cw_model *s, struct cw_trace *trace);

/* Run body on every lane.  Counters start at 0, auxiliary words at a junk value. */
cw_status cw_model_run(struct cw_model *s, void (*body)(struct cw_model *s, const void *arg),
                       const void *arg);
void cw_model_counters(const struct cw_model *s, struct cw_counters *out);

/* ---- called by lanes, through dev.h; `site` is "file:line" ---------------- */

/* Inline, in model_fast.h:
 *
 *   uint32_t cw_model_lane(const struct cw_model *s);
 *   cw_word cw_model_read(struct cw_model *s, uint32_t row, uint32_t col, const char *site);
 *   void cw_model_write(struct cw_model *s, uint32_t row, uint32_t col, cw_word x,
 *                       const char *site);
 */
void cw_model_skip(struct cw_model *s);            /* let one step pass */
uint64_t cw_model_clock(const struct cw_model *s); /* steps that are over */
void cw_model_sync(struct cw_model *s, struct cw_group group, const char *site);
void cw_model_phase(struct cw_model *s, const struct cw_phase *phase, const char *site);

#include "machine/model/model_fast.h"

#endif
