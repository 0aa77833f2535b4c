/* splitters.c - the search: boundaries, then rounds of intervals, samples and pivots. */
#include "distributed/sort/splitters.h"

#include <string.h>

#include "base/status.h"
#include "distributed/packed.h"
#include "distributed/sort/search.h"

#define ROUNDS 200u /* more means that the order of words is none */

uint64_t cw_search_target(const struct cw_search *s, uint32_t j)
{
    uint64_t first, count;

    cw_group_share(s->total, s->peers->ranks, j, &first, &count);
    return first;
}

/* ---- talk ------------------------------------------------------------------------------------- */

cw_status cw_search_exchange_lined(struct cw_search *s, const void *from, void *to, int small)
{
    const cw_exchange x = {from,          to, s->send, s->send_at, s->receive,
                           s->receive_at, 0,  small,   NULL};

    return cw_peers_alltoallv(s->peers, &x, 1);
}

void cw_search_line_up(struct cw_search *s)
{
    uint64_t sent = 0, received = 0;

    for (uint32_t r = 0; r < s->peers->ranks; r++) {
        s->send_at[r] = sent;
        s->receive_at[r] = received;
        sent += s->send[r];
        received += s->receive[r];
    }
}

cw_status cw_search_exchange(struct cw_search *s, const void *from, void *to)
{
    cw_search_line_up(s);
    return cw_search_exchange_lined(s, from, to, 1);
}

cw_status cw_search_tell(struct cw_search *s, const void *mine, void *all)
{
    for (uint32_t r = 0; r < s->peers->ranks; r++)
        s->send[r] = s->receive[s->peers->rank];
    cw_search_line_up(s);
    for (uint32_t r = 0; r < s->peers->ranks; r++)
        s->send_at[r] = 0;
    return cw_search_exchange_lined(s, mine, all, 1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The next piece; base NULL: only *at grows. */
static void *piece(char *base, size_t *at, size_t bytes)
{
    void *const here = base ? base + *at : NULL;

    *at += (bytes + 15u) / 16u * 16u;
    return here;
}

#define INTERVAL 16u /* bytes, at most: two numbers */

/* What a round needs until this rank has seen the samples, and what it needs after that, share
 * their place. */
static size_t lay_out(struct cw_round *x, char *base)
{
    struct cw_search *const s = x->s;
    const size_t p = s->peers->ranks;
    size_t at = 0, both, end;

    s->splitters = (struct cw_splitter *)piece(base, &at, p * sizeof *s->splitters);
    s->send = (uint64_t *)piece(base, &at, p * sizeof *s->send);
    s->send_at = (uint64_t *)piece(base, &at, p * sizeof *s->send_at);
    s->receive = (uint64_t *)piece(base, &at, p * sizeof *s->receive);
    s->receive_at = (uint64_t *)piece(base, &at, p * sizeof *s->receive_at);
    both = at;
    x->lengths = (uint64_t *)piece(base, &at, p * sizeof *x->lengths);
    x->counts = (uint64_t *)piece(base, &at, p * sizeof *x->counts);
    x->packed = (uint8_t *)piece(base, &at, p * INTERVAL);
    x->got = (uint8_t *)piece(base, &at, p * INTERVAL);
    end = at;
    at = both;
    x->answers = (uint8_t *)piece(base, &at, p * CW_ANSWER);
    x->probes = (struct cw_probe *)piece(base, &at, 2 * p * sizeof *x->probes);
    x->asked = (uint32_t *)piece(base, &at, p * sizeof *x->asked);
    return at > end ? at : end;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void begin(struct cw_search *s)
{
    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        const uint64_t target = cw_search_target(s, j);
        struct cw_splitter *const x = &s->splitters[j];

        memset(x, 0, sizeof *x);
        x->now.hi = s->sorted->n;
        x->now.high = s->sorted->most;
        x->candidates = s->total;
        x->found = !j || target == 0 || target == s->total;
        if (x->found)
            x->now.lo = target ? s->sorted->n : 0;
    }
}

/* Is there a splitter to look for?  What all ranks know of its words and candidates: how many bytes
 * they take. */
static int is_left(struct cw_round *x)
{
    const struct cw_search *const s = x->s;
    uint64_t words = 0, candidates = 0;
    int left = 0;

    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        const struct cw_splitter *const y = &s->splitters[j];

        if (y->found)
            continue;
        words |= y->now.high - y->now.low;
        candidates |= y->candidates;
        left = 1;
    }
    x->word = cw_packed_bytes(words);
    x->candidates = cw_packed_bytes(candidates);
    return left;
}

/* All agree on a status, and on how many candidates any rank has for a splitter. */
static cw_status settle(struct cw_search *s, cw_status mine)
{
    uint64_t most = 0;
    cw_status status;

    for (uint32_t j = 0; j < s->peers->ranks; j++)
        most = cw_splitter_length(&s->splitters[j]) > most ? cw_splitter_length(&s->splitters[j])
                                                           : most;
    status = cw_peers_agree_on(s->peers, mine, &most, 1);
    s->length_bytes = cw_packed_bytes(most);
    return status;
}

static cw_status one_round(struct cw_round *x)
{
    struct cw_search *const s = x->s;
    struct cw_pivots mine;
    cw_status status = cw_search_look(x, &mine);

    if (!status)
        status = cw_search_answer(x, &mine);
    if (!status)
        status = settle(s, cw_search_narrow(x));
    s->round++;
    return status;
}

static cw_status rounds(struct cw_round *x)
{
    struct cw_search *const s = x->s;
    cw_status status = CW_OK;

    begin(s);
    if (!is_left(x))
        return CW_OK;
    status = cw_boundaries(s);
    s->round = 1;
    if (!status)
        status = settle(s, CW_OK);
    while (!status && is_left(x) && s->round < ROUNDS)
        status = one_round(x);
    if (!status && is_left(x))
        status = cw_fail(CW_ERR_INTERNAL, "no splitters after %u rounds", s->round);
    return status;
}

cw_status cw_splitters_find(struct cw_peers *p, const struct cw_sorted *sorted, uint64_t total,
                            uint64_t seed, uint64_t *cuts)
{
    struct cw_search s = {.peers = p, .sorted = sorted, .total = total, .seed = seed};
    struct cw_round x = {.s = &s};
    const size_t bytes = lay_out(&x, NULL);
    char *const memory = (char *)cw_peers_scratch(p, bytes);
    cw_status status = cw_peers_agree(p, memory && cuts ? CW_OK : CW_ERR_MEMORY);

    if (!status) {
        (void)lay_out(&x, memory);
        s.samples = cw_splitters_samples(p->ranks, total);
        status = rounds(&x);
        for (uint32_t j = 0; j < p->ranks && !status; j++)
            cuts[j] = s.splitters[j].now.lo;
        cuts[p->ranks] = sorted->n;
        p->report->rounds = s.round;
    }
    cw_peers_scratch_free(p, memory, bytes);
    return status;
}
