/* sort_digits.c - sorts by digits of items of any width on the emulator. */
#include "kernels/grid_digits.h"
