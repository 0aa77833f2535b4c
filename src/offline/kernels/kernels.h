/* kernels.h - the kernels of offline plans: items of 4, 8 and 16 bytes, then odd ones of up to
 * as many. */
#define WORD_BYTES 4
#include "offline/kernels/words.h"
#define ITEM_ODD
#include "offline/kernels/words.h"
#undef ITEM_ODD
#undef WORD_BYTES

#define WORD_BYTES 8
#include "offline/kernels/words.h"
#define ITEM_ODD
#include "offline/kernels/words.h"
#undef ITEM_ODD
#undef WORD_BYTES

#define WORD_BYTES 16
#include "offline/kernels/words.h"
#define ITEM_ODD
#include "offline/kernels/words.h"
#undef ITEM_ODD
#undef WORD_BYTES
