/* plan.cu - offline plans on a GPU. */
#include "kernels/plan_kernels.h"
