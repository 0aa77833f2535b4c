/* kernels.h - cw_permute's kernels for elements of one size.
 *
 * A source defines VALUE_LOG and PERMUTE_BYTES (which is 1 << VALUE_LOG, as a word), then includes
 * this.
 */
#define PERMUTE_JOIN2(a, b, c) a##b##_##c
#define PERMUTE_JOIN(a, b, c)  PERMUTE_JOIN2(a, b, c)
#define PERMUTE_NAME(what)     PERMUTE_JOIN(cw_permute_b, PERMUTE_BYTES, what)

#include "permute/bins.h"
#if VALUE_LOG <= PERMUTE_ROUTE_LOG
#include "permute/route.h"
#include "permute/fetch.h"
#endif
#include "permute/direct_kernels.h"
#include "permute/draw.h"
