/* permute.cu - cw_permute on a GPU: what does not depend on the elements' size. */
#include "kernels/permute_naive.h"
#include "kernels/permute_route.h"
