/* rows_places.c - row kernels on the emulator, for keys of 4 bytes that have company. */
#define KEY_LOG    2
#define ROWS_LOG_K 5

#include "dev/kernel.h"
#include "kernels/rows_places.h"
#include "kernels/rows_shapes.h"

CW_ROWS_PLACES(PLACES_KERNEL)
