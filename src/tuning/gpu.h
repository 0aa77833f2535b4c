/* gpu.h - what a GPU can take: the limits that a launch is held to, and what kernels may use.
 *
 * The table has a GPU of each family, with the limits of its compute capability, so that a tuning
 * can be chosen, and its launches checked, on a machine that has none of them.
 */
#ifndef CW_TUNING_GPU_H
#define CW_TUNING_GPU_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cw_gpu {
    char name[24];              /* "sm_90" */
    uint32_t capability;        /* 10 * major + minor: 90 */
    uint32_t processors;        /* multiprocessors, of a GPU of this family that many have */
    uint32_t shared;            /* bytes of shared memory that a block may opt in to */
    uint32_t processor_shared;  /* bytes of a multiprocessor */
    uint32_t threads;           /* the most of a block */
    uint32_t processor_threads; /* the most of a multiprocessor */
    uint32_t processor_blocks;
    int cooperative; /* blocks that wait for each other */
    int clusters;    /* blocks that share shared memory */
    int warp_reduce; /* minimum and maximum of a warp by one instruction */
    int tiny;        /* takes the emulator's tiny shapes; no real GPU does */
};

/* Sets of shapes, as dev/shapes.h numbers them. */
enum cw_shapes { CW_SHAPES_TINY, CW_SHAPES_SMALL, CW_SHAPES_LARGE, CW_SHAPES };

#define CW_SMALL_SHARED 101376u /* bytes of shared memory that a block has, at least */
#define CW_LARGE_SHARED 232448u

const char *cw_shapes_name(enum cw_shapes shapes);

/* Which shapes a GPU takes, by its limits; CW_ERR_DEVICE, with its name and why, if none fit. */
cw_status cw_shapes_of(const struct cw_gpu *gpu, enum cw_shapes *out);

/* The emulator's own: room for every kernel, two multiprocessors so that blocks take turns. */
extern const struct cw_gpu cw_gpu_emulator;

/* By name ("sm_75", .. "sm_120", "tiny", "emulator"), or NULL; by number, NULL behind the last. */
const struct cw_gpu *cw_gpu_find(const char *name);
const struct cw_gpu *cw_gpu_at(size_t x);

/* How many blocks of this size run at a time, 0 if none does; CW_ERR_DEVICE says why a launch does
 * not fit. */
uint32_t cw_gpu_resident(const struct cw_gpu *gpu, uint32_t threads, uint32_t shared);
cw_status cw_gpu_check(const struct cw_gpu *gpu, uint32_t blocks, uint32_t threads, uint32_t shared,
                       int cooperative);

#ifdef __cplusplus
}
#endif
#endif
