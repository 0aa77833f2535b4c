#include "tuning/gpu.h"

#include <string.h>

#include "base/status.h"

#define OF_A_BLOCK 1024u /* bytes of shared memory that a block takes for itself, from 8.0 on */

const struct cw_gpu cw_gpu_emulator = {"emulator", 90, 2, 232448, 233472, 1024,
                                       2048,       32, 1, 1,      1,      1};

/* Limits: "Technical specifications per compute capability" of the CUDA C++ Programming Guide.
 * Multiprocessors: T4, A100, A40, L40, H200, B200, RTX 5090. */
static const struct cw_gpu table[] = {
    {"sm_75", 75, 40, 65536, 65536, 1024, 1024, 16, 1, 0, 0, 0},
    {"sm_80", 80, 108, 166912, 167936, 1024, 2048, 32, 1, 0, 1, 0},
    {"sm_86", 86, 84, 101376, 102400, 1024, 1536, 16, 1, 0, 1, 0},
    {"sm_89", 89, 142, 101376, 102400, 1024, 1536, 24, 1, 0, 1, 0},
    {"sm_90", 90, 132, 232448, 233472, 1024, 2048, 32, 1, 1, 1, 0},
    {"sm_100", 100, 148, 232448, 233472, 1024, 2048, 32, 1, 1, 1, 0},
    {"sm_120", 120, 170, 101376, 102400, 1024, 1536, 24, 1, 1, 1, 0},
    {"tiny", 75, 2, 49152, 65536, 1024, 1024, 16, 0, 0, 0, 1},
};

const struct cw_gpu *cw_gpu_at(size_t x)
{
    return x < sizeof table / sizeof *table ? &table[x] : NULL;
}

const struct cw_gpu *cw_gpu_find(const char *name)
{
    const struct cw_gpu *gpu;

    if (strcmp(name, cw_gpu_emulator.name) == 0)
        return &cw_gpu_emulator;
    for (size_t x = 0; (gpu = cw_gpu_at(x)) != NULL; x++)
        if (strcmp(name, gpu->name) == 0)
            return gpu;
    return NULL;
}

const char *cw_shapes_name(enum cw_shapes shapes)
{
    static const char *const names[CW_SHAPES] = {"tiny", "small", "large"};

    return shapes < CW_SHAPES ? names[shapes] : "unknown";
}

cw_status cw_shapes_of(const struct cw_gpu *gpu, enum cw_shapes *out)
{
    *out = CW_SHAPES_TINY;
    if (gpu->tiny)
        return CW_OK;
    if (!gpu->warp_reduce)
        return cw_fail(CW_ERR_DEVICE, "%s: kernels need compute capability 8.0", gpu->name);
    if (gpu->shared < CW_SMALL_SHARED)
        return cw_fail(CW_ERR_DEVICE, "%s: a block has %u bytes of shared memory, kernels need %u",
                       gpu->name, gpu->shared, CW_SMALL_SHARED);
    *out = gpu->shared < CW_LARGE_SHARED ? CW_SHAPES_SMALL : CW_SHAPES_LARGE;
    return CW_OK;
}

uint32_t cw_gpu_resident(const struct cw_gpu *gpu, uint32_t threads, uint32_t shared)
{
    const uint32_t taken = shared + (gpu->capability >= 80 ? OF_A_BLOCK : 0);
    uint32_t most = gpu->processor_blocks;

    if (!threads || threads > gpu->threads || shared > gpu->shared)
        return 0;
    threads = (threads + 31) / 32 * 32;
    if (most > gpu->processor_threads / threads)
        most = gpu->processor_threads / threads;
    if (taken && most > gpu->processor_shared / taken)
        most = gpu->processor_shared / taken;
    return most * gpu->processors;
}

cw_status cw_gpu_check(const struct cw_gpu *gpu, uint32_t blocks, uint32_t threads, uint32_t shared,
                       int cooperative)
{
    if (threads < 1 || threads > gpu->threads)
        return cw_fail(CW_ERR_DEVICE, "a block of %u threads: on %s it has 1 to %u", threads,
                       gpu->name, gpu->threads);
    if (blocks > INT32_MAX)
        return cw_fail(CW_ERR_DEVICE, "a launch of %u blocks: at most 2^31 - 1", blocks);
    if (shared > gpu->shared)
        return cw_fail(CW_ERR_DEVICE, "%u bytes of shared memory: on %s a block has %u at most",
                       shared, gpu->name, gpu->shared);
    if (cooperative && !gpu->cooperative)
        return cw_fail(CW_ERR_DEVICE, "a cooperative launch: %s has none", gpu->name);
    if (cooperative && blocks > cw_gpu_resident(gpu, threads, shared))
        return cw_fail(CW_ERR_DEVICE,
                       "a cooperative launch of %u blocks of %u threads and %u bytes of shared "
                       "memory: %s runs %u of them at a time",
                       blocks, threads, shared, gpu->name, cw_gpu_resident(gpu, threads, shared));
    return CW_OK;
}
