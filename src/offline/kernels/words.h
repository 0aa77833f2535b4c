/* words.h - all kernels of offline plans for one kind of item; see kernels/kernels.h. */
#include "offline/kernels/job.h"
#include "offline/kernels/item.h"

#define PLAN_BITS_ROUND PLAN_BITS_ROUND_OF(WORD_BYTES)

#include "offline/kernels/bits.h"
#include "offline/kernels/pass.h"
#include "offline/kernels/simple.h"

#undef PLAN_BITS_ROUND
