/* about.h - what the GPU is, for people. */
#ifndef CW_BACKEND_CUDA_ABOUT_H
#define CW_BACKEND_CUDA_ABOUT_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cw_cuda_about {
    char name[256];
    int driver, runtime; /* CUDA versions: 13020 is 13.2 */
    int major, minor;    /* compute capability */
    int processors;      /* multiprocessors */
    int shared;          /* bytes of shared memory that a block may have */
    int l2;              /* bytes of cache */
    size_t memory, free; /* bytes */
};

/* The GPU that is current; CW_ERR_DEVICE if there is none. */
cw_status cw_cuda_describe(struct cw_cuda_about *out);

#ifdef __cplusplus
}
#endif
#endif
