/* kernels.h - cw_transpose's kernels for elements of one size.
 *
 * A source defines VALUE_LOG and TRANSPOSE_BYTES (which is 1 << VALUE_LOG, as a word), then
 * includes this.
 */
#define TRANSPOSE_JOIN2(a, b, c) a##b##_##c
#define TRANSPOSE_JOIN(a, b, c)  TRANSPOSE_JOIN2(a, b, c)
#define TRANSPOSE_NAME(what)     TRANSPOSE_JOIN(cw_transpose_b, TRANSPOSE_BYTES, what)

#include "transpose/tile.h"
#include "transpose/in_place.h"
#include "transpose/pages.h"
#include "transpose/rect.h"
#if VALUE_LOG <= 2
#include "transpose/words.h"
#endif
#if VALUE_LOG == 0
#include "transpose/thin_words.h"
#else
#include "transpose/thin.h"
#endif
#if VALUE_LOG == 1
#include "transpose/pairs.h"
#endif
