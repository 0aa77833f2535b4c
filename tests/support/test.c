#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int cw_long_run(void)
{
    const char *s = getenv("CW_LONG");

    return s && *s && strcmp(s, "0");
}

int cw_quick_run(void)
{
    const char *s = getenv("CW_QUICK");

    return s && *s && strcmp(s, "0");
}

unsigned cw_test_cases(unsigned usual)
{
    const char *s = getenv("CW_CASES");
    const unsigned long cases = s ? strtoul(s, NULL, 10) : 0;

    return cases ? (unsigned)cases : usual;
}

uint64_t cw_test_seed(void)
{
    static uint64_t seed;
    const char *s = getenv("CW_SEED");

    if (!seed && s && *s)
        seed = strtoull(s, NULL, 0);
    if (!seed)
        seed = (uint64_t)time(NULL);
    return seed;
}

struct cw_random cw_random_from(uint64_t seed)
{
    const struct cw_random r = {seed};

    return r;
}

#define STEP UINT64_C(0x9e3779b97f4a7c15)

/* Steele, Lea and Flood's splitmix64: every seed is as good as any other. */
uint64_t cw_random_next(struct cw_random *r)
{
    uint64_t z = r->state += STEP;

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void cw_random_skip(struct cw_random *r, uint64_t count)
{
    r->state += count * STEP;
}

uint64_t cw_random_below(struct cw_random *r, uint64_t limit)
{
    return cw_random_next(r) % limit;
}
