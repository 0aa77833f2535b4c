/* sort_lsd.h - shapes of the LSD radix sort: those of tuning/radix_pass.h, and on the emulator how
 * many tiles a launch has. */
#include "tuning/radix_pass.h"
#if SHAPES != SHAPES_LARGE
#define PASS_ROWS 5u
#endif
