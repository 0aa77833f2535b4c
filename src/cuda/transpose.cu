/* transpose.cu - cw_transpose on a GPU: any element. */
#include "kernels/transpose_direct.h"
