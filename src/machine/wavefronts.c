#include "machine/wavefronts.h"

/* Of two neighbours both ask, and not for the same. */
static int neighbours_differ(const struct cw_request *r)
{
    for (uint32_t i = 0; i < CW_WARP; i += 2)
        if ((r->lanes >> i & 3) == 3 && r->at[i] != r->at[i + 1])
            return 1;
    return 0;
}

static uint32_t lanes_a_part(const struct cw_request *r)
{
    const uint32_t n = CW_WARP / (r->bytes / 4);

    return r->bytes == 4 || r->write || neighbours_differ(r) ? n : 2 * n;
}

/* Words that one bank must give, each once unless it is an atomic. */
struct bank {
    uint32_t count;
    uint32_t word[CW_WARP];
};

static void ask(struct bank *bank, uint32_t word, int again)
{
    for (uint32_t x = 0; x < bank->count && !again; x++)
        if (bank->word[x] == word)
            return;
    bank->word[bank->count++] = word;
}

/* What lanes first .. first + n - 1 take. */
static uint32_t part(const struct cw_request *r, uint32_t first, uint32_t n)
{
    struct bank banks[CW_BANKS];
    uint32_t most = 0;

    for (uint32_t b = 0; b < CW_BANKS; b++)
        banks[b].count = 0;
    for (uint32_t i = first; i < first + n; i++) {
        if (!(r->lanes >> i & 1))
            continue;
        for (uint32_t x = 0; x < r->bytes / 4; x++) {
            const uint32_t word = r->at[i] / 4 + x;
            struct bank *const bank = &banks[word % CW_BANKS];

            ask(bank, word, r->atomic);
            if (bank->count > most)
                most = bank->count;
        }
    }
    return most;
}

uint32_t cw_wavefronts(const struct cw_request *r, uint32_t *ideal)
{
    const uint32_t n = lanes_a_part(r);
    const uint32_t bytes = (uint32_t)__builtin_popcount(r->lanes) * r->bytes;
    const uint32_t full = (bytes + 4 * CW_BANKS - 1) / (4 * CW_BANKS);
    uint32_t sum = 0;

    for (uint32_t first = 0; first < CW_WARP; first += n)
        sum += part(r, first, n);
    *ideal = full < sum ? full : sum;
    return sum;
}
