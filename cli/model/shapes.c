/* shapes.c - which shapes an algorithm takes.
 *
 * The algorithm itself is asked, about every shape up to SIDE x SIDE; the first
 * rule below that says the same of all of them is its description.
 */
#include "list.h"

#include <string.h>

#define SIDE 40u

static int power(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

static int any(uint32_t w, uint32_t m)
{
    (void)w;
    (void)m;
    return 1;
}

static int wide(uint32_t w, uint32_t m)
{
    return w <= m;
}

static int tall(uint32_t w, uint32_t m)
{
    return w >= m;
}

static int taller(uint32_t w, uint32_t m)
{
    return w > m;
}

static int square(uint32_t w, uint32_t m)
{
    return w == m;
}

static int w_power(uint32_t w, uint32_t m)
{
    (void)m;
    return power(w);
}

static int both_powers(uint32_t w, uint32_t m)
{
    return power(w) && power(m);
}

static int tall_powers(uint32_t w, uint32_t m)
{
    return w >= m && both_powers(w, m);
}

static int n_power(uint32_t w, uint32_t m)
{
    return power(w * m);
}

static int root(uint32_t w, uint32_t m)
{
    return (uint64_t)w * w <= m;
}

static int half_root(uint32_t w, uint32_t m)
{
    return (uint64_t)w * ((w + 1) / 2) <= (uint64_t)m + 1;
}

static const struct {
    int (*takes)(uint32_t w, uint32_t m);
    const char *text;
} rules[] = {
    {any, "any shape"},
    {wide, "w <= m"},
    {tall, "w >= m"},
    {taller, "w > m"},
    {square, "w = m"},
    {w_power, "w a power of two"},
    {both_powers, "w and m powers of two"},
    {n_power, "n a power of two"},
    {tall_powers, "w >= m, powers of two"},
    {root, "w <= sqrt(m)"},
    {half_root, "w * ceil(w/2) <= m + 1"},
};

static int agrees(const struct cw_algorithm *alg, int (*takes)(uint32_t w, uint32_t m))
{
    struct cw_options opt;

    memset(&opt, 0, sizeof opt);
    cw_options_fill(&opt);
    for (uint32_t w = 1; w <= SIDE; w++) {
        for (uint32_t m = 1; m <= SIDE; m++) {
            if ((alg->check(w, m, &opt) == CW_OK) != takes(w, m))
                return 0;
        }
    }
    return 1;
}

const char *shapes_of(const struct cw_algorithm *alg)
{
    if (!alg->check)
        return "any shape";
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (agrees(alg, rules[i].takes))
            return rules[i].text;
    }
    return "some shapes";
}
