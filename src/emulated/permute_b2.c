/* permute_b2.c - cw_permute on the emulator: elements of 2 bytes. */
#define VALUE_LOG     1
#define PERMUTE_BYTES 2

#include "kernels/permute_kernels.h"
