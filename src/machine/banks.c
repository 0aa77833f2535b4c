#include "machine/banks.h"

#include <stddef.h>

const struct cw_bank_machine cw_bank_machines[] = {
    {"nvidia", 32, 32, 227 * 1024, 0, 1},
    {"amd", 64, 32, 64 * 1024, 1, 0},
    {"64-banks", 64, 64, 160 * 1024, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

/* Words of 4 bytes that a lane asks for. */
static uint32_t words_of(const struct cw_lanes_request *r)
{
    return r->bytes <= 4 ? 1 : r->bytes / 4;
}

/* Of two neighbours both ask, and not for the same. */
static int neighbours_differ(const struct cw_lanes_request *r, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i += 2)
        if ((r->lanes >> i & 3) == 3 && r->at[i] != r->at[i + 1])
            return 1;
    return 0;
}

uint32_t cw_bank_parts(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                       uint8_t *part)
{
    static const uint8_t crossed[] = {0, 1, 2, 3, 1, 0, 3, 2}; /* of four lanes each */
    const uint32_t most = m->banks / words_of(r) < m->lanes ? m->banks / words_of(r) : m->lanes;
    const int larger = m->pairs && words_of(r) > 1 && !r->write && !neighbours_differ(r, m->lanes);
    const uint32_t n = larger ? 2 * most : most;

    for (uint32_t i = 0; i < m->lanes; i++)
        part[i] =
            (uint8_t)(m->crossed && r->bytes == 16 && !r->write ? i / 32 * 4 + crossed[i % 32 / 4]
                                                                : i / n);
    return m->lanes / n;
}

/* Words that one bank must give in one part, each once. */
struct bank {
    uint32_t count;
    uint32_t word[CW_LANES_MAX];
};

static void ask(struct bank *bank, uint32_t word)
{
    for (uint32_t x = 0; x < bank->count; x++)
        if (bank->word[x] == word)
            return;
    bank->word[bank->count++] = word;
}

static uint32_t takes(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                      const uint8_t *part, uint32_t which)
{
    struct bank banks[CW_BANKS_MAX];
    uint32_t most = 0;

    for (uint32_t b = 0; b < m->banks; b++)
        banks[b].count = 0;
    for (uint32_t i = 0; i < m->lanes; i++) {
        if (!(r->lanes >> i & 1) || part[i] != which)
            continue;
        for (uint32_t x = 0; x < words_of(r); x++) {
            const uint32_t word = r->at[i] / 4 + x;
            struct bank *const bank = &banks[word % m->banks];

            ask(bank, word);
            if (bank->count > most)
                most = bank->count;
        }
    }
    return most;
}

uint32_t cw_bank_wavefronts(const struct cw_bank_machine *m, const struct cw_lanes_request *r,
                            uint32_t *ideal)
{
    const uint32_t bytes = (uint32_t)__builtin_popcountll(r->lanes) * 4 * words_of(r);
    const uint32_t full = (bytes + 4 * m->banks - 1) / (4 * m->banks);
    uint8_t part[CW_LANES_MAX];
    const uint32_t parts = cw_bank_parts(m, r, part);
    uint32_t sum = 0;

    for (uint32_t k = 0; k < parts; k++)
        sum += takes(m, r, part, k);
    *ideal = full < sum ? full : sum;
    return sum;
}
