/* sort_digits.cu - sorts by digits of items of any width on a GPU. */
#include "kernels/grid_digits.h"
