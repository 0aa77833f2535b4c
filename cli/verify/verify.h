/* verify.h - what the parts of `clearway verify` share.
 *
 *      verify.c           the command
 *      verify_bench.c     where cases run, and a note of every launch
 *      verify_rows.c      cases of cw_sort_rows, verify_sort.c of cw_sort; each is run by
 *                         verify_job.c, made and checked in verify_batch.c, keys in verify_keys.c
 *      verify_tiles.c     cases of the kernels that scan and transpose tiles
 *      verify_items.c     .. that partition and permute them
 *      verify_paper.c     .. that run the paper's algorithms
 *      verify_sums.c      notes added up by kernel, and held against what a GPU counted
 *      verify_ncu.c       what a GPU counted
 *      verify_print.c     the certificate
 *
 * The list of cases is the same for every context, and so are the launches that each makes, in
 * order.  The number of blocks may differ, since it follows the number of multiprocessors; the
 * work that they share does not.
 */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "api/context.h"

#define VERIFY_NAME 96

/* A build with sanitizers takes as many cases, but the least of what is slow in each. */
#if defined(__SANITIZE_ADDRESS__)
#define VERIFY_SMALL 1
#else
#define VERIFY_SMALL 0
#endif

/* What shared memory was asked for. */
struct verify_cost {
    uint64_t requests, wavefronts, ideal;
};

/* A launch: on the emulator, of a case; on a GPU, as the profiler tells it. */
struct verify_note {
    enum cw_kernel kernel;
    unsigned number; /* of its case */
    struct verify_cost cost;
    char what[VERIFY_NAME]; /* the case, or the kernel's name on the GPU */
};

struct verify_notes {
    struct verify_note *at;
    size_t count, room;
};

cw_status verify_note_add(struct verify_notes *n, const struct verify_note *x);

struct verify {
    cw_context *context;
    int only;                  /* a kernel: cases that do not launch it are left out; -1: none is */
    unsigned part, parts;      /* of `parts` slices of all cases this one counts; 0: all do */
    char what[VERIFY_NAME];    /* the case at hand */
    unsigned cases, wrong;     /* that began; that failed */
    const struct cw_gpu *as;   /* the emulator stands for this GPU; NULL: its own tiny shapes */
    unsigned refused;          /* cases that such a GPU has no room for */
    int aside;                 /* launches are noted of the comparison sort's own kernels only */
    uint32_t salt;             /* cases so far, also those left out: varies inputs */
    struct verify_notes notes; /* of all launches, on the emulator */
    unsigned told[CW_KERNEL_COUNT];
    cw_emulated_hook each; /* who else wants to see launches, or NULL */
    void *each_user;
};

/* ---- verify_bench.c ------------------------------------------------------------------------- */

/* `as`: a GPU that the emulator stands for, or NULL. */
cw_status verify_open(struct verify *v, cw_backend backend, int only, const struct cw_gpu *as);
void verify_close(struct verify *v);

/* Is the case at hand of the slice that was asked for? */
int verify_in_part(const struct verify *v);

/* 1 if the next one is not: it is counted, as are the salts that it would take, and need not begin. */
int verify_skip(struct verify *v, uint32_t salts);

/* All cases, in order. */
void verify_cases(struct verify *v);
void verify_rows(struct verify *v);
void verify_sort(struct verify *v);
void verify_alone(
    struct verify *v); /* on a GPU only, the last of all: what the emulator does not do */
void verify_plan(struct verify *v);
void verify_permute(struct verify *v);
void verify_shuffle(struct verify *v);
void verify_lookup(struct verify *v);
void verify_transpose(struct verify *v);
void verify_split(struct verify *v);
void verify_small(struct verify *v); /* on the emulator: kernels in small shapes, as sm_86 */
void verify_small_rows(struct verify *v);
void verify_small_sort(struct verify *v);
void verify_small_split(struct verify *v);
void verify_tiles(struct verify *v);
void verify_items(struct verify *v);
void verify_paper(struct verify *v);

