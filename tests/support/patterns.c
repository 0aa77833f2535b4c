#include "patterns.h"

#include "test.h"

/* What a rule knows: the shape, the cell, a source of random words, and two random
 * numbers that stay the same over the whole matrix. */
struct cell {
    uint64_t w, m, n, r, c, place;
    uint64_t a, b;
    struct cw_random random;
};

static cw_word uniform(struct cell *p)
{
    return cw_random_next(&p->random);
}

static cw_word zero_one(struct cell *p)
{
    return cw_random_next(&p->random) % 64 >= p->a % 65;
}

static cw_word few(struct cell *p)
{
    return cw_random_next(&p->random) % (2 + p->a % 6);
}

/* The least and the greatest word there are: padding must not mix with them. */
static cw_word extremes(struct cell *p)
{
    return cw_random_next(&p->random) & 1 ? UINT64_MAX - p->a % 2 : p->b % 2;
}

static cw_word sorted(struct cell *p)
{
    return p->place;
}

static cw_word reverse(struct cell *p)
{
    return p->n - p->place;
}

static cw_word equal(struct cell *p)
{
    return p->a;
}

static cw_word organ(struct cell *p)
{
    return p->place < p->n / 2 ? 2 * p->place : 2 * (p->n - p->place) - 1;
}

/* Sorted but for a rotation. */
static cw_word rotated(struct cell *p)
{
    return (p->place + p->a) % p->n;
}

static cw_word one_row_of_zeros(struct cell *p)
{
    return p->r != p->a % p->w;
}

static cw_word one_column_of_zeros(struct cell *p)
{
    return p->c != p->a % p->m;
}

/* Zeros above a diagonal, which rises, or falls, as steeply as the matrix. */
static cw_word staircase(struct cell *p)
{
    const uint64_t c = p->b % 2 ? p->m - 1 - p->c : p->c;

    return p->r * p->m + c * p->w >= p->a % (2 * p->n + 1);
}

static cw_word columns_against(struct cell *p)
{
    return (p->w - p->r) * p->m + p->c;
}

static cw_word rows_against(struct cell *p)
{
    return p->r * p->m + (p->m - p->c);
}

static cw_word column_major(struct cell *p)
{
    return p->c * p->w + p->r;
}

/* One zero in each group of about sqrt(w) rows, and one row full of zeros. */
static cw_word one_zero_a_group(struct cell *p)
{
    uint64_t g = 1 + p->b % 4;

    while (g * g < p->w)
        g++;
    return p->r != p->a % p->w && !(p->r % g == 0 && p->c == 0);
}

/* Every row sorted, its number of zeros random: what is left after the first row sort. */
static cw_word zeros_a_row(struct cell *p)
{
    struct cw_random random = cw_random_from(p->a ^ p->r * 77);

    return p->c >= cw_random_below(&random, p->m + 1);
}

static cw_word zeros_a_column(struct cell *p)
{
    struct cw_random random = cw_random_from(p->a ^ p->c * 77);

    return p->r >= cw_random_below(&random, p->w + 1);
}

/* Marks with a period, of w or so: dealing them out to w rows does not mix them. */
static cw_word periodic(struct cell *p)
{
    const uint64_t period = p->b % 3 ? p->w + p->b % 3 - 1 : p->m;

    return p->place % period >= p->a % (period + 1);
}

/* Zeros in the even rows, ones in the odd ones, up to one row that is neither. */
static cw_word stripes(struct cell *p)
{
    return p->r == p->a % p->w ? p->c >= p->b % (p->m + 1) : p->r % 2;
}

static const struct {
    const char *name;
    cw_word (*rule)(struct cell *);
} rules[] = {
    {"uniform", uniform},
    {"zero-one", zero_one},
    {"few keys", few},
    {"reverse", reverse},
    {"zeros a row", zeros_a_row},
    {"staircase", staircase},
    {"columns against", columns_against},
    {"one zero a group", one_zero_a_group},
    {"extremes", extremes},
    {"zeros a column", zeros_a_column},
    {"organ", organ},
    {"sorted", sorted},
    {"equal", equal},
    {"rotated", rotated},
    {"one row of zeros", one_row_of_zeros},
    {"one column of zeros", one_column_of_zeros},
    {"rows against", rows_against},
    {"column-major", column_major},
    {"periodic", periodic},
    {"stripes", stripes},
};

const uint32_t cw_pattern_count = COUNT(rules);

const char *cw_pattern_name(uint32_t k)
{
    return rules[k].name;
}

void cw_pattern_fill(uint32_t k, uint32_t w, uint32_t m, uint64_t seed, cw_word *x)
{
    struct cell p = {.w = w, .m = m, .n = (uint64_t)w * m, .random = cw_random_from(seed)};

    p.a = cw_random_next(&p.random);
    p.b = cw_random_next(&p.random);
    for (p.place = 0; p.place < p.n; p.place++) {
        p.r = p.place / m;
        p.c = p.place % m;
        x[p.place] = rules[k].rule(&p);
    }
}

void cw_random_order(uint64_t n, uint64_t seed, cw_word *x)
{
    struct cw_random random = cw_random_from(seed);

    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = cw_random_below(&random, i + 1);

        if (j < i)
            x[i] = x[j];
        x[j] = i;
    }
}
