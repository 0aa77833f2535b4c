/* map.c - recognise a permutation that needs no table.
 *
 *      i + c mod n, c - i mod n        a turn
 *      (i mod C) R + i / C             the transposition of R x C
 *      A i xor b, n a power of two     an affine map of index bits
 *
 * and one that needs a short one: blocks of 64 bytes and more, moved as they are
 *
 * A few values say which map it would have to be; then all are held against it.  An index that is
 * something else is found out after a few, so this costs nothing when it fails, and when it
 * succeeds the index is known to be a permutation.
 */
#include <string.h>

#include "offline/bits.h"
#include "offline/plan.h"
#include "base/arith.h"

static int is_turn(const uint32_t *index, uint64_t n, int back)
{
    uint64_t want = index[0];

    for (uint64_t i = 0; i < n; i++) {
        if (index[i] != want)
            return 0;
        if (back)
            want = want ? want - 1 : n - 1;
        else
            want = want + 1 < n ? want + 1 : 0;
    }
    return 1;
}

static int is_transpose(const uint32_t *index, uint64_t n, uint64_t rows)
{
    uint64_t want = 0;

    if (rows < 2 || n % rows || n / rows < 2)
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        if (index[i] != want)
            return 0;
        want += rows;
        if (want >= n)
            want -= n - 1;
    }
    return 1;
}

/* index[i] from the index without the lowest one of i, which was looked at before. */
static int is_affine(const uint32_t *index, uint64_t n, const uint32_t *column)
{
    for (uint64_t i = 1; i < n; i++) {
        uint32_t k = 0;

        while (!(i >> k & 1u))
            k++;
        if (index[i] != (index[i & (i - 1)] ^ column[k]))
            return 0;
    }
    return 1;
}

static int affine(const uint32_t *index, cw_plan *plan)
{
    uint32_t inverse[32];
    uint32_t bits = 0;

    while ((uint64_t)1 << bits < plan->n)
        bits++;
    if ((uint64_t)1 << bits != plan->n || bits < cw_bits_least(cw_plan_word(plan->bytes)))
        return 0;
    for (uint32_t k = 0; k < bits; k++)
        plan->column[k] = index[(uint64_t)1 << k] ^ index[0];
    if (!is_affine(index, plan->n, plan->column) || !cw_bits_invert(plan->column, bits, inverse))
        return 0;
    plan->bits = bits;
    plan->start = index[0];
    plan->way = CW_PLAN_BITS;
    return 1;
}

/* The map that undoes it. */
static void invert(cw_plan *plan)
{
    uint32_t inverse[32];

    if (plan->way != CW_PLAN_BITS)
        return;
    (void)cw_bits_invert(plan->column, plan->bits, inverse);
    plan->start = cw_bits_apply(inverse, plan->start);
    memcpy(plan->column, inverse, sizeof plan->column[0] * plan->bits);
}

int cw_plan_recognise(const uint32_t *index, int gather, cw_plan *plan)
{
    const uint64_t n = plan->n;

    for (int back = 0; back < 2; back++) {
        if (n < 2 || is_turn(index, n, back)) {
            const uint64_t c = n ? index[0] : 0;

            plan->way = CW_PLAN_TURN;
            plan->back = (uint32_t)back;
            plan->first = gather || back || !c ? c : n - c;
            return 1;
        }
    }
    if (affine(index, plan)) {
        if (gather)
            invert(plan);
        return 1;
    }
    if (is_transpose(index, n, index[1])) {
        const uint64_t r = index[1], c = n / r;

        plan->rows = gather ? c : r; /* a gather that follows it undoes it */
        plan->columns = gather ? r : c;
        plan->way = CW_PLAN_TRANSPOSE;
        return 1;
    }
    return 0;
}

/* ---- blocks --------------------------------------------------------------------------------- */

#define LINE 64u                 /* bytes of a block, at least */
#define ROW  ((uint64_t)1 << 20) /* and at most */

/* Blocks begin where the next index is not one more.  An index without blocks is found out after a
 * few. */
uint64_t cw_plan_find_block(const uint32_t *index, uint64_t n, uint32_t bytes)
{
    uint64_t block = n;

    for (uint64_t i = 0; i < n && block > 1; i++)
        if (!i || index[i] != index[i - 1] + 1u)
            block = cw_gcd(cw_gcd(block, i), index[i]);
    if (block * bytes > ROW) { /* the largest part of it that is short enough */
        uint64_t parts = (block * bytes + ROW - 1) / ROW;

        while (block % parts)
            parts++;
        block /= parts;
    }
    return block * bytes >= LINE ? block : 1;
}

/* ---- names ---------------------------------------------------------------------------------- */

static const char *name_of_bits(const cw_plan *plan)
{
    int reversal = 1, permutation = 1, rotation = 1;

    for (uint32_t k = 0; k < plan->bits; k++) {
        const uint32_t c = plan->column[k];
        const uint32_t turned = plan->column[0] << k | plan->column[0] >> (plan->bits - k);

        permutation &= (c & (c - 1)) == 0;
        reversal &= c == 1u << (plan->bits - 1 - k);
        rotation &= c == (turned & (uint32_t)(plan->n - 1));
    }
    if (plan->start || !permutation)
        return "affine map of bits";
    return reversal ? "bit reversal" : rotation ? "transpose" : "bit permutation";
}

const char *cw_plan_kind(const cw_plan *plan)
{
    static const char *const passes[] = {"one pass", "two passes", "three passes"};

    if (!plan)
        return "none";
    switch (plan->way) {
    case CW_PLAN_TURN:
        return plan->back && plan->n > 1 ? "reversal" : plan->first ? "rotation" : "identity";
    case CW_PLAN_TRANSPOSE:
        return "transpose";
    case CW_PLAN_BITS:
        return name_of_bits(plan);
    case CW_PLAN_GATHER:
        return cw_plan_block(plan) > 1 ? "block map" : "gather";
    default:
        return passes[plan->partitions];
    }
}
