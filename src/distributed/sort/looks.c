/* looks.c - of a round: intervals and samples, to the rank that looks for the splitter. */
#include <string.h>

#include "base/status.h"
#include "distributed/packed.h"
#include "distributed/sort/search.h"

/* ---- intervals and samples ------------------------------------------------------------------- */

static unsigned word_bytes(const struct cw_splitter *x)
{
    return cw_packed_bytes(x->now.high - x->now.low);
}

static uint64_t samples_for(const struct cw_search *s, const struct cw_splitter *x)
{
    return x->found ? 0 : cw_sample_count(cw_splitter_length(x), x->candidates, s->samples);
}

static uint64_t seed_of(const struct cw_search *s, uint32_t r, uint32_t j)
{
    return cw_sample_seed(s->seed, r, j, s->round);
}

/* All tell each rank how many of their items may be its splitter, and how many are before these. */
static cw_status tell_intervals(struct cw_round *x)
{
    struct cw_search *const s = x->s;
    const size_t each = s->place_bytes + s->length_bytes;
    const uint8_t *from = x->got;
    uint8_t *to = x->packed;
    cw_status status;

    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        const struct cw_splitter *const y = &s->splitters[j];

        s->send[j] = y->found ? 0 : each;
        s->receive[j] = cw_search_mine(s)->found ? 0 : each;
        if (!y->found)
            to = cw_pack(cw_pack(to, y->now.lo, s->place_bytes), cw_splitter_length(y),
                         s->length_bytes);
    }
    status = cw_search_exchange(s, x->packed, x->got);
    x->before = 0;
    for (uint32_t r = 0; r < s->peers->ranks && !status && !cw_search_mine(s)->found; r++) {
        x->before += cw_unpack(&from, s->place_bytes);
        x->lengths[r] = cw_unpack(&from, s->length_bytes);
    }
    return status;
}

/* Samples for each rank's splitter, of each rank for this one's; in words. */
static void sizes(struct cw_round *x, uint64_t *sent, uint64_t *received)
{
    struct cw_search *const s = x->s;
    const struct cw_splitter *const mine = cw_search_mine(s);

    *sent = *received = 0;
    for (uint32_t r = 0; r < s->peers->ranks; r++) {
        x->counts[r] =
            mine->found ? 0 : cw_sample_count(x->lengths[r], mine->candidates, s->samples);
        s->send[r] = samples_for(s, &s->splitters[r]) * word_bytes(&s->splitters[r]);
        s->receive[r] = x->counts[r] * word_bytes(mine);
        *sent += samples_for(s, &s->splitters[r]);
        *received += x->counts[r];
    }
    cw_search_line_up(s);
}

/* Packed where the places were: no word takes more than its place did. */
static cw_status take_samples(const struct cw_search *s, uint64_t *at, uint64_t sent)
{
    uint8_t *to = (uint8_t *)at;
    uint64_t x = 0;
    cw_status status = CW_OK;

    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        const struct cw_splitter *const y = &s->splitters[j];
        const uint64_t count = samples_for(s, y), seed = seed_of(s, s->peers->rank, j);

        for (uint64_t c = 0; c < count; c++)
            at[x++] = y->now.lo + cw_sample_at(cw_splitter_length(y), count, c, seed);
    }
    if (sent)
        status = s->sorted->words(s->sorted->self, at, sent, at);
    x = 0;
    for (uint32_t j = 0; j < s->peers->ranks && !status; j++) {
        const struct cw_splitter *const y = &s->splitters[j];

        for (uint64_t c = samples_for(s, y); c > 0; c--)
            to = cw_pack(to, at[x++] - y->now.low, word_bytes(y));
    }
    return status;
}

/* ---- this rank's splitter -------------------------------------------------------------------- */

static void choose(const struct cw_round *x, const uint8_t *words, void *room,
                   struct cw_pivots *out)
{
    const struct cw_search *const s = x->s;
    const struct cw_splitter *const mine = cw_search_mine(s);
    const struct cw_candidates all = {
        {s->peers->ranks, word_bytes(mine), mine->now.low, x->counts, words},
        x->lengths,
        x->before,
        mine->candidates,
        s->seed,
        s->peers->rank,
        s->round};

    memset(out, 0, sizeof *out);
    if (!mine->found)
        cw_pivots_choose(&all, cw_search_target(s, s->peers->rank), room, out);
}

/* Samples of all ranks for this rank's splitter, and what they show of it. */
cw_status cw_search_look(struct cw_round *x, struct cw_pivots *out)
{
    struct cw_search *const s = x->s;
    struct cw_peers *const p = s->peers;
    const size_t runs = cw_search_mine(s)->found ? 0 : p->ranks * CW_MERGED_ROOM;
    uint64_t sent, received, most, *send;
    uint8_t *recv;
    void *room;
    cw_status status = tell_intervals(x);

    memset(out, 0, sizeof *out);
    if (status)
        return status;
    sizes(x, &sent, &received);
    most = (sent > received ? sent : received) * sizeof *send;
    received *= word_bytes(cw_search_mine(s));
    send = (uint64_t *)cw_peers_scratch(p, sent * sizeof *send);
    recv = (uint8_t *)cw_peers_scratch(p, received);
    room = cw_peers_scratch(p, runs);
    status = send && recv && room ? take_samples(s, send, sent) : CW_ERR_MEMORY;
    status = cw_peers_agree_on(p, status, &most, 1);
    if (!status)
        status = cw_search_exchange_lined(s, send, recv, most < (uint64_t)1 << 31);
    if (!status)
        choose(x, recv, room, out);
    cw_peers_scratch_free(p, room, runs);
    cw_peers_scratch_free(p, recv, received);
    cw_peers_scratch_free(p, send, sent * sizeof *send);
    return status;
}
