/* permute_hash.h - hash functions h: [w] -> [m], drawn by row 0 and known to all rows.
 *
 * The analysis of theorem 4 needs h to be independent on the at most m rows that the
 * labels of one row go to.  For each function, what it gives:
 *
 *   mixer       Two random words and a multiply-xorshift mixer.  No proof at all; the
 *               leftovers that are measured are those of a random function.  S = 2.
 *   table       w random entries.  A random function: independent on everything, with
 *               nothing left to prove, but S grows with w, and w words are drawn.
 *   pagh        h(x) = T1[g1(x)] + T2[g2(x)] + P(x) mod m: two tables of 2m random
 *               entries, g1 and g2 random cubics, P a random polynomial of degree
 *               lg m + 1, all over the field of 2^61 - 1.  The construction of Pagh and
 *               Pagh (and of Dietzfelbinger and Woelfel) in shape: keys are the edges
 *               (g1, g2) of a graph; on its trees the entries make h independent, P
 *               serves the few cyclic edges.  Not their theorem: that takes g1, g2 and P
 *               from families of higher independence with constant evaluation time.  Of
 *               what is coded here only this is certain: P alone, and so h, is
 *               (lg m + 2)-wise independent (entries mod m: within m / 2^61).
 *   tabulation  Mixed tabulation (Dahlgaard, Knudsen, Rotenberg, Thorup 2015): a key is
 *               a few characters of at least 2m values each; each looks up a random
 *               value and 4 random characters; the 4 sums of these look up a value each;
 *               h is the sum of all values.  Fully random on a given set of m keys with
 *               probability 1 - O(1/m), the paper's c = 1; the packing in the appendix
 *               wants c > 3, that is, 10 derived characters.  Values are added mod m
 *               rather than xor-ed, so that m need not be a power of two; a uniform value
 *               makes the sum uniform either way.
 *
 * Table entries are drawn one from each random word (bias below m / 2^64) and packed
 * as many to a word as fit, which makes S smaller, not the randomness.
 *
 * How S words reach all rows (hash_share).  Row 0 draws word j and writes it to row
 * j mod w.  If S < w, rows S .. 2S - 1 then copy from rows 0 .. S - 1, and so on by
 * doubling: row p holds word p mod S.  Then every row reads rows p, p + 1, .. (mod w)
 * and keeps what it finds: S + (w mod S) of them, because the sequence of words is
 * broken where the ring closes, and the w mod S rows before the break hold words that
 * come again after it.  If S >= w, row p holds words p, p + w, ..; one turn of the ring
 * for each.  Row 0 alone writes in the first part; copies go p -> p + cur; the ring is
 * a rotation; so no bank is asked twice.
 *
 * Time:  S + 2 ceil(lg(w/S)) + 2 (S + w mod S) steps, or S + 2 w ceil(S/w).
 * Space: S words a row, and ceil(S/w) on the way.
 * Departs from the paper, whose broadcast to the rows j' = j mod S leaves holes unless
 * S divides w, and does not say what to do if S > w.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_HASH_H
#define CW_PAPER_PERMUTE_PERMUTE_HASH_H

#include "paper/paper.h"
#include "paper/permute/permute_sync.h"

#define FIELD61    (((word)1 << 61) - 1)
#define CUBIC      4                        /* coefficients of g1 and of g2 */
#define DERIVED    4                        /* derived characters of mixed tabulation */
#define HASH_WORDS (CW_HASH_TABULATION + 1) /* no function: words as they are drawn */

/* ---- random words -------------------------------------------------------- */

/* Counter-based: word number x of a seed is a mix of both. */
typedef struct dice {
    word key;
    word drawn; /* number of the next word */
} dice;

DEV word mix_word(word z)
{
    z = (z ^ z >> 30) * (word)0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * (word)0x94d049bb133111eb;
    return z ^ z >> 31;
}

DEV word random_word(word key, word number)
{
    return mix_word(key + (number + 1) * (word)0x9e3779b97f4a7c15);
}

DEV word roll(dice *d)
{
    return random_word(d->key, d->drawn++);
}

/* A random word to a number below m < 2^32: the upper half of the product. */
DEV int below(word x, int m)
{
    return (int)(((x >> 32) * (word)m + ((x & PERMUTE_LOW) * (word)m >> 32)) >> 32);
}

/* ---- shapes -------------------------------------------------------------- */

typedef struct hash_shape {
    int kind, w, m;
    int words;         /* S */
    int relay;         /* columns that hold them on their way */
    int bits, per;     /* of a table entry; entries in a word */
    int range;         /* pagh: entries of a table; tabulation: characters there are */
    int degree;        /* pagh: of P */
    int chars;         /* tabulation: characters of a key */
    int rows;          /* tabulation: entries for each of them */
    int char_bits;     /* tabulation: bits of a character */
    int wide;          /* tabulation: words for the derived characters of an entry */
    int table, table2; /* first word of the tables of entries */
} hash_shape;

/* The least b with 2^b >= x. */
DEV int bits_for(int x)
{
    int b = 0;

    while ((long long)1 << b < x)
        b++;
    return b;
}

DEV int table_words(hash_shape f, int entries)
{
    return (entries + f.per - 1) / f.per;
}

