/* transpose.c - cw_transpose on the emulator: any element. */
#include "kernels/transpose_direct.h"
