/* permute_hash.h - hash functions h: [w] -> [m], known to all rows: what they are, how they are
 * drawn and shared.  permute_hash_at.h evaluates them.
 *
 * The analysis of theorem 4 needs h to be independent on the at most m rows that the
 * labels of one row go to.  For each function, what it gives:
 *
 *   mixer       Two random words and a multiply-xorshift mixer.  No proof at all; the
 *               leftovers that are measured are those of a random function.  S = 2.
 *   table       w random entries.  A random function: independent on everything, with
 *               nothing left to prove, but S grows with w, and w words are drawn.
 *   pagh        Theorem 3, the hash of Pagh and Pagh: S = O(m) words, a constant time, and
 *               uniform on any given set of m keys but with probability O(m^-3.2).  In the
 *               form of Aumueller, Dietzfelbinger and Woelfel (Algorithmica 70, 2014):
 *
 *                  h(x)   = T1[h1(x)] + T2[h2(x)] + h3(x)  mod m
 *                  hi(x)  = fi(x) + sum over j of Zij[gj(x)]        i = 1, 2, 3
 *
 *               T1, T2 have r = ceil(3m/2) random entries below m.  f1, f2, f3 are linear
 *               over the field of 2^61 - 1 (2-wise independent), to [r], [r], [m]; g1 .. g7
 *               multiply and shift (2-universal), to [l], l a power of two near m^0.6 (pagh_lines);
 *               the 21 tables Zij have l random entries of the range of fi.  The three that
 *               belong to one gj lie side by side, so that one read brings all three.
 *               Why: keys are edges (h1, h2) of a bipartite graph.  An edge at a node that
 *               no other edge has gets a value of its own from T1 or T2, and may be taken
 *               away; what remains are the edges on cycles and between them, O(1) of m in
 *               expectation as r > m.  On these h3 must be independent, and is where one
 *               gj at least is injective on them, and all seven fail with O(1/l^7) each; the
 *               sum over all small graphs gives O(m / l^7) = O(m^-3.2).  Packing in the
 *               appendix wants an exponent above 3.
 *               For m <= 64 a polynomial of degree m - 1: m-wise independent, no failure, and no
 *               read, as its words are held in registers (a GPU's thread has room for so many): a
 *               fifth fewer steps than the tables.
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
 * How S words reach all rows (hash_share).  Row j mod w draws word j for itself: w of them
 * make a column on the way.  A full column goes round: every row reads rows p, p + 1, .. (mod w)
 * and keeps what it finds.  Of a column of n < w words, rows n .. 2n - 1 first copy from rows
 * 0 .. n - 1, and so on by doubling: row p holds word p mod n.  Then n + (w mod n) steps of the
 * ring do, because the sequence of words is broken where the ring closes, and the w mod n rows
 * before the break hold words that come again after it.  Where that is no shorter, the whole
 * ring.  Drawing writes to the own row; copies go p -> p + cur; the ring is a rotation; so no
 * bank is asked twice.
 *
 * Time:  share_steps: ceil(S/w), 2w a full column, 2 (ceil(lg(w/n)) + n + w mod n) for the rest.
 * Space: S words a row, and ceil(S/w) on the way.
 * Departs from the paper, where the first row draws all words and sends them out one by
 * one, S steps more for the same words; whose broadcast to the rows j' = j mod S leaves
 * holes unless S divides w, and which does not say what to do if S > w.
 */
#ifndef CW_PAPER_PERMUTE_PERMUTE_HASH_H
#define CW_PAPER_PERMUTE_PERMUTE_HASH_H

#include "paper/paper.h"
#include "paper/permute/permute_sync.h"

#define FIELD61    (((word)1 << 61) - 1)
#define PAGH_G     7                        /* functions gj */
#define PAGH_KEEP  (PAGH_G + 6)             /* their multipliers, and f1, f2, f3 */
#define PAGH_EXACT 64                       /* up to so many columns, a polynomial */
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

/* A random word to a number below m < 2^32: the upper half of the product. */
DEV int below(word x, int m)
{
    return (int)(((x >> 32) * (word)m + ((x & PERMUTE_LOW) * (word)m >> 32)) >> 32);
}

/* ---- shapes -------------------------------------------------------------- */

