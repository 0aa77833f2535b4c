/* clearway.h - sort, partition and permute arrays on GPUs.
 *
 * The public API.  Every call returns a status; the detail of the last failure
 * in the calling thread is cw_last_error().  No call prints or exits.
 *
 *      cw_context_create      where work is done: GPU, host threads, or the emulator
 *      cw_sort                sort an array
 *      cw_sort_rows           sort every row of a batch
 *      cw_partition           split an array into buckets
 *      cw_permute             move every element to where an index says
 *      cw_gather_sum          gather rows, weight and add them
 *      cw_shuffle             a random permutation from a seed
 *      cw_transpose           transpose matrices
 *      cw_plan_create         a permutation made ready once, to be executed many times
 *
 * A call that works on a GPU is queued on the caller's stream and returns; it waits for nothing,
 * allocates nothing, and may be captured in a graph.  Memory it needs besides the caller's arrays
 * is the caller's too: ..._workspace says how much.
 */
#ifndef CLEARWAY_H
#define CLEARWAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CW_VERSION "0.1.0"

#if defined(__GNUC__)
#define CW_API __attribute__((visibility("default")))
#else
#define CW_API
#endif

/* name, text: the one list of what can go wrong. */
#define CW_STATUS_LIST(X)                                                \
    X(CW_OK, "success")                                                  \
    X(CW_ERR_ARGUMENT, "bad argument")                                   \
    X(CW_ERR_SHAPE, "the algorithm does not take this shape")            \
    X(CW_ERR_LABEL, "labels are not what the problem demands")           \
    X(CW_ERR_MEMORY, "out of memory")                                    \
    X(CW_ERR_IO, "input or output failed")                               \
    X(CW_ERR_FORMAT, "file is damaged or of another kind")               \
    X(CW_ERR_CONFLICT, "bank conflict")                                  \
    X(CW_ERR_BOUNDS, "access outside memory")                            \
    X(CW_ERR_BARRIER, "barrier not reached by all")                      \
    X(CW_ERR_RACE, "two threads touch one word with no barrier between") \
    X(CW_ERR_UNWRITTEN, "read of memory that nobody wrote")              \
    X(CW_ERR_STUCK, "threads wait for what never comes")                 \
    X(CW_ERR_DEVICE, "no GPU, or it failed")                             \
    X(CW_ERR_TYPE, "unknown type, or not taken here")                    \
    X(CW_ERR_LENGTH, "row too long")                                     \
    X(CW_ERR_WORKSPACE, "workspace missing, too small or misaligned")    \
    X(CW_ERR_OVERLAP, "buffers overlap")                                 \
    X(CW_ERR_INTERNAL, "internal error")

typedef enum cw_status {
#define CW_STATUS_ENUM(name, text) name,
    CW_STATUS_LIST(CW_STATUS_ENUM)
#undef CW_STATUS_ENUM
        CW_STATUS_COUNT
} cw_status;

/* The library's version, as CW_VERSION. */
CW_API const char *cw_version(void);

/* "CW_ERR_MEMORY" and "out of memory"; never NULL, also for an unknown code. */
CW_API const char *cw_status_name(cw_status status);
CW_API const char *cw_status_text(cw_status status);

/* What went wrong last in this thread, in one line; "" if nothing did. */
CW_API const char *cw_last_error(void);

/* ---- types ---------------------------------------------------------------------------------- */

/* constant, name, bytes.  The order of floats is a choice: CW_ORDER_LIST. */
#define CW_TYPE_LIST(X)   \
    X(CW_U8, "u8", 1)     \
    X(CW_U16, "u16", 2)   \
    X(CW_U32, "u32", 4)   \
    X(CW_U64, "u64", 8)   \
    X(CW_I8, "i8", 1)     \
    X(CW_I16, "i16", 2)   \
    X(CW_I32, "i32", 4)   \
    X(CW_I64, "i64", 8)   \
    X(CW_F16, "f16", 2)   \
    X(CW_BF16, "bf16", 2) \
    X(CW_F32, "f32", 4)   \
    X(CW_F64, "f64", 8)

typedef enum cw_type {
#define CW_TYPE_ENUM(constant, name, bytes) constant,
    CW_TYPE_LIST(CW_TYPE_ENUM)
#undef CW_TYPE_ENUM
        CW_TYPE_COUNT
} cw_type;