/* A case begins with its name and ends with what came of it: NULL if all was right. */
void verify_begin(struct verify *v, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void verify_end(struct verify *v, const char *wrong);

/* The kernel of that name; -1 if none is shipped. */
int verify_kernel(const char *name);

/* A complaint about a name that no kernel has: USAGE. */
int verify_unknown(const char *name);

/* An array of the host and its twin in the context's memory, which begins `shift` bytes after a
 * multiple of 256. */
struct verify_array {
    void *host;
    void *memory, *there; /* as it was handed out; where the array begins */
    size_t bytes;
};

cw_status verify_array_make(struct verify *v, struct verify_array *a, size_t bytes, size_t shift);
void verify_array_free(struct verify *v, struct verify_array *a);
cw_status verify_send(struct verify *v, const struct verify_array *a);
cw_status verify_fetch(struct verify *v, struct verify_array *a);

/* Launch a kernel that may read the first `inputs` arrays and write the others, and wait. */
cw_status verify_launch(struct verify *v, const struct cw_launch *l, struct verify_array *const *a,
                        size_t arrays, size_t inputs);

/* The same numbers on every machine. */
uint64_t verify_random(uint64_t *state);

/* ---- verify_ncu.c --------------------------------------------------------------------------- */

/* What a GPU counted.  Notes have a name, wavefronts and ideal. */
struct verify_gpu {
    struct verify_notes same;  /* launches that the emulator makes, too */
    struct verify_notes alone; /* those of verify_alone() */
    unsigned passes;           /* that the profiler needed for a launch, at most */
};

/* Run the cases on the GPU under ncu, or read what it wrote: 0, or an exit status after a
 * complaint.  v: as it was on the emulator, which says what is asked for and how many launches
 * there will be. */
int verify_ncu_run(const struct verify *v, struct verify_gpu *out);
int verify_ncu_read(const char *path, struct verify_gpu *out);

/* 0 if there is an ncu, else FAILED after a complaint. */
int verify_ncu_missing(void);

/* ---- verify_sums.c -------------------------------------------------------------------------- */

enum verify_verdict {
    VERIFY_FREE,
    VERIFY_NONE_SEEN, /* not marked as conflict-free, but was */
    VERIFY_ALLOWED,   /* not marked, and was not */
    VERIFY_CONFLICTS,
    VERIFY_NOT_RUN
};
enum verify_agree { VERIFY_AGREE, VERIFY_NEAR, VERIFY_DIFFER };

/* Are launches of this kernel the same on a GPU?  Not those of calls whose blocks are smaller on the
 * emulator. */
int verify_compared(const char *kernel);

struct verify_sum {
    enum cw_kernel kernel;
    unsigned cases;
    size_t launches;
    struct verify_cost cost, gpu, alone;
    size_t alone_launches;
    enum verify_verdict verdict;
    enum verify_agree agree;
};

struct verify_result {
    struct verify_sum sum[CW_KERNEL_COUNT]; /* of the kernels that were asked for */
    size_t count;
    enum cw_kernel not_run[CW_KERNEL_COUNT]; /* of small shapes: all cases are too short for them */
    size_t not_run_count;
    unsigned cases, wrong, refused;
    const struct cw_gpu *as;
    int on_gpu, alone; /* there are figures of a GPU; .. of verify_alone() */
    int passed;
};

/* `gpu` may be NULL.  Complains about launches that differ, if there is something to compare. */
void verify_sum_up(const struct verify *v, const struct verify_gpu *gpu, struct verify_result *out);

/* ---- verify_print.c ------------------------------------------------------------------------- */

void verify_print(const struct verify_result *r);
void verify_json(const struct verify_result *r);
void verify_launches(const struct verify_notes *n); /* CSV, a line a launch */

#endif
