/* plan.c - offline plans on the emulator. */
#include "kernels/plan_kernels.h"