/* 4 and "f32" for CW_F32; 0 and "unknown" for what is no type. */
CW_API size_t cw_type_bytes(cw_type type);
CW_API const char *cw_type_name(cw_type type);

/* ---- contexts ------------------------------------------------------------------------------- */

typedef enum cw_backend {
    CW_AUTO,    /* CW_CUDA if the library was built with it and there is a GPU, else CW_CPU */
    CW_CPU,     /* threads of the host */
    CW_CUDA,    /* the GPU that is current in the calling thread */
    CW_EMULATOR /* the GPU's kernels on the host, slowly, with every access checked */
} cw_backend;

/* Where work is done.  One thread at a time may use a context.  Arrays handed to calls lie in its
 * memory: the GPU's (or managed) memory for CW_CUDA, the host's otherwise.
 *
 * A CW_CPU context starts host threads in the first call that needs them, and keeps them until it is
 * destroyed.  Threads that the system refuses are done without.  After fork() the child may use and
 * destroy a context that no call was using; its threads are started anew.  Calls need 64 KiB of the
 * calling thread's stack.  docs/promises.md has all of it. */
typedef struct cw_context cw_context;

CW_API cw_status cw_context_create(cw_backend backend, cw_context **out);
CW_API void cw_context_destroy(cw_context *context); /* NULL is fine */

/* What CW_AUTO became: CW_CPU or CW_CUDA. */
CW_API cw_backend cw_context_backend(const cw_context *context);

/* How many host threads CW_CPU uses, the caller's with them; 0, as it begins: as many as there are
 * processors.  Fewer do the work where the system gives no more. */
CW_API cw_status cw_context_set_threads(cw_context *context, unsigned threads);

/* Sorts look at keys at places that follow from a seed.  A context begins with one that nobody can
 * foresee, so that no input can be made to be slow.  Set one to see the same places again; a
 * captured graph sees those of its capture whenever it is replayed.  The output never depends on it, but
 * for the order of equal keys where no order is promised. */
CW_API cw_status cw_context_set_seed(cw_context *context, uint64_t seed);

/* A cudaStream_t; NULL is the default stream.  Other contexts have none: pass NULL. */
typedef void *cw_stream;

/* Memory of a context, for programs that know no CUDA.  Copies wait until they are done. */
CW_API cw_status cw_memory_alloc(cw_context *context, size_t bytes, void **out);
CW_API void cw_memory_free(cw_context *context, void *memory);
CW_API cw_status cw_memory_write(cw_context *context, void *to, const void *host, size_t bytes);
CW_API cw_status cw_memory_read(cw_context *context, void *host, const void *from, size_t bytes);

/* Wait for all that was queued on the stream, and say whether it went well. */
CW_API cw_status cw_wait(cw_context *context, cw_stream stream);

/* ---- what a call may be asked --------------------------------------------------------------- */

enum {
    CW_DESCENDING = 1,    /* largest first; where NaNs go: CW_ORDER_LIST */
    CW_STABLE = 2,        /* equal keys keep their order (an index always says so) */
    CW_CONFLICT_FREE = 4, /* only kernels that never ask a bank twice */
    CW_CHECK = 8,     /* look at offsets, labels, splitters or indices first and refuse bad ones;
                             waits for the stream */
    CW_UNSTABLE = 16, /* partition: the order inside a bucket is free */
    CW_GATHER = 32,   /* permute, plans: out[i] = in[p[i]] instead of out[p[i]] = in[i] */
    CW_DROP = 256,    /* partition: items whose label is no bucket's number go nowhere */
    CW_ANY_GPU = 512, /* plans: for every GPU, also those with 99 KB of shared memory a block (8.6,
                         8.9, 12.0); else large plans may need 192 KiB, and are faster with it */

    /* The order of floats, at most one of these; 0 is the first row of CW_ORDER_LIST. */
    CW_TOTAL_ORDER = 1 << 16,
    CW_NAN_FIRST = 1 << 17,
    CW_NAN_GREATEST = 1 << 18
};