DEV hash_shape hash_shape_tables(hash_shape f)
{
    if (f.kind == CW_HASH_TABLE) {
        f.words = table_words(f, f.w);
    } else if (f.kind == CW_HASH_PAGH) {
        f.range = 2 * f.m;
        f.degree = bits_for(f.m) + 1;
        f.table = 2 * CUBIC + f.degree + 1;
        f.table2 = f.table + table_words(f, f.range);
        f.words = f.table2 + table_words(f, f.range);
    } else if (f.kind == CW_HASH_TABULATION) {
        f.char_bits = bits_for(2 * f.m);
        f.range = 1 << f.char_bits;
        f.chars = f.w > 1 ? (bits_for(f.w) + f.char_bits - 1) / f.char_bits : 1;
        f.rows = f.chars == 1 ? f.w : f.range;
        f.wide = (DERIVED + 64 / f.char_bits - 1) / (64 / f.char_bits);
        f.table = f.chars * f.rows * f.wide;
        f.table2 = f.table + table_words(f, f.chars * f.rows);
        f.words = f.table2 + table_words(f, DERIVED * f.range);
    }
    return f;
}

/* The function of this kind for w and m; HASH_WORDS: m random words. */
DEV hash_shape hash_shape_of(int kind, int w, int m)
{
    hash_shape f;

    f.kind = kind;
    f.w = w;
    f.m = m;
    f.words = kind == HASH_WORDS ? m : 2;
    f.bits = m > 1 ? bits_for(m) : 1;
    f.per = 64 / f.bits;
    f.range = f.degree = f.chars = f.rows = f.char_bits = f.wide = f.table = f.table2 = 0;
    f = hash_shape_tables(f);
    f.relay = (f.words + w - 1) / w;
    return f;
}

/* ---- drawing, by row 0 --------------------------------------------------- */

/* The j-th word of a table: entries j*per, .. */
DEV word draw_entries(hash_shape f, dice *d, int j, int entries)
{
    word x = 0;

    for (int k = 0; k < f.per && j * f.per + k < entries; k++)
        x |= (word)below(roll(d), f.m) << (k * f.bits);
    return x;
}

DEV word draw_hash_word(hash_shape f, dice *d, int j)
{
    if (f.kind == CW_HASH_TABLE)
        return draw_entries(f, d, j, f.w);
    if (f.table && j >= f.table2)
        return draw_entries(f, d, j - f.table2,
                            f.kind == CW_HASH_PAGH ? f.range : DERIVED * f.range);
    if (f.table && j >= f.table)
        return draw_entries(f, d, j - f.table, f.kind == CW_HASH_PAGH ? f.range : f.chars * f.rows);
    return f.kind == CW_HASH_PAGH ? roll(d) % FIELD61 : roll(d);
}

/* ---- to all rows --------------------------------------------------------- */

/* What row `from` holds in column c on the way, to the own row. */
DEV void ring_step(mem s, permuter e, hash_shape f, int from, int c)
{
    const int j = f.words < e.w ? from % f.words : c * e.w + from;

    if (j < f.words) {
        const word x = bank_read(s, from, e.relay + c);

        bank_write(s, e.me, e.hash + j, x);
    } else {
        lane_skip(s);
        lane_skip(s);
    }
}

/* Row 0 draws the words of f; in the end every row has them all at column e.hash. */
DEV void hash_share(mem s, permuter e, hash_shape f, dice *d)
{
    const int p = e.me;
    const int turn = f.words >= e.w                  ? e.w
                     : PERMUTE_MUTANT == MUTANT_RING ? f.words
                                                     : f.words + e.w % f.words;

    all_sync(s, e);
    for (int j = 0; p == 0 && j < f.words; j++)
        bank_write(s, j % e.w, e.relay + j / e.w, draw_hash_word(f, d, j));
    all_sync(s, e);
    for (int cur = f.words; cur < e.w; cur *= 2) {
        if (p >= cur && p - cur < cur) {
            const word x = bank_read(s, p - cur, e.relay);

            bank_write(s, p, e.relay, x);
        }
        all_sync(s, e);
    }
    for (int c = 0; c < f.relay; c++) {
        for (int k = 0; k < turn; k++)
            ring_step(s, e, f, row_after(p, k, e.w), c);
    }
    all_sync(s, e);
}

/* ---- evaluating, by every row for itself ---------------------------------- */

/* A function that this row has: what a processor keeps of it in registers. */
typedef struct hash {
    hash_shape f;
    int row, col;      /* where the words stand */
    word a[2 * CUBIC]; /* mixer: 2 words; pagh: g1 and g2 */
} hash;

DEV hash hash_load(mem s, permuter e, hash_shape f)
{
    const int keep = f.kind == CW_HASH_MIXER ? 2 : f.kind == CW_HASH_PAGH ? 2 * CUBIC : 0;
    hash h;

    h.f = f;
    h.row = e.me;
    h.col = e.hash;
    for (int k = 0; k < keep; k++)
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

DEV int hash_pagh(mem s, const hash *h, int x)
{
    word g1 = 0, g2 = 0, p = 0;
    int y;

    for (int k = 0; k < CUBIC; k++) {
        g1 = field_step(g1, (word)x, h->a[k]);
        g2 = field_step(g2, (word)x, h->a[CUBIC + k]);
    }
    for (int k = 0; k <= h->f.degree; k++)
        p = field_step(p, (word)x, bank_read(s, h->row, h->col + 2 * CUBIC + k));
    y = hash_entry(s, h, h->f.table, (int)(g1 % (word)h->f.range));
    y += hash_entry(s, h, h->f.table2, (int)(g2 % (word)h->f.range));
    return (int)(((word)y + p % (word)h->f.m) % (word)h->f.m);
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
