/* divide.h - a bucket that digits do not split is divided by keys of its own, whatever they are.
 *
 * Keys from random places, in order, give splitters, with about as many words between any two of them.
 * Each word goes down a search tree of the splitters, eight words side by side and without branches,
 * and to one of two parts: keys less than the splitter that it ends at, or equal to it.  What is equal
 * is sorted, since every move is stable.  Other parts are leaves, or are divided again.
 *
 * It is no chance if a part has more than three quarters of all.  What that happened to TRIES times is
 * merged (merge.h).
 *
 * Samplesort with a search tree without branches, and parts for what is equal: Sanders and Winkel (2004).
 *
 * Time: log2(n / leaf) steps of the tree and a move for each word; n log n on any words.
 * Space: n words of room, and 2 bytes a word (t->parts).
 */
#ifndef CW_CPU_SORT_DIVIDE_H
#define CW_CPU_SORT_DIVIDE_H

#include "base/arith.h"
#include "cpu/sort/leaf/merge.h"
#include "cpu/words.h"

#define PARTS_LOG     9u /* parts of a bucket, at most */
#define EACH          4u /* words of a sample for each part; */
#define EACH_FEW      2u /* .. of few parts, whose words are soon divided again */
#define FEW_PARTS_LOG 4u
#define FEW_DRAWN     32u /* of the sample, that are sorted by insertion */
#define TRIES         3u
#define LEAF_LEAST    32u

/* How long a part of `all` words that are sorted together may be to make a leaf.  If it is the only one
 * that long, lanes beside it are empty: so all lanes have no more than one and a half times as many words.
 * Where there are many words, leaves of twice the limit of columns.c take less than to divide them. */
static uint32_t longest_leaf(const struct cw_columns *columns, size_t all)
{
    const uint32_t limit = columns->limit[WORD_KIND], wide = columns->wide[WORD_KIND];
    const size_t some = all / LANES + all / LANES / 2;

    if (some < limit)
        return some < LEAF_LEAST ? LEAF_LEAST : (uint32_t)some;
    return some >= 4 * limit && wide >= 2 * limit ? 2 * limit : limit;
}

/* A random number below `limit`, quickly (Knuth's MMIX generator). */
static inline uint32_t place_below(struct cw_worker *t, uint32_t limit)
{
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((t->random >> 32) * limit >> 32);
}

/* Splitters in order: 2^log - 1, then one that nothing is greater than; as a tree, whose root is 1 and whose
 * children of k are 2 k and 2 k + 1. */
struct parts {
    uint32_t log;
    bits tree[1u << PARTS_LOG], splitter[1u << PARTS_LOG];
};

static void insertion_sort(word *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k && before(x[k], x[k - 1]); k--) {
            const word less = x[k];

            x[k] = x[k - 1];
            x[k - 1] = less;
        }
}

/* Sort n words of x, with room for as many behind them: a leaf in each lane, then merges.  Other
 * leaves that wait are left alone.  The return is where they are sorted. */
static word *sort_drawn(struct cw_worker *t, word *x, uint32_t n)
{
    struct cw_leaf leaf[LANES];
    uint32_t run = n / LANES;
    word *y = x + n;

    if (n <= FEW_DRAWN) {
        insertion_sort(x, n);
        return x;
    }
    while (run > t->work->columns->limit[WORD_KIND])
        run /= 2;
    for (uint32_t from = 0; from < n; from += LANES * run) {
        for (uint32_t k = 0; k < LANES; k++)
            leaf[k] = (struct cw_leaf){x + from + k * run, x + from + k * run, run};
        t->work->columns->sort[WORD_KIND](leaf, LANES, t->columns);
    }
    for (uint32_t k = run; k < n; k *= 2) {
        word *const from = x;

        merge_runs(x, y, n, k);
        t->moved += n;
        x = y;
        y = from;
    }
    return x;
}

