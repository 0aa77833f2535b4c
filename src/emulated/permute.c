/* permute.c - cw_permute on the emulator: what does not depend on the elements' size. */
#include "kernels/permute_naive.h"
#include "kernels/permute_route.h"
