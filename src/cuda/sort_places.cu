/* sort_places.cu - what surrounds a sort of places, and sorts by counting, on a GPU. */
#include "kernels/grid_places.h"
#include "kernels/grid_tally.h"
