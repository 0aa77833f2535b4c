/* bits.c - affine maps of index bits over GF(2), and the tiles that a GPU does them in.
 *
 * Let E be the space of the lowest r bits: the indices of a run of 2^r neighbours.  A tile is a
 * coset of a space V of dimension 2r that holds E and inverse(A) E, filled up with whatever comes
 * next.  So a tile is read in whole runs, and written in whole runs.
 *
 * V gets two bases.  Read: the bits of E, then vectors without them.  Written: inverse(A) of the
 * bits of E, then vectors that A sends to such without them.
 *
 * Slots: let U be spanned by the first l vectors of the read basis and W by those of the written
 * one, 2^l lanes being what shared memory serves at a time.  The intersection of U and W, x
 * (what completes it to U), y (to W) and z (to V) are a basis of V.  Bank bits: one for each of
 * the intersection; one for each pair of x and y, both of which set it; none for z.  Bits above:
 * one for each y and z.  So the bank is one-to-one on U and on W, and the slot on V.
 *
 * These are the BMMC permutations of Cormen, Sundquist and Wisniewski (1999), who do them on disks.
 */
#include "offline/bits.h"

#include <string.h>

/* Vectors in echelon form, each with an image: of another basis, or of a linear map. */
struct span {
    uint32_t vector[CW_BITS_MOST + 1], image[CW_BITS_MOST + 1];
    uint32_t count;
};

static uint32_t top_bit(uint32_t x)
{
    uint32_t bit = 0;

    while (x >>= 1)
        bit++;
    return bit;
}

/* What is left of x; *image: what has been taken. */
static uint32_t reduce(const struct span *s, uint32_t x, uint32_t *image)
{
    for (uint32_t k = 0; k < s->count; k++) {
        if (x >> top_bit(s->vector[k]) & 1u) {
            x ^= s->vector[k];
            *image ^= s->image[k];
        }
    }
    return x;
}

/* 0 if x is in the span. */
static int insert(struct span *s, uint32_t x, uint32_t image)
{
    x = reduce(s, x, &image);
    if (!x)
        return 0;
    for (uint32_t k = 0; k < s->count; k++) { /* no other has the new one's top bit */
        if (s->vector[k] >> top_bit(x) & 1u) {
            s->vector[k] ^= x;
            s->image[k] ^= image;
        }
    }
    s->vector[s->count] = x;
    s->image[s->count++] = image;
    return 1;
}

uint32_t cw_bits_apply(const uint32_t *column, uint32_t x)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; x >> k; k++)
        sum ^= x >> k & 1u ? column[k] : 0u;
    return sum;
}

int cw_bits_invert(const uint32_t *column, uint32_t bits, uint32_t *out)
{
    struct span s = {.count = 0};

    for (uint32_t k = 0; k < bits; k++) {
        if (column[k] >> bits || !insert(&s, column[k], 1u << k))
            return 0;
    }
    for (uint32_t k = 0; k < bits; k++) {
        out[k] = 0;
        (void)reduce(&s, 1u << k, &out[k]);
    }
    return 1;
}

uint32_t cw_bits_least(uint32_t word)
{
    return 2u * PLAN_RUN_BITS_OF(word);
}

/* ---- tiles ---------------------------------------------------------------------------------- */

struct tiles {
    const uint32_t *column;
    uint32_t inverse[CW_BITS_MOST + 1];
    uint32_t bits, run, size; /* of an index, of a run's, of a tile's */
    struct span space;        /* V; images: none */
    uint32_t read[PLAN_TILE_BITS], write[PLAN_TILE_BITS];
    struct span slots; /* V to places of shared memory */
};

static void choose_space(struct tiles *t)
{
    for (uint32_t k = 0; k < t->run; k++)
        (void)insert(&t->space, 1u << k, 0);
    for (uint32_t k = 0; k < t->run; k++)
        (void)insert(&t->space, t->inverse[k], 0);
    for (uint32_t k = t->run; t->space.count < t->size; k++)
        (void)insert(&t->space, 1u << k, 0);
}

static void choose_bases(struct tiles *t)
{
    const uint32_t low = (1u << t->run) - 1u;
    struct span read = {.count = 0}, write = {.count = 0};

    for (uint32_t k = 0; k < t->run; k++) {
        t->read[k] = 1u << k;
        t->write[k] = t->inverse[k];
        (void)insert(&read, t->read[k], 0);
        (void)insert(&write, t->write[k], 0);
    }
    for (uint32_t k = 0; k < t->size; k++) {
        const uint32_t v = t->space.vector[k];
        const uint32_t without = v & ~low;
        const uint32_t to = cw_bits_apply(t->column, v) & low;
        const uint32_t other = v ^ cw_bits_apply(t->inverse, to);
        const uint32_t r = read.count, w = write.count;

        if (insert(&read, without, 0))
            t->read[r] = without;
        if (insert(&write, other, 0))
            t->write[w] = other;
    }
}

static void choose_slots(struct tiles *t, uint32_t lanes)
{
    const uint32_t low = (1u << lanes) - 1u;
    struct span both = {.count = 0}, above = {.count = 0};
    uint32_t y[8], ys = 0, bank = 0, high = lanes;

    for (uint32_t k = 0; k < lanes; k++) { /* W: what it has in common with U, and y */
        uint32_t within = 0;
        uint32_t v = t->write[k];
        const uint32_t left = reduce(&above, v & ~low, &within);

        if (left) {
            (void)insert(&above, left, v ^ within);
            y[ys++] = v;
        } else {
            v ^= within;
            if (insert(&both, v, 0))
                (void)insert(&t->slots, v, 1u << bank++);
        }
    }
    for (uint32_t k = 0, x = 0; k < lanes; k++) { /* x, each with its y */
        if (insert(&both, 1u << k, 0)) {
            (void)insert(&t->slots, 1u << k, 1u << bank);
            (void)insert(&t->slots, y[x++], 1u << bank | 1u << high++);
            bank++;
        }
    }
    for (uint32_t k = 0; k < t->size; k++) { /* z */
        if (insert(&t->slots, t->space.vector[k], 1u << high))
            high++;
    }
}

static uint32_t slot_of(const struct tiles *t, uint32_t v)
{
    uint32_t slot = 0;

    (void)reduce(&t->slots, v, &slot);
    return slot;
}

void cw_bits_tiles(const uint32_t *column, uint32_t bits, uint32_t start, uint32_t word,
                   struct plan_bits *out)
{
    struct tiles t = {.column = column, .bits = bits, .run = PLAN_RUN_BITS_OF(word)};

    memset(out, 0, sizeof *out);
    t.size = 2u * t.run;
    (void)cw_bits_invert(column, bits, t.inverse);
    choose_space(&t);
    choose_bases(&t);
    choose_slots(&t, word == 4 ? 5 : word == 8 ? 4 : 3);
    out->start = start;
    for (uint32_t k = 0; k < t.size; k++) {
        out->read_from[k] = t.read[k];
        out->read_slot[k] = slot_of(&t, t.read[k]);
        out->write_to[k] = cw_bits_apply(column, t.write[k]);
        out->write_slot[k] = slot_of(&t, t.write[k]);
    }
    for (uint32_t k = 0; k < bits; k++) { /* one of each coset: what completes V */
        if (insert(&t.space, 1u << k, 0)) {
            out->block_from[out->block_bits] = 1u << k;
            out->block_to[out->block_bits++] = cw_bits_apply(column, 1u << k);
        }
    }
}
