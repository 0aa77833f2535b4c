/* kernel.h - the vocabulary of kernels, on the machine that this file is compiled for.
 *
 * Kernels include this and nothing else of src/dev.  The words are in dev_cuda.h's head.
 */
#ifndef CW_DEV_KERNEL_H
#define CW_DEV_KERNEL_H

#include "dev/shapes.h"

#if defined(__CUDACC__)
#include "dev/dev_cuda.h"
#else
#include "dev/dev_emu.h"
#endif

/* All threads of all blocks of a cooperative launch: see dev_cuda.h's head. */
#define grid_sync(counter, expected)                                                    \
    do {                                                                                \
        block_sync();                                                                   \
        if (THREAD_ID == 0) {                                                           \
            gm_add4_release((counter), 1u);                                             \
            SPIN_UNTIL((int32_t)(gm_ld4_acquire(counter) - (uint32_t)(expected)) >= 0); \
        }                                                                               \
        block_sync();                                                                   \
    } while (0)

#endif
