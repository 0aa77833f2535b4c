/* permute_b4.c - cw_permute on the emulator: elements of 4 bytes. */
#define VALUE_LOG     2
#define PERMUTE_BYTES 4

#include "kernels/permute_kernels.h"
