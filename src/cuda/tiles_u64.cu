/* tiles_u64.cu - tiles on a GPU, by words of 8 bytes: permute and order. */
#define KEY_LOG 3
#define TILES_PERMUTE
#include "kernels/block_permute.h"