/* The orders of floats, for cw_sort, cw_sort_rows and cw_partition: flag, name, then what it means.
 *
 *                     ascending            descending           -0 and +0     NaNs among each other
 *  0                  numbers, NaNs        numbers, NaNs        equal         equal
 *  CW_TOTAL_ORDER     -NaN numbers +NaN    +NaN numbers -NaN    -0 is less    by their bits
 *  CW_NAN_FIRST       NaNs, numbers        NaNs, numbers        equal         equal
 *  CW_NAN_GREATEST    numbers, NaNs        NaNs, numbers        equal         equal
 *
 * Equal keys keep their order in a stable sort and in an index, and may come in any order in others; their bits
 * come out as they went in.  The first row is what NumPy, PyTorch and CUB do with numbers; the second is IEEE
 * 754's totalOrder.  Integers have one order, whatever the flag.  Where bits of a key are asked for (first_bit,
 * CW_BY_BITS) they are those of its place in the order: equal keys have the same, those of +0. */
#define CW_ORDER_LIST(X)         \
    X(0, "numeric")              \
    X(CW_TOTAL_ORDER, "total")   \
    X(CW_NAN_FIRST, "nan-first") \
    X(CW_NAN_GREATEST, "nan-greatest")

/* Every job ends in a tail of zeros, `reserved`.  A field that a later version adds takes its room from the
 * tail's start (never from padding), and 0 in it means what the call did before.  So the size of a job and
 * the places of its fields never change.  An old program leaves the tail at 0, and a newer library does what
 * it always did.  A newer program that asks an old library for what it does not know gets CW_ERR_ARGUMENT:
 * a tail that is not 0 is refused.  (cw_payload stands in arrays, and will never grow.) */

/* ---- one array ------------------------------------------------------------------------------ */

/* An array to be sorted.  Set all of it to 0 first: what is added later means 0.
 *
 * keys_out may be keys_in and values_out may be values_in; no other two may overlap.  keys_out may
 * be NULL if index_out is not: the index alone, which is an argsort.
 *
 * A count that a kernel has made need not come to the host: with `count` the array has as many items as that says
 * when the work is done, n at most, and what is behind them stays as it is in every output.  Workspace and launches are for
 * n items, time is for those that there are.  A captured graph sorts as many as there are when it is replayed.  (Not with
 * CW_CONFLICT_FREE, but on the host.) */
typedef struct cw_array {
    cw_type type;   /* of the keys */
    unsigned flags; /* CW_DESCENDING, CW_STABLE, CW_CONFLICT_FREE, an order of floats */
    size_t n;
    const void *keys_in;
    void *keys_out;
    const void *values_in; /* move with their keys; NULL if there are none */
    void *values_out;
    size_t value_bytes; /* 0 without values, else 1, 2, 4, 8 or 16 */
    void *index_out;    /* NULL, or the place that each key came from */
    size_t index_bytes; /* 0 without an index, else 4 (n up to 2^32) or 8 */
    unsigned first_bit; /* only these bits of the key count, from the lowest up: */
    unsigned bits;      /* 0: all of them */
    /* NULL, or how many items there are, in the context's memory: n is the most */
    const void *count;
    size_t count_bytes; /* of that number: 4 or 8; 0 without it */
    uint64_t reserved[6];
} cw_array;

/* Bytes of workspace that cw_sort needs: at most another array of keys, and of values and indices,
 * and 64 MiB; with an index and keys_out NULL two arrays of keys.  Of 2^24 items or more, keys of 4 or 8 bytes, alone or with
 * values or an index of 4 or 8 bytes: at most another array of each, and a twentieth of that.  (With CW_CONFLICT_FREE more,
 * for long arrays and where equal keys keep their order.)
 * Looks at no pointer but for being NULL or not; needs no GPU; grows with n. */
CW_API cw_status cw_sort_workspace(const cw_array *job, size_t *bytes);

/* Sort.  `workspace` starts on 256 bytes and may be NULL when none is needed. */
CW_API cw_status cw_sort(cw_context *context, const cw_array *job, void *workspace,
                         size_t workspace_bytes, cw_stream stream);

/* ---- rows ----------------------------------------------------------------------------------- */

#define CW_ROWS_MAX 0xffffffffu /* keys of a row */

