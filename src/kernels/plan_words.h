/* plan_words.h - all kernels of offline plans for one kind of item; see plan_kernels.h. */
#include "kernels/plan_args.h"
#include "kernels/plan_item.h"

#define PLAN_BITS_ROUND PLAN_BITS_ROUND_OF(WORD_BYTES)

#include "kernels/plan_bits.h"
#include "kernels/plan_pass.h"
#include "kernels/plan_simple.h"

#undef PLAN_BITS_ROUND