typedef struct hash_shape {
    int kind, w, m;
    int words;      /* S */
    int relay;      /* columns that hold them on their way */
    int bits, per;  /* of a table entry; entries in a word */
    int range;      /* pagh: entries of T1, of T2; tabulation: characters there are */
    int keep;       /* words that a processor holds in registers: mixer, pagh */
    int lines;      /* pagh: bits of l; 0: a polynomial */
    int range_bits; /* pagh: bits of a number below range */
    int z, z_per;   /* pagh: first word of the tables Zij; triples in a word, 0: two words each */
    int chars;      /* tabulation: characters of a key */
    int rows;       /* tabulation: entries for each of them */
    int char_bits;  /* tabulation: bits of a character */
    int wide;       /* tabulation: words for the derived characters of an entry */
    int table, table2; /* first word of the tables of entries */
    int draws;         /* random words that it takes */
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

/* Words that the l triples of one gj take. */
DEV int pagh_line(hash_shape f)
{
    const int l = 1 << f.lines;

    return f.z_per ? (l + f.z_per - 1) / f.z_per : 2 * l;
}

/* Entries of the two tables at `table` and `table2`. */
DEV int table_entries(hash_shape f, int second)
{
    if (f.kind == CW_HASH_TABLE)
        return f.w;
    if (f.kind == CW_HASH_PAGH)
        return f.range;
    return second ? DERIVED * f.range : f.chars * f.rows;
}

/* lg l for m <= 2^24: the least b >= 5 with 2^(5b + 3) >= m^3.  So l^7 >= m^4.2 / 19, and what the proof
 * allows to fail, m / l^7, is at most 19 m^-3.2.  Were l the power of two from m^0.6 on, the tables
 * just above some powers of two would be four times as large, and steps over m not flat. */
DEV int pagh_lines(int m)
{
    const int more = m > 1 << 20 ? 3 : 0; /* 5 bits of m are 3 of l: m^3 must fit into a word */
    const word x = (word)(more ? (m + 31) / 32 : m);
    int b = 5 - more;

    while ((word)1 << (5 * b + 3) < x * x * x)
        b++;
    return b + more;
}

DEV hash_shape hash_shape_pagh(hash_shape f)
{
    if (f.m <= PAGH_EXACT) {
        f.words = f.keep = f.m;
        return f;
    }
    f.keep = PAGH_KEEP;
    f.range = (3 * f.m + 1) / 2;
    f.range_bits = bits_for(f.range);
    f.lines = pagh_lines(f.m);
    f.z_per = 64 / (2 * f.range_bits + f.bits);
    f.z = f.keep;
    f.table = f.z + PAGH_G * pagh_line(f);
    f.table2 = f.table + table_words(f, f.range);
    f.words = f.table2 + table_words(f, f.range);
    return f;
}

DEV hash_shape hash_shape_tables(hash_shape f)
{
    if (f.kind == CW_HASH_TABLE) {
        f.words = f.table2 = table_words(f, f.w);
    } else if (f.kind == CW_HASH_PAGH) {
        f = hash_shape_pagh(f);
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

/* Random words that the words before word j take: an entry of a table takes one. */
DEV int hash_drawn(hash_shape f, int j)
{
    const int first = f.table2 > f.table ? table_entries(f, 0) : 0;
    const int second = f.words > f.table2 && f.table2 ? table_entries(f, 1) : 0;
    const int before = f.z ? f.z + PAGH_G * 3 * (1 << f.lines) : f.table; /* up to `table` */
    int n;

    if (f.table2 && j >= f.table2) {
        n = (j - f.table2) * f.per;
        return before + first + (n < second ? n : second);
    }
    if (f.table2 && j >= f.table) {
        n = (j - f.table) * f.per;
        return before + (n < first ? n : first);
    }
    if (f.z && j >= f.z) {
        const int line = (j - f.z) / pagh_line(f), at = (j - f.z) % pagh_line(f);

        n = f.z_per ? at * f.z_per : at / 2;
        return f.z + 3 * ((line << f.lines) + n);
    }
    return j;
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
    f.range = f.chars = f.rows = f.char_bits = f.wide = f.table = f.table2 = 0;
    f.keep = kind == CW_HASH_MIXER ? 2 : 0;
    f.lines = f.range_bits = f.z = f.z_per = 0;
    f = hash_shape_tables(f);
    f.relay = (f.words + w - 1) / w;
    f.draws = hash_drawn(f, f.words);
    return f;
}

/* ---- drawing ------------------------------------------------------------- */

/* The j-th word of a table of so many entries, with random words from `number` on. */
DEV word draw_entries(hash_shape f, word key, word number, int j, int entries)
{
    word x = 0;

    for (int k = 0; k < f.per && j * f.per + k < entries; k++)
        x |= (word)below(random_word(key, number + (word)k), f.m) << (k * f.bits);
    return x;
}

/* Word `at` of the tables that belong to one gj: triples (Z1j, Z2j, Z3j), packed; with two words
 * for a triple, the first two in one, the third in the next. */
DEV word draw_triples(hash_shape f, word key, word number, int at)
{
    const int size = 2 * f.range_bits + f.bits, per = f.z_per ? f.z_per : 1;
    word x = 0;

    for (int k = 0; k < per && at * per + k < (f.z_per ? 1 : 2) << f.lines; k++) {
        const word n = number + 3 * (word)k;
        const word one = (word)below(random_word(key, n), f.range);
        const word two = (word)below(random_word(key, n + 1), f.range);
        const word three = (word)below(random_word(key, n + 2), f.m);

        if (!f.z_per)
            return at % 2 ? three : one | two << f.range_bits;
        x |= (one | two << f.range_bits | three << 2 * f.range_bits) << (k * size);
    }
    return x;
}

/* Word j of the function that d's next random words make. */
DEV word draw_hash_word(hash_shape f, const dice *d, int j)
{
    const word number = d->drawn + (word)hash_drawn(f, j);

    if (f.table2 && j >= f.table2)
        return draw_entries(f, d->key, number, j - f.table2, table_entries(f, 1));
    if (f.table2 && j >= f.table)
        return draw_entries(f, d->key, number, j - f.table, table_entries(f, 0));
    if (f.z && j >= f.z)
        return draw_triples(f, d->key, number, (j - f.z) % pagh_line(f));
    if (f.kind != CW_HASH_PAGH)
        return random_word(d->key, number);
    if (f.z && j < PAGH_G)
        return random_word(d->key, number) | 1; /* a multiplier is odd */
    return random_word(d->key, number) % FIELD61;
}

/* ---- to all rows --------------------------------------------------------- */

/* Rounds of doubling until n words that stand in rows 0 .. n - 1 stand in all of w. */
DEV int share_rounds(int n, int w)
{
    int rounds = 0;

    for (long long cur = n; cur < w; cur *= 2)
        rounds++;
    return rounds;
}

/* Is it shorter to double them first than to turn the whole ring? */
DEV int share_doubles(int n, int w)
{
    return share_rounds(n, w) + n + w % n < w;
}

/* Column c on the way: n words, in rows 0 .. n - 1, to all rows. */
DEV void share_column(mem s, permuter e, int c, int n)
{
    const int p = e.me, doubles = share_doubles(n, e.w);
    const int turn = !doubles ? e.w : n + (PERMUTE_MUTANT == MUTANT_RING ? 0 : e.w % n);

    for (int cur = n; doubles && cur < e.w; cur *= 2) {
        if (p >= cur && p - cur < cur) {
            const word x = bank_read(s, p - cur, e.relay + c);

            bank_write(s, p, e.relay + c, x);
        }
        all_sync(s, e);
    }
    for (int k = 0; k < turn; k++) {
        const int from = row_after(p, k, e.w);

        if (doubles || from < n) {
            const word x = bank_read(s, from, e.relay + c);

            bank_write(s, p, e.hash + c * e.w + from % n, x);
        } else {
            lane_skip(s);
            lane_skip(s);
        }
    }
    all_sync(s, e);
}

/* The rows draw the words of f; in the end every row has them all at column e.hash. */
DEV void hash_share(mem s, permuter e, hash_shape f, dice *d)
{
    all_sync(s, e);
    for (int c = 0; c < f.relay; c++) { /* as often in all rows: lanes of a warp stay together */
        const int j = c * e.w + e.me;

        if (j < f.words)
            bank_write(s, e.me, e.relay + c, draw_hash_word(f, d, j));
    }
    d->drawn += (word)f.draws;
    all_sync(s, e);
    for (int c = 0; c < f.relay; c++)
        share_column(s, e, c, f.words - c * e.w < e.w ? f.words - c * e.w : e.w);
}

/* Steps of hash_share. */
DEV long long share_steps(int words, int w)
{
    long long steps = (words + w - 1) / w;

    for (int left = words; left > 0; left -= w) {
        const int n = left < w ? left : w;

        steps += 2 * (share_doubles(n, w) ? share_rounds(n, w) + n + w % n : w);
    }
    return steps;
}

#endif
