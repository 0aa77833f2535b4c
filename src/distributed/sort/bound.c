/* bound.c - the bounds of splitters.h as numbers. */
#include <math.h>

#include "distributed/packed.h"
#include "distributed/sort/splitters.h"

#define SHARE      128u /* samples of a splitter at most: a so many-th of a share, but .. */
#define FACTOR     16.0 /* .. enough to divide the candidates by this */
#define BOUNDARIES 256u /* at least so many, of all ranks, .. */
#define EACH       512u /* .. but where a rank has fewer items for each of them */
#define WITHOUT    60.0 /* w: at most so many candidates lie between two of them */

/* Samples of p ranks, each with the weight 1, show where one of them is to within this. */
static double spread(double p)
{
    return p < sqrt(15 * p) ? p : sqrt(15 * p);
}

uint64_t cw_splitters_samples(uint32_t ranks, uint64_t total)
{
    const uint64_t least = (uint64_t)ceil(FACTOR * (4 * spread(ranks) + 2));
    const uint64_t most = ranks > 1024 ? 8 * (uint64_t)ranks : 8192;
    const uint64_t some = total / ranks / SHARE;

    return some < least ? least : some > most ? most : some;
}

uint64_t cw_splitters_spacing(uint32_t ranks, uint64_t total)
{
    const uint64_t share = total / ranks;
    const uint64_t some = share / EACH < BOUNDARIES ? share / EACH : BOUNDARIES;
    const uint64_t wanted = some / ranks > 1 ? some / ranks * ranks : ranks;

    return (total + wanted - 1) / wanted;
}

/* Rounds until the candidates that lie between two boundaries are as few as are sent at once, and the one after. */
static uint32_t rounds_of(const struct cw_splitters_case *x)
{
    const double c = (double)cw_splitters_samples(x->ranks, x->total);
    const double w = (double)cw_splitters_spacing(x->ranks, x->total), all = (double)x->total;
    const double between = WITHOUT * w < all ? WITHOUT * w : all;

    if (x->ranks < 2 || !x->total)
        return 0;
    if (w <= 1)
        return 1;
    if (between <= c)
        return 2;
    return 2 + (uint32_t)ceil(log(between / c) / log(c / (4 * spread(x->ranks) + 2)));
}

struct cw_splitters_bound cw_splitters_bound(const struct cw_splitters_case *x, uint32_t rounds)
{
    const double p = x->ranks, later = rounds > 1 ? rounds - 1 : 0;
    const double c = (double)cw_splitters_samples(x->ranks, x->total);
    const double word = cw_packed_bytes(x->most_word), place = cw_packed_bytes(x->most_items);
    const double all = cw_packed_bytes(x->total), rank = cw_packed_bytes(x->ranks - 1u);
    const double w = (double)cw_splitters_spacing(x->ranks, x->total);
    const double boundaries = (double)x->total / (w > 0 ? w : 1) / p + 1;
    const double first = place + boundaries * (word + place + all);
    const double each = 2 * place + word * (2 * c / p + 1) + 1 + all + 2 * (word + rank + place);
    const double steps = ceil(log2(p));
    struct cw_splitters_bound b = {rounds_of(x), 0, 0};

    b.messages = (p - 1) * (4 + 3 * later) + steps * (5 + 2 * later);
    b.bytes = (p - 1) * (first + later * each) + steps * (56 + 32 * later);
    return b;
}
