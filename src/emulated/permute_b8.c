/* permute_b8.c - cw_permute on the emulator: elements of 8 bytes. */
#define VALUE_LOG     3
#define PERMUTE_BYTES 8

#include "kernels/permute_kernels.h"
