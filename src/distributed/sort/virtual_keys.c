/* virtual_keys.c - the inputs, as functions of rank and place. */
#include "distributed/sort/virtual_keys.h"

#include "inputs/random.h"

const char *cw_virtual_name(enum cw_virtual_input input)
{
    static const char *const names[] = {
#define TEXT(name, text) text,
        CW_VIRTUAL_INPUTS(TEXT)
#undef TEXT
    };

    return names[input];
}

/* Item `at` of n spread over the words, each at random within its stretch. */
static uint64_t spread(const struct cw_virtual_keys *k, uint64_t at)
{
    const uint64_t step = UINT64_MAX / k->n;
    const uint64_t drawn = cw_mixed(k->seed + cw_mixed(((uint64_t)k->rank << 40) + at));

    return at * step + cw_scaled(drawn, step);
}

/* How many of n - 1 - at can be halved: the value of half of the keys is 0, of a quarter 1 .. */
static uint64_t halvings(const struct cw_virtual_keys *k, uint64_t at)
{
    uint64_t value = 0;

    for (uint64_t rest = k->n - at; rest < k->n - k->n / 2; rest *= 2)
        value++;
    return value;
}

/* Ranks in groups of 64 own the words of 64 neighbouring shares; inside a group each rank has every
 * 64th stretch, about one splitter, so that all candidates of a splitter are on one rank. */
static uint64_t clustered(const struct cw_virtual_keys *k, uint64_t at)
{
    const uint64_t together = k->ranks < 64 ? k->ranks : 64;
    const uint64_t group = k->rank / together, in_group = k->rank % together;
    const uint64_t stretch = k->n / together ? k->n / together : 1;
    const uint64_t turn = at / stretch, rest = at % stretch;

    return ((group * together + turn) * together + in_group) * stretch + rest + k->n / 2;
}

static uint64_t word_of(const struct cw_virtual_keys *k, uint64_t at)
{
    const uint64_t n = k->n;

    switch (k->input) {
    case CW_VIRTUAL_EQUAL:
        return 7;
    case CW_VIRTUAL_SORTED:
        return k->rank * n + at;
    case CW_VIRTUAL_REVERSE:
        return (k->ranks - 1 - k->rank) * n + at;
    case CW_VIRTUAL_INTERLEAVED:
        return at * k->ranks + k->rank;
    case CW_VIRTUAL_POWER_LAW:
        return halvings(k, at);
    case CW_VIRTUAL_HEAVY:
        return at < n / 10 ? at : at < n - n / 10 ? n : n + at;
    case CW_VIRTUAL_BANDS:
        return k->rank % 2 ? spread(k, at) : at < n / 2 ? 0 : UINT64_MAX;
    case CW_VIRTUAL_CLUSTERED:
        return clustered(k, at);
    default:
        return spread(k, at);
    }
}

/* As 32 bits: keys that are spread over 64 lose the low ones, and clustered ones, which go up to a half
 * share beyond the number of keys, one. */
uint64_t cw_virtual_word(const struct cw_virtual_keys *k, uint64_t at)
{
    const uint64_t word = word_of(k, at);

    if (!k->narrow)
        return word;
    switch (k->input) {
    case CW_VIRTUAL_UNIFORM:
    case CW_VIRTUAL_BANDS:
        return word >> 32;
    case CW_VIRTUAL_CLUSTERED:
        return word >> 1;
    default:
        return word;
    }
}

static cw_status words(void *self, const uint64_t *at, size_t count, uint64_t *out)
{
    const struct cw_virtual_keys *const k = (const struct cw_virtual_keys *)self;

    for (size_t i = 0; i < count; i++)
        out[i] = cw_virtual_word(k, at[i]);
    return CW_OK;
}

static cw_status probe(void *self, struct cw_probe *probes, size_t count)
{
    const struct cw_virtual_keys *const k = (const struct cw_virtual_keys *)self;

    for (size_t i = 0; i < count; i++) {
        struct cw_probe *const p = &probes[i];

        while (p->lo < p->hi) {
            const uint64_t middle = p->lo + (p->hi - p->lo) / 2;
            const uint64_t word = cw_virtual_word(k, middle);

            if (word < p->word || (p->upper && word == p->word))
                p->lo = middle + 1;
            else
                p->hi = middle;
        }
    }
    return CW_OK;
}

struct cw_sorted cw_virtual_sorted(struct cw_virtual_keys *k)
{
    const struct cw_sorted s = {k->n, k->narrow ? UINT32_MAX : UINT64_MAX, k, words, probe};

    return s;
}
