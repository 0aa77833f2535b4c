/* local.h - what one rank does with its own arrays, in the memory of its context. */
#ifndef CW_DISTRIBUTED_LOCAL_H
#define CW_DISTRIBUTED_LOCAL_H

#include "distributed/sort/splitters.h"
#include "prim/key_map.h"

/* to[0 .. bytes - 1] = from[..], both in the context's memory, on the stream. */
cw_status cw_local_copy(cw_context *context, cw_stream stream, void *to, const void *from,
                        size_t bytes);

/* A job's count, if it has one, is read after the work that the stream waits for: *n becomes that,
 * if it is less, and the job has no count any more. */
cw_status cw_local_count(cw_context *context, cw_stream stream, const void **count, size_t *bytes,
                         size_t *n);

/* Others wrote here: tell the emulator. */
void cw_local_written(cw_context *context, void *at, size_t bytes);

/* Add `by` (modulo 2^bits) to n numbers of 4 or 8 bytes. */
cw_status cw_local_add(cw_context *context, cw_stream stream, void *numbers, uint64_t n,
                       size_t bytes, uint64_t by);

/* Sorted keys in the context's memory, seen as words. */
struct cw_local_keys {
    cw_context *context;
    cw_stream stream;
    const void *keys;
    size_t bytes; /* of a key */
    struct cw_key_map map;
    unsigned first; /* the bits that count */
    uint64_t range;
    uint64_t n;
    void *scratch; /* CW_LOCAL_SCRATCH bytes of the context's memory, on 256, where kernels look */
};

#define CW_LOCAL_SCRATCH ((size_t)256 << 10)

struct cw_sorted cw_local_sorted(struct cw_local_keys *keys);

#endif