/* A batch of rows.  Set all of it to 0 first: what is added later means 0.
 *
 * Rows of equal length lie one after another.  Rows of mixed lengths are given by offsets: row r is
 * items offsets[r] .. offsets[r + 1] - 1 of every array.  With `ends` it is items offsets[r] .. ends[r] - 1:
 * rows may leave gaps, and be in any order, but must not overlap.  `length` bounds the length of all rows.
 * Tell it as well as it is known: what no row can have is not launched.  Offsets must not fall or point
 * past `items`.  A GPU is not asked before the work is queued: there a row for which that is not so, or
 * that overlaps others, may be left out or mixed up with them; nothing else happens (CW_CHECK: a row
 * that is no part of the items, or too long, is refused).  What is between rows stays as it is in keys_out.
 *
 * With `count` the number of rows may be made on the device, by work that is queued before: `rows` bounds
 * it, so does a larger count, and nothing is read or written of rows beyond it, nor of their offsets (a last
 * offset ends the last row).  The time follows the count, not the bound.
 *
 * keys_out may be keys_in and values_out may be values_in; no other two may overlap.  keys_out may
 * be NULL if index_out is not: the index of each row alone, which is an argsort. */
typedef struct cw_rows {
    cw_type type;   /* of the keys */
    unsigned flags; /* CW_DESCENDING, CW_STABLE, .., an order of floats */
    size_t rows;
    size_t length;       /* of every row; with offsets, of the longest at most */
    const void *offsets; /* NULL, or rows + 1 of them (rows, with ends), in the context's memory */
    size_t items;        /* of each array, with offsets; else 0 or rows * length */
    const void *keys_in;
    void *keys_out;
    const void *values_in; /* move with their keys; NULL if there are none */
    void *values_out;
    size_t value_bytes;  /* 0 without values, else 1, 2, 4 or 8 */
    void *index_out;     /* NULL, or the place in its row that each key came from */
    size_t index_bytes;  /* of a place: 4, also where this is 0, or 8 */
    const void *ends;    /* NULL, or the end of each row, as many bytes as offsets */
    size_t offset_bytes; /* of an offset: 8, also where this is 0, or 4; signed or not */
    /* NULL, or how many of `rows` there are, the first ones, in the context's memory */
    const void *count;
    size_t count_bytes; /* of that number: 8, also where this is 0, or 4 */
    uint64_t reserved[6];
} cw_rows;

/* Bytes of workspace that cw_sort_rows needs for such a batch.  Looks at no pointer but for
 * being NULL or not, and needs no GPU; grows with rows, length and items.  CW_CPU needs none. */
CW_API cw_status cw_sort_rows_workspace(const cw_rows *job, size_t *bytes);

/* Sort every row.  `workspace` starts on 256 bytes and may be NULL when none is needed. */
CW_API cw_status cw_sort_rows(cw_context *context, const cw_rows *job, void *workspace,
                              size_t workspace_bytes, cw_stream stream);

/* ---- partition ------------------------------------------------------------------------------ */

#define CW_BUCKETS_MAX 65536u

/* Which bucket an item goes to. */
typedef enum cw_rule {
    CW_BY_LABEL, /* the key is the bucket's number: CW_U8 .. CW_U64, CW_I8 .. CW_I64 */
    CW_BY_BITS,  /* bits of the key in its sorting order, from first_bit up: as many as buckets, a
                       power of two, has */
    CW_BY_SPLITTER, /* how many of the buckets - 1 splitters, which ascend, are not above the key; if
                       they do not ascend (CW_CHECK: CW_ERR_ARGUMENT), into some bucket */
    CW_BY_HASH      /* ((x * multiplier mod 2^64) >> 32) * buckets >> 32, of the key's bits x as an
                       unsigned number */
} cw_rule;

/* An array whose rows move with the keys. */
typedef struct cw_payload {
    const void *in;
    void *out;
    size_t bytes; /* of a row: any number from 1 on; rows of 4 start on a multiple of 4 */
} cw_payload;

