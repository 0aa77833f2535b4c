#include "machine/wavefronts.h"

static uint32_t lanes_a_part(const struct cw_request *r)
{
    return CW_WARP / (r->bytes / 4);
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

/* Lanes first .. first + n - 1 ask for at most 32 words in all. */
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

uint32_t cw_wavefronts(const struct cw_request *r)
{
    const uint32_t n = lanes_a_part(r);
    uint32_t sum = 0;

    for (uint32_t first = 0; first < CW_WARP; first += n)
        sum += part(r, first, n);
    return sum;
}

uint32_t cw_wavefronts_ideal(const struct cw_request *r)
{
    const uint32_t n = lanes_a_part(r);
    const uint32_t mask = n == 32 ? UINT32_MAX : (1u << n) - 1;
    uint32_t sum = 0;

    for (uint32_t first = 0; first < CW_WARP; first += n)
        sum += (r->lanes >> first & mask) != 0;
    return sum;
}
