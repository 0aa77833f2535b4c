/* sort_places.c - what surrounds a sort of places, and sorts by counting, on the emulator. */
#include "kernels/grid_places.h"
#include "kernels/grid_tally.h"
