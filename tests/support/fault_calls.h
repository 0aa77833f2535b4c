/* fault_calls.h - the calls of the API, each on arrays of its own, for tests that make something fail meanwhile. */
#ifndef CW_TEST_FAULT_CALLS_H
#define CW_TEST_FAULT_CALLS_H

#include "clearway.h"
#include "clearway_distributed.h"

#define FAULT_WORKSPACE ((size_t)8 << 20) /* at most */

/* What calls work on: made once, and not by calls that fail. */
struct fault_room {
    size_t n;                            /* items; arrays have 16 bytes for each, */
    size_t bytes;                        /* so many */
    uint64_t *in, *out, *values, *index; /* index: 0 .. n - 1 in another order */
    uint32_t *rows;                      /* indices below n / 4 */
    uint64_t *offsets;                   /* of rows, some empty */
    size_t offset_rows;
    unsigned char *workspace;
    size_t workspace_bytes; /* that calls are told of */
    char folder[64], plan[96], file[96];
};

extern struct fault_room fault_room;

/* Made anew for each try. */
struct fault_scene {
    cw_context *context;
    size_t n;
    cw_plan *plan, *made;
    void *table, *block;
    struct fault_pair *pair; /* two ranks, see fault_group.c */
};

struct fault_call {
    const char *name;
    cw_status (*make)(struct fault_scene *s);
    int group;  /* outputs may be written before it fails */
    int queued; /* it launches kernels on the emulator */
};

/* A call without a name is the last one. */
extern const struct fault_call fault_calls[];

void fault_room_make(size_t n);
void fault_room_end(void);
void fault_scene_open(struct fault_scene *s, cw_backend backend);
void fault_scene_close(struct fault_scene *s);

/* Two ranks of a group: the caller, and a thread that makes the same call beside it.  Both get the same status. */
struct fault_pair *fault_pair_begin(cw_backend backend, size_t n);
void fault_pair_end(struct fault_pair *pair);
cw_status fault_group_sort(struct fault_scene *s);
cw_status fault_group_permute(struct fault_scene *s);
cw_status fault_group_partition(struct fault_scene *s);

#endif
