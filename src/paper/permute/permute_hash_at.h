/* permute_hash_at.h - the hash functions of permute_hash.h, evaluated by every row for itself.
 *
 * A row reads only its own bank: mixer and small pagh none at all, table 1 word, pagh 9 (16
 * for m above 1398101), tabulation 4 and a few a character.  Besides, PAGH_EXACT words are held in
 * registers: what a processor keeps to itself does not grow with m.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_HASH_AT_H
#define CW_PAPER_PERMUTE_PERMUTE_HASH_AT_H

#include "paper/permute/permute_hash.h"

/* A function that this row has: what a processor keeps of it in registers. */
typedef struct hash {
    hash_shape f;
    int row, col; /* where the words stand */
    word
        a[PAGH_EXACT]; /* mixer: 2 words; pagh: multipliers of gj and f1, f2, f3, or a polynomial */
} hash;

DEV hash hash_load(mem s, permuter e, hash_shape f)
{
    hash h;

    h.f = f;
    h.row = e.me;
    h.col = e.hash;
    for (int k = 0; k < f.keep; k++)
        h.a[k] = bank_read(s, h.row, h.col + k);
    return h;
}

/* a*x + c over the field of 2^61 - 1; a, c < 2^61 - 1, x < 2^31. */
DEV word field_step(word a, word x, word c)
{
    const word high = (a >> 32) * x; /* weighs 2^32; its upper part weighs 2^61 = 1 */
    const word low = (a & PERMUTE_LOW) * x;
    word r = (high >> 29) + ((high & (((word)1 << 29) - 1)) << 32);

    r += (low & FIELD61) + (low >> 61) + c;
    r = (r & FIELD61) + (r >> 61);
    return r >= FIELD61 ? r - FIELD61 : r;
}

/* Entry x of the table at word `table`. */
DEV int hash_entry(mem s, const hash *h, int table, int x)
{
    const word packed = bank_read(s, h->row, h->col + table + x / h->f.per);

    return (int)(packed >> (x % h->f.per * h->f.bits) & (((word)1 << h->f.bits) - 1));
}

DEV int hash_mixer(const hash *h, int x)
{
    word z = ((word)x * (word)0xd1342543de82ef95) ^ h->a[0];

    z = (z ^ z >> 29) * (h->a[1] | 1);
    z = (z ^ z >> 32) * (word)0xaef17502108ef2d9;
    return below(z ^ z >> 29, h->f.m);
}

/* The polynomial of degree m - 1, m <= PAGH_EXACT. */
DEV int hash_polynomial(const hash *h, int x)
{
    word p = 0;

    for (int k = 0; k < h->f.keep; k++)
        p = field_step(p, (word)x, h->a[k]);
    return (int)(p % (word)h->f.m);
}

/* fi(x): a x + b over the field, to [range]. */
DEV word pagh_linear(const hash *h, int i, int x, int range)
{
    const word *const f = h->a + PAGH_G + 2 * i;

    return field_step(f[0], (word)x, f[1]) % (word)range;
}

/* The triple of gj at x, added to sum. */
DEV void pagh_triple(mem s, const hash *h, int j, int x, word sum[3])
{
    const hash_shape *const f = &h->f;
    const int at = (int)(h->a[j] * (word)x >> (64 - f->lines));
    const int first = h->col + f->z + j * pagh_line(*f);
    const word low = ((word)1 << f->range_bits) - 1, top = ((word)1 << f->bits) - 1;
    word y;

    if (f->z_per)
        y = bank_read(s, h->row, first + at / f->z_per) >>
            (at % f->z_per * (2 * f->range_bits + f->bits));
    else
        y = bank_read(s, h->row, first + 2 * at);
    sum[0] += y & low;
    sum[1] += y >> f->range_bits & low;
    if (!f->z_per)
        y = bank_read(s, h->row, first + 2 * at + 1);
    else
        y >>= 2 * f->range_bits;
    sum[2] += y & top;
}

DEV int hash_pagh(mem s, const hash *h, int x)
{
    const int r = h->f.range, m = h->f.m;
    word sum[3], y;

    if (!h->f.z)
        return hash_polynomial(h, x);
    sum[0] = pagh_linear(h, 0, x, r);
    sum[1] = pagh_linear(h, 1, x, r);
    sum[2] = pagh_linear(h, 2, x, m);
    for (int j = 0; j < PAGH_G; j++)
        pagh_triple(s, h, j, x, sum);
    y = sum[2] + (word)hash_entry(s, h, h->f.table, (int)(sum[0] % (word)r));
    y += (word)hash_entry(s, h, h->f.table2, (int)(sum[1] % (word)r));
    return (int)(y % (word)m);
}

DEV int hash_tabulation(mem s, const hash *h, int x)
{
    const int mask = h->f.range - 1, per = 64 / h->f.char_bits;
    word derived[DERIVED]; /* h->f.wide of them are used */
    long long y = 0;

    for (int k = 0; k < h->f.wide; k++)
        derived[k] = 0;
    for (int c = 0; c < h->f.chars; c++) {
        const int at = c * h->f.rows + (x >> (c * h->f.char_bits) & mask);

        for (int k = 0; k < h->f.wide; k++)
            derived[k] ^= bank_read(s, h->row, h->col + at * h->f.wide + k);
        y += hash_entry(s, h, h->f.table, at);
    }
    for (int k = 0; k < DERIVED; k++) {
        const int c = (int)(derived[k / per] >> (k % per * h->f.char_bits)) & mask;

        y += hash_entry(s, h, h->f.table2, k * h->f.range + c);
    }
    return (int)(y % h->f.m);
}

/* h(x), 0 <= x < w. */
DEV int hash_at(mem s, const hash *h, int x)
{
    switch (h->f.kind) {
    case CW_HASH_TABLE:
        return hash_entry(s, h, 0, x);
    case CW_HASH_PAGH:
        return hash_pagh(s, h, x);
    case CW_HASH_TABULATION:
        return hash_tabulation(s, h, x);
    default:
        return hash_mixer(h, x);
    }
}

#endif
