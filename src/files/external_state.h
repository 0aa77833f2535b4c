/* external_state.h - what the parts of an external sort share. */
#ifndef CW_FILES_EXTERNAL_STATE_H
#define CW_FILES_EXTERNAL_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/threads.h"
#include "files/external.h"
#include "prim/key_map.h"

#define CW_EXTERNAL_BUCKETS 4096u /* before frequent values get theirs */

#define CW_EXTERNAL_CELLS 8192u

/* Bucket b holds the words, or ranks (key_map.h), from splitter b - 1 up to below splitter b. */
struct cw_splitters {
    uint32_t count; /* one less than buckets */
    uint32_t size;  /* of `words`: a power of two above count */
    uint64_t *words;

    /* The range of the splitters in equal cells: how many splitters are below each.  Of use if
     * none holds many. */
    int even;
    uint32_t shift;
    uint16_t cell[CW_EXTERNAL_CELLS + 1];
};

/* Blocks of a bucket that one thread filled, in order; all but the last are full. */
struct cw_chain {
    uint64_t *at;
    uint32_t count, room;
    uint64_t items;
};

struct cw_external_state {
    const struct cw_external *x;
    struct cw_external_state *parent; /* NULL: keys are in the file; else they are its bucket .. */
    uint32_t bucket;
    uint64_t low, high; /* no rank (key_map.h) is less, or greater */
    uint64_t seed;
    uint32_t misled;         /* so many samples of what this belongs to */
    size_t key, index, item; /* bytes; index is 0 unless places are asked for */
    struct cw_key_map map;
    struct cw_team *team;
    unsigned threads;

    struct cw_splitters splitters;
    uint32_t buckets;
    uint64_t capacity;        /* items of a block */
    struct cw_chain *chains;  /* of thread t and bucket b at t * buckets + b */
    int scratch;              /* its file */
    _Atomic uint64_t next_at; /* the end of that file */

    _Atomic uint64_t done;
    double begun, share; /* of the whole, where this one's part begins and how much it is */

    pthread_mutex_t lock; /* of progress, and of these: */
    _Atomic int failed;
    cw_status status; /* of the first that failed, and its detail */
    char text[256];
};

/* ---- external_split.c ------------------------------------------------------------------------ */

/* Sample the keys and choose splitters for about `buckets`; or cut the range of words into so
 * many. */
cw_status cw_splitters_choose(struct cw_external_state *s, uint32_t buckets);

/* No word of bucket b is less than *low, or greater than *high.  An empty range is of no bucket
 * that has items. */
void cw_bucket_range(const struct cw_external_state *s, uint32_t b, uint64_t *low, uint64_t *high);

/* Is bucket b one value only, or floats that are equal (key_map.h: one rank)? */
int cw_bucket_single(const struct cw_external_state *s, uint32_t b);

/* Is it enough to count its items? */
int cw_bucket_counted(const struct cw_external_state *s, uint32_t b);

/* The bucket of each of n keys of `bytes` bytes. */
void cw_splitters_classify(const struct cw_splitters *p, const struct cw_key_map *m,
                           const void *keys, size_t bytes, uint32_t n, uint16_t *bucket);

/* ---- external_pass.c ------------------------------------------------------------------------- */

/* Split the array into chains. */
cw_status cw_external_pass(struct cw_external_state *s);

/* ---- external_bucket.c ----------------------------------------------------------------------- */

/* Memory to sort one bucket of up to `most` items in. */
struct cw_bench {
    uint64_t most;
    unsigned char *keys, *index, *workspace;
    size_t workspace_bytes;
    int64_t *places;
};

cw_status cw_bench_make(const struct cw_external_state *s, uint64_t most, struct cw_bench *b);
void cw_bench_free(struct cw_bench *b); /* also after a failure */

uint64_t cw_bucket_items(const struct cw_external_state *s, uint32_t b);

/* What to do with up to a block of items; `first` is the place of the first among the bucket's. */
typedef cw_status (*cw_visit)(struct cw_external_state *s, struct cw_bench *bench, uint64_t first,
                              uint64_t count, void *user);

/* The bucket, block by block in the array's order.  With `gather` all of it is put together in the
 * bench; otherwise each block is at its beginning when it is visited. */
cw_status cw_bucket_walk(struct cw_external_state *s, uint32_t b, struct cw_bench *bench,
                         int gather, cw_visit each, void *user);

/* Items first .. first + count - 1 of bucket b, in the array's order; index may be NULL. */
cw_status cw_bucket_read(const struct cw_external_state *s, uint32_t b, uint64_t first,
                         uint64_t count, unsigned char *keys, unsigned char *index);

/* Bucket b, sorted, to the output from `place` on.  It has at most bench->most items or one
 * value. */
cw_status cw_bucket_emit(struct cw_external_state *s, struct cw_bench *bench, uint32_t b,
                         uint64_t place, struct cw_team *team);

/* ---- external.c ------------------------------------------------------------------------------ */

/* By any thread: keep the first failure. */
void cw_external_fail(struct cw_external_state *s, cw_status status);

/* Keys in the array's order from `first` on, and their index, if there is one. */
cw_status cw_external_read(const struct cw_external_state *s, uint64_t first, uint64_t count,
                           void *keys, void *index);

void cw_external_progress(struct cw_external_state *s, uint64_t items);

#endif
