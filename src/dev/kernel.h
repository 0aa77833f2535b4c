/* kernel.h - the vocabulary of src/kernels, on the machine that this file is compiled for.
 *
 * Kernels include this and nothing else of src/dev.  The words are in dev_cuda.h's head.
 */
#ifndef CW_DEV_KERNEL_H
#define CW_DEV_KERNEL_H

#if defined(__CUDACC__)
#include "dev/dev_cuda.h"
#else
#include "dev/dev_emu.h"
#endif

#endif
