/* columns_io.h - leaves to columns and back: the part of columns.h that transposes.
 *
 * 8 items of 8 leaves at a time where all of them have that many, in three shuffles of vectors;
 * what is left over, item by item.  Item by item throughout, this took twice as long as the
 * network.
 */
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAVE_SHUFFLE 1
#endif
#endif

/* Items k .. k + 7 of leaf l to its column, or largest words where it has none. */
ISA static void leaf_in(bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    const word *in = (const word *)leaf[l].in;

    for (uint32_t i = k; i < k + 8 && i < leaf[l].n; i++)
        put(c + (size_t)i * LINE, l, in[i]);
    for (uint32_t i = leaf[l].n > k ? leaf[l].n : k; i < k + 8; i++)
        for (uint32_t x = l; x < LINE; x += LANES)
            c[(size_t)i * LINE + x] = (bits)-1;
}

/* Those that there are, back. */
ISA static void leaf_out(const bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    word *out = (word *)leaf[l].out;

    for (uint32_t i = k; i < k + 8 && i < leaf[l].n; i++)
        out[i] = get(c + (size_t)i * LINE, l);
}

#if WORD_LOG < 4 && defined(HAVE_SHUFFLE)

typedef bits vec __attribute__((vector_size(8 * sizeof(bits))));

/* x[0] and x[4], x[1] and x[5], .. shuffled like two halves of a pack of cards. */
ISA static inline void shuffle8(const vec *x, vec *y)
{
    y[0] = __builtin_shufflevector(x[0], x[4], 0, 8, 1, 9, 2, 10, 3, 11);
    y[1] = __builtin_shufflevector(x[0], x[4], 4, 12, 5, 13, 6, 14, 7, 15);
    y[2] = __builtin_shufflevector(x[1], x[5], 0, 8, 1, 9, 2, 10, 3, 11);
    y[3] = __builtin_shufflevector(x[1], x[5], 4, 12, 5, 13, 6, 14, 7, 15);
    y[4] = __builtin_shufflevector(x[2], x[6], 0, 8, 1, 9, 2, 10, 3, 11);
    y[5] = __builtin_shufflevector(x[2], x[6], 4, 12, 5, 13, 6, 14, 7, 15);
    y[6] = __builtin_shufflevector(x[3], x[7], 0, 8, 1, 9, 2, 10, 3, 11);
    y[7] = __builtin_shufflevector(x[3], x[7], 4, 12, 5, 13, 6, 14, 7, 15);
}

/* A shuffle turns the six bits of an item's index by one, so three transpose 8 x 8 items. */
ISA static inline void transpose8(vec *x)
{
    vec y[8];

    shuffle8(x, y);
    shuffle8(y, x);
    shuffle8(x, y);
    x[0] = y[0], x[1] = y[1], x[2] = y[2], x[3] = y[3];
    x[4] = y[4], x[5] = y[5], x[6] = y[6], x[7] = y[7];
}

/* The same for leaves l .. l + 7 at once, all of which have these items. */
ISA static void block_in(bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    vec x[8];

    for (uint32_t i = 0; i < 8; i++)
        memcpy(x + i, (const word *)leaf[l + i].in + k, sizeof *x);
    transpose8(x);
    for (uint32_t i = 0; i < 8; i++)
        memcpy(c + (size_t)(k + i) * LINE + l, x + i, sizeof *x);
}

ISA static void block_out(const bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    vec x[8];

    for (uint32_t i = 0; i < 8; i++)
        memcpy(x + i, c + (size_t)(k + i) * LINE + l, sizeof *x);
    transpose8(x);
    for (uint32_t i = 0; i < 8; i++)
        memcpy((word *)leaf[l + i].out + k, x + i, sizeof *x);
}

#else

ISA static void block_in(bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    for (uint32_t i = l; i < l + 8; i++)
        leaf_in(c, leaf, i, k);
}

ISA static void block_out(const bits *c, const struct cw_leaf *leaf, uint32_t l, uint32_t k)
{
    for (uint32_t i = l; i < l + 8; i++)
        leaf_out(c, leaf, i, k);
}

#endif

/* How many items all of leaves l .. l + 7 have; 0 if there are fewer leaves. */
ISA static uint32_t least(const struct cw_leaf *leaf, uint32_t count, uint32_t l)
{
    uint32_t n = l + 8 <= count ? leaf[l].n : 0;

    for (uint32_t i = l; i < l + 8 && n; i++)
        n = leaf[i].n < n ? leaf[i].n : n;
    return n;
}

ISA static void leaves_in(bits *c, const struct cw_leaf *leaf, uint32_t count, uint32_t n)
{
    if (count < LANES)
        memset(c, 0xff, (size_t)n * LINE * sizeof *c);
    memset(c + (size_t)n * LINE, 0xff, LINE * sizeof *c);
    for (uint32_t l = 0; l < count; l += 8) {
        const uint32_t all = least(leaf, count, l) / 8 * 8;

        for (uint32_t k = 0; k < all; k += 8)
            block_in(c, leaf, l, k);
        for (uint32_t i = l; i < l + 8 && i < count; i++)
            for (uint32_t k = all; k < n; k += 8)
                leaf_in(c, leaf, i, k);
    }
}

ISA static void leaves_out(const bits *c, const struct cw_leaf *leaf, uint32_t count)
{
    for (uint32_t l = 0; l < count; l += 8) {
        const uint32_t all = least(leaf, count, l) / 8 * 8;

        for (uint32_t k = 0; k < all; k += 8)
            block_out(c, leaf, l, k);
        for (uint32_t i = l; i < l + 8 && i < count; i++)
            for (uint32_t k = all; k < leaf[i].n; k += 8)
                leaf_out(c, leaf, i, k);
    }
}
