/* merge_body.h - the merge for one size of keys: WORD and MERGE are defined by who includes it. */

struct ends {
    const WORD *a, *b; /* the least that are left of the first and of the second run, */
    const WORD *c, *d; /* .. and the greatest */
    WORD *up, *down;
};

struct order {
    WORD flip, toggle, bias, mask, range;
    uint32_t bits, first;
    WORD minus, plus, low, high;
};

static inline WORD word_of(const struct order *o, WORD key)
{
    const WORD word = CW_KEY_TO_WORD(o, key);

    return (WORD)(CW_WORD_TO_RANK(o, word) >> o->first) & o->range;
}

/* y if `second` is 1, x if it is 0; by masks, as compilers like to make branches of it. */
static inline WORD chosen(WORD x, WORD y, uintptr_t second)
{
    return x ^ ((x ^ y) & ((WORD)0 - (WORD)second));
}

static inline void step(struct ends *e, WORD a, WORD b, WORD c, WORD d, int a_last, int c_first)
{
    const uintptr_t second = (uintptr_t)a_last, first = (uintptr_t)c_first;

    *e->up++ = chosen(a, b, second);
    *e->down-- = chosen(d, c, first);
    e->b += second;
    e->a += 1 - second;
    e->c -= first;
    e->d -= 1 - first;
}

static void plain_steps(struct ends *e, uint64_t steps)
{
    for (uint64_t k = 0; k < steps; k++) {
        const WORD a = *e->a, b = *e->b, c = *e->c, d = *e->d;

        step(e, a, b, c, d, b < a, d < c);
    }
}

static void mapped_steps(struct ends *e, uint64_t steps, const struct order *o)
{
    for (uint64_t k = 0; k < steps; k++) {
        const WORD a = *e->a, b = *e->b, c = *e->c, d = *e->d;

        step(e, a, b, c, d, word_of(o, b) < word_of(o, a), word_of(o, d) < word_of(o, c));
    }
}

/* x[0 .. n-1] and x[n .. n+m-1] to y. */
static void merge_two(const WORD *x, uint64_t n, uint64_t m, WORD *y, const struct order *o,
                      int plain)
{
    struct ends e = {x, x + n, x + n, x + n + m, y, y + n + m};

    while (n && m) {
        const uint64_t steps = n < m ? n : m;
        struct ends at = {e.a, e.b, e.c - 1, e.d - 1, e.up, e.down - 1};

        if (plain)
            plain_steps(&at, steps);
        else
            mapped_steps(&at, steps, o);
        e.a = at.a, e.b = at.b, e.c = at.c + 1, e.d = at.d + 1;
        e.up = at.up, e.down = at.down + 1;
        n = (uint64_t)(e.c - e.a);
        m = (uint64_t)(e.d - e.b);
    }
    memcpy(e.up, n ? e.a : e.b, (n + m) * sizeof *y);
}

/* Does each run begin where the one before it ends, or above?  Then they are merged already. */
static int in_order(const struct cw_merge *m, const WORD *x, const struct order *o)
{
    uint64_t at = 0;

    for (uint32_t r = 0; r < m->runs; r++) {
        if (at && m->lengths[r] && word_of(o, x[at]) < word_of(o, x[at - 1]))
            return 0;
        at += m->lengths[r];
    }
    return 1;
}

void MERGE(const struct cw_merge *m, WORD *from, WORD *to)
{
    const struct order o = {(WORD)m->map.flip, (WORD)m->map.toggle, (WORD)m->map.bias,
                            (WORD)m->map.mask, (WORD)m->range,      m->map.bits,
                            m->first,          (WORD)m->map.minus,  (WORD)m->map.plus,
                            (WORD)m->map.low,  (WORD)m->map.high};
    const int plain = m->map.plain && !m->first && m->range == m->map.mask;
    uint64_t lengths[CW_MERGE_RUNS] = {0}, all = 0;
    WORD *const last = to;
    uint32_t runs = m->runs;

    for (uint32_t r = 0; r < runs; r++)
        all += lengths[r] = m->lengths[r];
    if (in_order(m, from, &o))
        runs = 1;
    for (; runs > 1; runs = (runs + 1) / 2) {
        WORD *const other = from;
        uint64_t at = 0;

        for (uint32_t r = 0; r < runs; r += 2) {
            const uint64_t second = r + 1 < runs ? lengths[r + 1] : 0;

            merge_two(from + at, lengths[r], second, to + at, &o, plain);
            at += lengths[r] + second;
            lengths[r / 2] = lengths[r] + second;
        }
        from = to;
        to = other;
    }
    if (from != last)
        memcpy(last, from, all * sizeof *last);
}
