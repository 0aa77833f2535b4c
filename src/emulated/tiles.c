/* tiles.c - tiles on the emulator: scan, transpose and partition. */
#define TILES_SCAN
#define TILES_TRANSPOSE
#define TILES_PARTITION
#include "kernels/block_scan.h"
#include "kernels/block_transpose.h"
#include "kernels/block_partition.h"