/* An array to be partitioned.  Set all of it to 0 first: what is added later means 0.
 *
 * Items of a bucket stand together, buckets in the order of their numbers; inside a bucket items
 * keep their order, unless CW_UNSTABLE gives that up.  No output may overlap another array.
 *
 * A label that is no bucket's number: CW_ERR_LABEL, and nothing is written but the workspace.  A GPU
 * is asked only with CW_CHECK; without it there, CW_OK, and offsets and padded become UINT64_MAX
 * throughout, block_buckets UINT32_MAX, with nothing else written.
 *
 * With CW_DROP (by labels, up to 65535 buckets) such items are left out: offsets[buckets] says how many were kept.
 * Outputs have n entries all the same; what they hold behind those that were kept is not defined, and the inverse of an
 * item that was left out is all ones.
 *
 * With `choices` k above 1, item i is one of the k choices of token i / k, and n is a multiple of k: index_out has
 * the numbers of tokens, payloads have n / k rows to read, of which each is copied k times, and inverse_out, a row of
 * k entries for each token, is what cw_gather_sum takes to bring the results back. */
typedef struct cw_partition_job {
    cw_type type; /* of the keys */
    cw_rule rule;
    /* CW_UNSTABLE, CW_CHECK, CW_DROP, an order of floats (for bits and splitters) */
    unsigned flags;
    size_t n;
    uint32_t buckets;      /* 1 .. CW_BUCKETS_MAX */
    unsigned first_bit;    /* CW_BY_BITS */
    const void *splitters; /* CW_BY_SPLITTER: of the keys' type, in the context's memory */
    uint64_t multiplier;   /* CW_BY_HASH: odd; 0: a good one */
    const void *keys_in;
    void *keys_out; /* NULL: keys are not moved */
    const cw_payload
        *payloads; /* this list is in the host's memory, and read before the call ends */
    size_t payload_count;
    uint64_t *offsets;  /* NULL, or buckets + 1: where buckets begin in the output */
    uint64_t *padded;   /* NULL, or buckets + 1: the same if every bucket were rounded up to a .. */
    size_t pad_to;      /* .. multiple of this, above 0 */
    void *index_out;    /* NULL, or n: the place that each output item came from */
    void *inverse_out;  /* NULL, or n: the place that each input item went to */
    size_t index_bytes; /* of an entry of both: 4 (n up to 2^32) or 8; 0 without them */
    const void *
        count; /* NULL, or how many items there are, in the context's memory: n is then the most .. */
    size_t count_bytes; /* .. that there may be.  Of 4 or 8 bytes; 0 without it */
    uint32_t *
        block_buckets; /* NULL, or block_count: the bucket that each block of pad_to places is of, as .. */
    size_t block_count; /* .. padded has them; UINT32_MAX from its end on */
    size_t choices;     /* of a token: see above; 0 and 1 mean the same */
    uint64_t reserved[3];
} cw_partition_job;

/* Bytes of workspace that cw_partition needs.  Looks at no pointer but for being NULL, and at the
 * list of payloads; needs no GPU. */
CW_API cw_status cw_partition_workspace(const cw_partition_job *job, size_t *bytes);

/* Partition.  `workspace` starts on 256 bytes and may be NULL when none is needed. */
CW_API cw_status cw_partition(cw_context *context, const cw_partition_job *job, void *workspace,
                              size_t workspace_bytes, cw_stream stream);

/* ---- permute -------------------------------------------------------------------------------- */

#define CW_ELEMENT_MAX 1048576u /* bytes */

/* An array to be permuted: out[index[i]] = in[i], or with CW_GATHER out[i] = in[index[i]].  Set all
 * of it to 0 first: what is added later means 0.  No two arrays may overlap.  Elements may be rows of a
 * matrix: any number of bytes up to 1 MiB.
 *
 * The index must be a permutation of 0 .. n - 1.  CW_CHECK sees to that before anything is written:
 * otherwise CW_ERR_LABEL, and cw_last_error() names the first index that is out of range, or was
 * there before.  Without it, indices out of range are left out; if one is there twice, a gather
 * takes that element twice; otherwise what arrives where is not defined, but nothing is written
 * outside `out`.
 *
 * With `count` only the first so many entries of the index are there.  They are below n as ever, and what they do not
 * name is not touched. */
typedef struct cw_permute_job {
    unsigned flags; /* CW_GATHER, CW_CHECK */
    size_t n;
    size_t bytes; /* of an element: 1 .. CW_ELEMENT_MAX */
    const void *in;
    void *out;
    const void *index;
    size_t index_bytes; /* 4 or 8 */
    int index_signed;   /* indices may be negative: these are out of range, and named as such */
    const void *
        count; /* NULL, or how many items there are, in the context's memory: n is then the most .. */
    size_t count_bytes; /* .. that there may be.  Of 4 or 8 bytes; 0 without it */
    uint64_t reserved[6];
} cw_permute_job;

