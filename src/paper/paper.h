/* paper.h - every algorithm by name: what it takes, what it promises, how to run it.
 *
 * An algorithm is a body for one processor (written in dev.h's vocabulary, in a
 * header of its own) and a row of the registry.  A job binds the two to a shape.
 */
#ifndef CW_PAPER_PAPER_H
#define CW_PAPER_PAPER_H

#include <stdint.h>

#include "machine/model/model.h"

#define CW_AREAS 8 /* auxiliary areas that one algorithm may ask for */

enum cw_problem {
    CW_SORT,      /* the whole matrix */
    CW_SORT_ROWS, /* each row for itself */
    CW_TRANSPOSE, /* row-major to column-major order */
    CW_PARTITION, /* m copies of each label in [w]: every item to its row */
    CW_PERMUTE    /* label row*m + col: every item to its place */
};

/* Where the sorted sequence lies in the end. */
enum cw_order { CW_ROW_MAJOR, CW_COLUMN_MAJOR };

/* BEST: by counting where the keys' bits are known and it takes fewer steps. */
enum cw_row_sort { CW_ROWS_BEST, CW_ROWS_MERGE, CW_ROWS_RADIX };

/* What decides where several algorithms take a shape.  NETWORK is what STEPS is settled to where
 * the general sort takes fewer than lemma 2. */
enum cw_prefer { CW_PREFER_STEPS, CW_PREFER_BOUND, CW_PREFER_NETWORK };

/* How loops are charged that end when the slowest row is done.  WORST: every row runs on to
 * the length that all rows can know. */
enum cw_charge { CW_CHARGE_SEEN, CW_CHARGE_WORST };

enum cw_hash { CW_HASH_MIXER, CW_HASH_TABLE, CW_HASH_PAGH, CW_HASH_TABULATION };

/* All zero is the default. */
struct cw_options {
    int literal;           /* 1: as the paper states it, refused where its conditions fail;
                    2: run it there all the same, to see it fail (--as-printed) */
    uint32_t ways;         /* runs that a row merge takes at a time, 2 .. 16; 0 means 4 */
    uint32_t group;        /* literal theorem 1: height of super-rows; 0: near sqrt(m) */
    enum cw_row_sort rows; /* how rows are sorted (partition, integers) */
    uint32_t key_bits;     /* keys are below 2^key_bits; 0: unknown (merge only) */
    enum cw_hash hash;     /* permute: the hash function */
    uint32_t alpha;        /* permute: rounds of m communication steps an iteration; 0 means 3 */
    int finish;            /* permute: the paper's finishing rather than looping to the end */
    uint64_t seed;         /* for algorithms that draw random words */
    enum cw_prefer prefer; /* sort, partition, integers: fewest steps, or the best bound */
    enum cw_charge charge; /* permute, Cole: steps that were needed, or that could have been */
};

struct cw_algorithm;

struct cw_job {
    uint32_t w, m;
    struct cw_options opt;                /* defaults filled in */
    enum cw_prefer prefer;                /* opt.prefer, settled */
    const struct cw_algorithm *algorithm; /* the one that runs: what `choose` chose */
    uint32_t aux[CW_AREAS];               /* first column of each auxiliary area */
    const void *input; /* what else the body reads: a plan, say; not banked memory */
    void *output;      /* what else it reports: iterations, say */
};

struct cw_area {
    const char *name;
    uint32_t columns;
};

struct cw_algorithm {
    const char *name;
    const char *summary;    /* one line for people */
    const char *bound_text; /* the bound that steps are held against, "m log2 n" */
    enum cw_problem problem;
    enum cw_order order;
    int conflict_free; /* 0: only count mode runs it */
    /* CW_OK, or CW_ERR_SHAPE with the reason; NULL: takes any w >= 1, m >= 1. */
    cw_status (*check)(uint32_t w, uint32_t m, const struct cw_options *opt);
    /* Fill in at most CW_AREAS areas, return how many; NULL: none. */
    uint32_t (*areas)(uint32_t w, uint32_t m, const struct cw_options *opt, struct cw_area *out);
    double (*bound)(uint32_t w, uint32_t m);
    /* Where a shape may be taken by another algorithm than the one with that bound: the bound of
     * what runs, its text to *text; NULL: `bound` and `bound_text`. */
    double (*bound_of)(uint32_t w, uint32_t m, const struct cw_options *opt, const char **text);
    /* The bound of what did run, where only its report (job->output) tells; NULL: `bound_of`. */
    double (*bound_ran)(const struct cw_job *job, const char **text);
    /* What `prefer` comes to for this shape; NULL: itself. */
    enum cw_prefer (*settle)(uint32_t w, uint32_t m, const struct cw_options *opt);
    /* Exact steps, known from the shape alone; NULL: they depend on the data. */
    uint64_t (*steps)(uint32_t w, uint32_t m, const struct cw_options *opt);
    void (*body)(struct cw_model *s, const void *job);
    /* The algorithm that runs in this one's name; NULL: itself. */
    const struct cw_algorithm *(*choose)(uint32_t w, uint32_t m, const struct cw_options *opt);
};

enum { CW_CONFLICTS, CW_NO_CONFLICTS };

/* A row of the registry: what people read of it, then the functions that it has. */
#define CW_ALGORITHM(name_, problem_, order_, free_, bound_, summary_, ...)          \
    {                                                                                \
        .name = name_, .problem = problem_, .order = order_, .conflict_free = free_, \
        .bound_text = bound_, .summary = summary_, __VA_ARGS__                       \
    }

/* An area, if it has columns; how many that makes. */
static inline uint32_t cw_area_of(const char *name, uint32_t columns, struct cw_area *out)
{
    *out = (struct cw_area){name, columns};
    return columns != 0;
}

/* The bound m. */
static inline double cw_bound_m(uint32_t w, uint32_t m)
{
    (void)w;
    return m;
}

/* The registry: in the order that `clearway model list` prints. */
extern const struct cw_algorithm *const cw_algorithms[];
extern const uint32_t cw_algorithm_count;

const struct cw_algorithm *cw_algorithm_find(const char *name);

/* Put defaults where an option is 0. */
void cw_options_fill(struct cw_options *opt);

/* CW_OK if the algorithm takes this shape with these (filled) options, else why not. */
cw_status cw_algorithm_check(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                             const struct cw_options *opt);

/* The bound of what runs for this shape with these (filled) options, and how it is written. */
double cw_algorithm_bound(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                          const struct cw_options *opt, const char **text);

/* The same of a job that ran, with its report at job->output. */
double cw_job_bound(const struct cw_job *job, const char **text);

/* Make a machine for this algorithm and shape, with its auxiliary areas, and the
 * job to pass to cw_model_run(model, job.algorithm->body, &job). */
cw_status cw_job_make(const struct cw_algorithm *alg, const struct cw_model_config *config,
                      const struct cw_options *opt, struct cw_job *job, struct cw_model **model);

/* The i-th item of the matrix in the given order. */
cw_word *cw_job_item(struct cw_model *model, const struct cw_job *job, enum cw_order order,
                     uint64_t i);

#endif
