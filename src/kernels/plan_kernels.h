/* plan_kernels.h - the kernels of offline plans: items of 4, 8 and 16 bytes, then odd ones of up to
 * as many. */
#define WORD_BYTES 4
#include "kernels/plan_words.h"
#define ITEM_ODD
#include "kernels/plan_words.h"
#undef ITEM_ODD
#undef WORD_BYTES

#define WORD_BYTES 8
#include "kernels/plan_words.h"
#define ITEM_ODD
#include "kernels/plan_words.h"
#undef ITEM_ODD
#undef WORD_BYTES

#define WORD_BYTES 16
#include "kernels/plan_words.h"
#define ITEM_ODD
#include "kernels/plan_words.h"
#undef ITEM_ODD
#undef WORD_BYTES