/* Bytes of workspace that cw_permute needs: at most 7 bytes an element, two more arrays, and
 * 1 MiB.  Looks at no pointer, and needs no GPU; grows with n. */
CW_API cw_status cw_permute_workspace(const cw_permute_job *job, size_t *bytes);

/* Permute.  `workspace` starts on 256 bytes and may be NULL when none is needed. */
CW_API cw_status cw_permute(cw_context *context, const cw_permute_job *job, void *workspace,
                            size_t workspace_bytes, cw_stream stream);

/* Rows that are gathered, weighted and added:
 *
 *      out[i] = sum over k < per of weights[i * per + k] * in[index[i * per + k]]
 *
 * as tokens come back from their experts.  Set all of it to 0 first: what is added later means 0.  A row
 * may be asked for any number of times.  Sums are f32, in the order of k with one rounding a step (a
 * fused multiplication and addition), so the result is the same in every context.
 *
 * An index that names no row adds nothing; CW_CHECK: CW_ERR_LABEL, and nothing is written. */
typedef struct cw_gather_job {
    unsigned flags; /* CW_CHECK */
    cw_type type;   /* of in and out: CW_F16, CW_BF16 or CW_F32 */
    size_t n;       /* rows of out */
    size_t rows;    /* rows of in */
    size_t columns; /* elements of a row: 1 MiB of them at most */
    size_t per;     /* rows that are added for each of out: 1 .. 65536 */
    const void *in;
    void *out;           /* may not overlap anything else */
    const void *index;   /* n * per */
    size_t index_bytes;  /* 4 or 8 */
    int index_signed;    /* as in cw_permute_job */
    const void *weights; /* n * per of them; NULL: all are 1 */
    cw_type weight_type; /* CW_F32, or the type of the rows */
    uint64_t reserved[8];
} cw_gather_job;

/* Bytes of workspace: 256 with CW_CHECK, else none. */
CW_API cw_status cw_gather_sum_workspace(const cw_gather_job *job, size_t *bytes);
CW_API cw_status cw_gather_sum(cw_context *context, const cw_gather_job *job, void *workspace,
                               size_t workspace_bytes, cw_stream stream);

/* ---- shuffle -------------------------------------------------------------------------------- */

/* Elements, or rows, in a random order that a seed gives: out[cw_shuffle_at(i)] = in[i], for the same n and
 * seed.  Set all of it to 0 first: what is added later means 0.  The permutation is computed, never
 * stored; it is the same in every context and version.  It is good for statistics and for training, not
 * for secrets. */
typedef struct cw_shuffle_job {
    size_t n;
    size_t bytes; /* of an element: 1 .. CW_ELEMENT_MAX */
    uint64_t seed;
    int inverse; /* out[i] = in[cw_shuffle_at(i)]: undo it */
    const void *in;
    void *out; /* may not overlap `in` */
    uint64_t reserved[8];
} cw_shuffle_job;

/* Where element i of n goes; and which one goes to i.  n above 0, i below n. */
CW_API uint64_t cw_shuffle_at(uint64_t n, uint64_t seed, uint64_t i);
CW_API uint64_t cw_shuffle_back(uint64_t n, uint64_t seed, uint64_t i);

/* Bytes of workspace: as cw_permute_workspace. */
CW_API cw_status cw_shuffle_workspace(const cw_shuffle_job *job, size_t *bytes);
CW_API cw_status cw_shuffle(cw_context *context, const cw_shuffle_job *job, void *workspace,
                            size_t workspace_bytes, cw_stream stream);

/* ---- transpose ------------------------------------------------------------------------------ */

/* Matrices, row by row, one after another.  Set all of it to 0 first: what is added later means 0.
 * `out` may be `in`; otherwise they may not overlap. */
typedef struct cw_transpose_job {
    size_t rows, columns; /* of the input */
    size_t batch;         /* how many matrices; 0 means 1 */
    size_t bytes;         /* of an element: 1 .. 64 */
    const void *in;
    void *out;
    uint64_t reserved[8];
} cw_transpose_job;

