/* request.h - what a run on the model is asked for, the same for all commands that run one. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include <stdint.h>

#include "cli/common/options.h"
#include "paper/paper.h"

enum { ON_MODEL, ON_GPU };

struct request {
    uint64_t w, m;                /* 0: not given */
    uint64_t seed;                /* of the input and of random words that the algorithm draws */
    uint64_t latency;             /* 0: not given */
    uint64_t threads;             /* 0: not given */
    uint64_t banks, dmms, global; /* 0: not given */
    int rule;                     /* enum cw_model_rule */
    uint64_t ways, key_bits;      /* 0: not given */
    uint64_t alpha;               /* 0: not given */
    uint64_t batch;               /* matrices on a GPU; 0: not given */
    int rows, hash;               /* -1: not given */
    int prefer, charge;           /* enum cw_prefer, enum cw_charge; -1: not given */
    int on;                       /* ON_MODEL or ON_GPU */
    uint64_t group;               /* rows of a super-row; 0: not given */
    uint64_t n;                   /* items, of which the matrix may hold more; 0: not given */
    int literal, finish, count, json;
    int as_printed, print, explain;
    const char *input; /* a kind, a file, "-"; NULL: not given */
    const char *trace, *trace_text, *html, *plan, *save_plan;
    const char *output; /* a file for the result */
    /* Where trace, plan and result go; NULL: nowhere. */
    struct cw_output *trace_to, *plan_to, *result_to;
};

/* Nothing given, seed 1. */
void request_init(struct request *r);

#define REQUEST_ROWS  (UINT64_C(1) << 20) /* the most processors */
#define REQUEST_WORDS (UINT64_C(1) << 30) /* the most words of a matrix */

/* Options that every such command has. */
#define REQUEST_OPTIONS(r)                                                           \
    NUMBER('w', NULL, "W", 1, REQUEST_ROWS, &(r)->w, "rows: banks and processors"),  \
        NUMBER('m', NULL, "M", 1, REQUEST_WORDS, &(r)->m, "columns: words a bank"),  \
        TEXT("input", "KIND", &(r)->input,                                           \
             "kind of input; or a file, '-' for standard input; or numbers, 5,3,9"), \
        NUMBER(0, "seed", "S", 0, UINT64_MAX, &(r)->seed,                            \
               "seed of everything random (default 1)"),                             \
        NUMBER(0, "ways", "K", 2, 16, &(r)->ways,                                    \
               "runs that a row merge takes at a time (default 4)"),                 \
        FLAG("json", &(r)->json, "print JSON")

/* The columns that -n asks for; -w and -m given and of a size that a machine can have: 0, or USAGE after a complaint. */
int request_shape(struct request *r);

/* Refuse a matrix with `extra` words a row that this computer cannot hold: memory that is
 * only promised ends in a kill.  CW_OK or CW_ERR_ARGUMENT. */
cw_status request_fits(const struct request *r, uint64_t extra);

/* The options of the algorithm, defaults filled in. */
void request_options(const struct request *r, struct cw_options *out);
void request_config(const struct request *r, const struct cw_algorithm *alg,
                    struct cw_model_config *out);
void request_rules(const struct request *r, struct cw_model_rules *out);

#endif
