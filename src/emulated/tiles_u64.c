/* tiles_u64.c - tiles on the emulator, by words of 8 bytes: permute and order. */
#define KEY_LOG 3
#define TILES_PERMUTE
#include "kernels/block_permute.h"