/* Bytes of workspace that cw_transpose needs: none if `in` is not `out` (nothing else is looked at
 * in them).  In place a GPU needs none for square matrices of elements of 1, 2, 4, 8 or 16 bytes,
 * else 96 MiB at most where a matrix has more than that, rows that fit in shared memory (200 KiB),
 * and up to 1.5 MiB a column; for other shapes as much as a matrix.  The host needs none.  A GPU
 * that is given room for a matrix makes use of it, and is 1.1 to 1.6 times as fast.  One with 99 KB
 * of shared memory a block may ask for it where rows are longer: CW_ERR_DEVICE, and nothing is done. */
CW_API cw_status cw_transpose_workspace(const cw_transpose_job *job, size_t *bytes);

/* Transpose.  `workspace` starts on 256 bytes and may be NULL when none is needed. */
CW_API cw_status cw_transpose(cw_context *context, const cw_transpose_job *job, void *workspace,
                              size_t workspace_bytes, cw_stream stream);

/* ---- plans: a permutation made ready once, executed many times -------------------------------- */

/* out[index[i]] = in[i], or with CW_GATHER out[i] = in[index[i]].  Plain host data.
 *
 * Rotations and reversals of the array, transpositions, and affine maps of the bits of an index
 * (bit reversal and all other permutations of bits; n a power of two) are recognised and need no
 * table; where blocks of 64 bytes and more move as they are, 4 bytes a block are enough.  All others get
 * a table of 4 to 6 bytes an item. */
typedef struct cw_plan cw_plan;

/* `index` is in the host's memory, n numbers of index_bytes, 4 or 8, and is not needed afterwards.
 * n up to 2^31; items of 1 byte to 1 MiB.  CW_ERR_LABEL, and cw_last_error() names the first
 * offender, if it is not a permutation.  Made by so many threads; 0: one a processor. */
CW_API cw_status cw_plan_create(const void *index, size_t index_bytes, size_t n, size_t bytes,
                                unsigned flags, unsigned threads, cw_plan **out);
CW_API void cw_plan_destroy(cw_plan *plan); /* NULL is fine */

/* "identity", "rotation", "reversal", "transpose", "bit reversal", "bit permutation", "affine map
 * of bits"; with a table: "block map", "gather", "one pass", "two passes", "three passes". */
CW_API const char *cw_plan_kind(const cw_plan *plan);

/* Items, and bytes of one: also of a plan that was loaded. */
CW_API size_t cw_plan_items(const cw_plan *plan);
CW_API size_t cw_plan_item_bytes(const cw_plan *plan);

/* The table, to be held in the context's memory, on 256 bytes, while the plan is executed. */
CW_API size_t cw_plan_table_bytes(const cw_plan *plan); /* 0: there is none, pass NULL */
CW_API cw_status cw_plan_write_table(cw_context *context, const cw_plan *plan, void *table);

/* Execute.  A table that cw_plan_write_table did not write for this plan: what arrives is not
 * defined, and CW_CPU says CW_ERR_LABEL where a number in it leads outside the arrays, without going
 * there.  in, out, table and workspace must not overlap; in and out start on a multiple of the
 * largest power of two that divides the bytes of an item.  The workspace is an array of n items or
 * nothing; it starts on 256 bytes. */
CW_API cw_status cw_plan_workspace(const cw_plan *plan, size_t *bytes);
CW_API cw_status cw_plan_execute(cw_context *context, const cw_plan *plan, const void *table,
                                 const void *in, void *out, void *workspace, size_t workspace_bytes,
                                 cw_stream stream);

/* To a file, as a whole or not at all, flushed to the disk; and from it.  A file that is replaced
 * keeps its owner and mode; a device or pipe is written where it is.  CW_ERR_IO names what failed,
 * CW_ERR_MEMORY: there was not enough; what the file held before is there still.  CW_ERR_FORMAT
 * for a file that is damaged, of another version or no plan: no such file does harm.  Only
 * ordinary files are loaded: a FIFO or device is CW_ERR_IO at once. */
CW_API cw_status cw_plan_save(const cw_plan *plan, const char *path);
CW_API cw_status cw_plan_load(const char *path, cw_plan **out);

#ifdef __cplusplus
}
#endif
#endif