/* Splitters of x; `room` is for half as many words. */
static void draw_parts(struct cw_worker *t, const struct form *f, const word *x, uint32_t n,
                       word *room, struct parts *p)
{
    const uint32_t limit = t->work->columns->limit[WORD_KIND];
    const uint32_t longest = longest_leaf(t->work->columns, t->together);
    const uint32_t log = cw_width(n / (longest < limit ? longest : limit)) + 1;
    uint32_t drawn, step, each;
    const word *sorted;

    p->log = log < PARTS_LOG ? log : PARTS_LOG;
    each = p->log <= FEW_PARTS_LOG ? EACH_FEW : EACH;
    drawn = each << p->log;
    step = n / drawn;
    for (uint32_t k = 0; k < drawn; k++)
        room[k] = x[k * step + place_below(t, step)];
    sorted = sort_drawn(t, room, drawn);
    for (uint32_t k = 0; k + 1 < 1u << p->log; k++)
        p->splitter[k] = word_above(sorted[each * (k + 1) - 1], f->shift);
    p->splitter[(1u << p->log) - 1] = (bits)-1;
    for (uint32_t depth = 0, at = 1; depth < p->log; depth++)
        for (uint32_t k = 0; k < 1u << depth; k++)
            p->tree[at++] = p->splitter[((2 * k + 1) << (p->log - depth - 1)) - 1];
}

#define EIGHT(OF) OF(0) OF(1) OF(2) OF(3) OF(4) OF(5) OF(6) OF(7)

/* Which part each word belongs to, and how many each has. */
static void part_of_each(const struct form *f, const struct parts *p, const word *x, uint32_t n,
                         uint16_t *part, uint32_t *counts)
{
    const uint32_t shift = f->shift;
    const bits *const tree = p->tree;
    const uint32_t parts = 1u << p->log;
    uint32_t k = 0;

    memset(counts, 0, 2 * parts * sizeof *counts);
    for (; n - k >= 8; k += 8) {
#define BEGIN(i)                                     \
    const bits key##i = word_above(x[k + i], shift); \
    size_t at##i = 1;
#define STEP(i) at##i = 2 * at##i + (tree[at##i] < key##i);
#define END(i)                                                                              \
    part[k + i] = (uint16_t)(2 * (at##i - parts) + (p->splitter[at##i - parts] == key##i)); \
    counts[part[k + i]]++;
        EIGHT(BEGIN)
        for (uint32_t level = 0; level < p->log; level++) {
            EIGHT(STEP)
        }
        EIGHT(END)
    }
    for (; k < n; k++) {
        BEGIN(0)
        for (uint32_t level = 0; level < p->log; level++)
            STEP(0)
        END(0)
    }
#undef BEGIN
#undef STEP
#undef END
}

/* Move x to y by its parts; `end` says where each ends.  The return is how many there are. */
static uint32_t deal(struct cw_worker *t, const struct form *f, const word *x, word *y, uint32_t n,
                     uint32_t *end)
{
    uint16_t *const part = (uint16_t *)t->parts;
    struct parts p;
    uint32_t sum = 0;

    draw_parts(t, f, x, n, y, &p);
    part_of_each(f, &p, x, n, part, end);
    for (uint32_t d = 0; d < 2u << p.log; d++) {
        const uint32_t count = end[d];

        end[d] = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < n; k++)
        y[end[part[k]]++] = x[k];
    t->moved += n;
    return 2u << p.log;
}

/* A bucket in x, with room for it in y, to `out`, which may be one of the two. */
static void divide(struct cw_worker *t, const struct form *f, word *x, word *y, word *out,
                   uint32_t n, uint32_t tries)
{
    uint32_t end[2u << PARTS_LOG];
    uint32_t parts, from = 0;

    if (n <= longest_leaf(t->work->columns, t->together)) {
        add_leaf(t, x, out, n);
        return;
    }
    if (!tries) {
        merge_sort(t, x, y, out, n);
        return;
    }
    parts = deal(t, f, x, y, n, end);
    for (uint32_t d = 0; d < parts; d++) {
        const uint32_t size = end[d] - from;

        if (d % 2 == 0)
            divide(t, f, y + from, x + from, out + from, size, tries - (size > n - n / 4));
        else if (out != y)
            memcpy(out + from, y + from, size * sizeof *out);
        from = end[d];
    }
}

#endif
