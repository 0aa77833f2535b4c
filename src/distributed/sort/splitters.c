/* splitters.c - the search: rounds of intervals, samples and pivots. */
#include "distributed/sort/splitters.h"

#include <string.h>

#include "base/status.h"
#include "distributed/sort/pivots.h"
#include "inputs/random.h"

#define LEAST_SAMPLES 8192u
#define ROUNDS        200u /* more means that the order of words is none */

uint64_t cw_splitters_samples(uint32_t ranks)
{
    return ranks > LEAST_SAMPLES / 8u ? 8u * (uint64_t)ranks : LEAST_SAMPLES;
}

/* One splitter, as this rank sees it: the candidates, and those of the round before. */
struct splitter {
    struct cw_interval now;
    uint64_t before_lo, before_hi;
    uint64_t candidates, candidates_before; /* of all ranks, about */
    int found;
};

struct search {
    struct cw_peers *peers;
    const struct cw_sorted *sorted;
    uint64_t total, seed, samples;
    uint32_t round;
    struct splitter *splitters;    /* a rank; that of rank 0 is none */
    struct cw_interval *intervals; /* sent, then received, for each rank */
    struct cw_interval *got;
    uint64_t *counts, *at, *got_counts, *got_at, *seeds;
    struct cw_pivots *pivots;
    struct cw_probe *probes;
    uint32_t *asked;
};

static uint64_t share_first(uint64_t total, uint32_t ranks, uint32_t rank)
{
    uint64_t first, count;

    cw_group_share(total, ranks, rank, &first, &count);
    return first;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The next piece; base NULL: only *at grows. */
static void *piece(char *base, size_t *at, size_t bytes)
{
    void *const here = base ? base + *at : NULL;

    *at += (bytes + 15u) / 16u * 16u;
    return here;
}

/* What a round needs until this rank has seen the samples, and what it needs after that, share
 * their place. */
static size_t lay_out(struct search *s, char *base)
{
    const size_t p = s->peers->ranks;
    size_t at = 0, both, end;

    s->splitters = (struct splitter *)piece(base, &at, p * sizeof *s->splitters);
    both = at;
    s->intervals = (struct cw_interval *)piece(base, &at, p * sizeof *s->intervals);
    s->got = (struct cw_interval *)piece(base, &at, p * sizeof *s->got);
    s->counts = (uint64_t *)piece(base, &at, 2 * p * sizeof(uint64_t)); /* and at */
    s->at = base ? s->counts + p : NULL;
    s->got_counts = (uint64_t *)piece(base, &at, p * sizeof(uint64_t));
    s->got_at = (uint64_t *)piece(base, &at, p * sizeof(uint64_t));
    s->seeds = (uint64_t *)piece(base, &at, p * sizeof(uint64_t));
    end = at;
    at = both;
    s->pivots = (struct cw_pivots *)piece(base, &at, p * sizeof *s->pivots);
    s->probes = (struct cw_probe *)piece(base, &at, 2 * p * sizeof *s->probes);
    s->asked = (uint32_t *)piece(base, &at, p * sizeof *s->asked);
    return at > end ? at : end;
}

/* ---- intervals and samples ------------------------------------------------------------------- */

static void begin(struct search *s)
{
    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        struct splitter *const x = &s->splitters[j];
        const uint64_t target = share_first(s->total, s->peers->ranks, j);

        memset(x, 0, sizeof *x);
        x->now.length = s->sorted->n;
        x->before_hi = s->sorted->n;
        x->candidates = x->candidates_before = s->total;
        x->found = !j || target == 0 || target == s->total;
        if (x->found)
            x->now.lo = target ? s->sorted->n : 0;
    }
}

static int all_found(const struct search *s)
{
    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        if (!s->splitters[j].found)
            return 0;
    }
    return 1;
}

/* Where rank r's samples for splitter j begin in this round. */
static uint64_t seed_of(const struct search *s, uint32_t r, uint32_t j)
{
    return cw_mixed(s->seed + ((uint64_t)r << 32 | j)) + s->round;
}

/* Bytes to and from each rank: samples for its splitter, and samples for this rank's. */
static void sizes(struct search *s, uint64_t *sent, uint64_t *received)
{
    const struct splitter *const mine = &s->splitters[s->peers->rank];

    *sent = *received = 0;
    for (uint32_t r = 0; r < s->peers->ranks; r++) {
        const struct splitter *const x = &s->splitters[r];

        s->counts[r] = x->found ? 0 : cw_sample_count(x->now.length, x->candidates, s->samples);
        s->got_counts[r] =
            mine->found ? 0 : cw_sample_count(s->got[r].length, mine->candidates, s->samples);
        s->seeds[r] = seed_of(s, r, s->peers->rank);
        s->at[r] = *sent;
        s->got_at[r] = *received;
        *sent += s->counts[r];
        *received += s->got_counts[r];
    }
}

static cw_status take_samples(struct search *s, uint64_t *at, uint64_t sent)
{
    uint64_t x = 0;

    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        const uint64_t seed = seed_of(s, s->peers->rank, j);

        for (uint64_t c = 0; c < s->counts[j]; c++)
            at[x++] = cw_sample_at(&s->splitters[j].now, s->counts[j], c, seed);
    }
    return sent ? s->sorted->words(s->sorted->self, at, sent, at) : CW_OK;
}

static cw_status send_samples(struct search *s, const uint64_t *send, uint64_t *recv)
{
    const uint64_t most = 4 * s->samples * s->peers->ranks * sizeof(uint64_t);
    const int small = most < (uint64_t)1 << 31;
    const cw_exchange x = {send, recv, s->counts, s->at, s->got_counts, s->got_at, 0, small, NULL};

    for (uint32_t r = 0; r < s->peers->ranks; r++) { /* in bytes, for the exchange */
        s->counts[r] *= sizeof(uint64_t);
        s->at[r] *= sizeof(uint64_t);
        s->got_counts[r] *= sizeof(uint64_t);
        s->got_at[r] *= sizeof(uint64_t);
    }
    return cw_peers_alltoallv(s->peers, &x, 1);
}

/* ---- this rank's splitter -------------------------------------------------------------------- */

static void choose(struct search *s, const uint64_t *words, uint64_t received, void *room,
                   struct cw_pivots *out)
{
    const struct splitter *const mine = &s->splitters[s->peers->rank];
    const struct cw_samples all = {s->peers->ranks, s->got, s->got_counts,
                                   s->seeds,        words,  received};

    memset(out, 0, sizeof *out);
    if (mine->found)
        return;
    for (uint32_t r = 0; r < s->peers->ranks; r++)
        s->got_counts[r] /= sizeof(uint64_t);
    cw_pivots_choose(&all, share_first(s->total, s->peers->ranks, s->peers->rank), room, out);
}

/* Samples of all ranks for this rank's splitter, and what they show of it. */
static cw_status look(struct search *s, struct cw_pivots *out)
{
    struct cw_peers *const p = s->peers;
    uint64_t sent, received, *send, *recv;
    void *room;
    cw_status status;

    sizes(s, &sent, &received);
    send = (uint64_t *)cw_peers_alloc(p, sent * sizeof *send);
    recv = (uint64_t *)cw_peers_alloc(p, received * sizeof *recv);
    room = cw_peers_alloc(p, p->ranks * CW_PIVOTS_ROOM);
    status = send && recv && room ? take_samples(s, send, sent) : CW_ERR_MEMORY;
    status = cw_peers_agree(p, status);
    if (!status)
        status = send_samples(s, send, recv);
    if (!status)
        choose(s, recv, received, room, out);
    cw_peers_free(p, room, p->ranks * CW_PIVOTS_ROOM);
    cw_peers_free(p, recv, received * sizeof *recv);
    cw_peers_free(p, send, sent * sizeof *send);
    return status;
}

/* ---- what all ranks make of it --------------------------------------------------------------- */

/* How many of this rank's items are before `place`, which lies in [lo, hi): a rank's equal keys are
 * before those of later ranks.  Known at once, or asked for. */
static uint32_t ask(const struct search *s, const struct cw_place *place, uint64_t lo, uint64_t hi,
                    struct cw_probe *probe)
{
    probe->word = place->word;
    probe->upper = s->peers->rank < place->rank;
    probe->lo = lo;
    probe->hi = hi;
    if (s->peers->rank == place->rank)
        probe->lo = probe->hi = place->at;
    return 1;
}

/* The probes that a splitter needs: at most two.  a is excluded, so its own rank begins behind
 * it. */
static uint32_t ask_both(const struct search *s, uint32_t j, struct cw_probe *probe)
{
    const struct cw_pivots *const v = &s->pivots[j];
    const struct cw_interval *const now = &s->splitters[j].now;
    const uint64_t hi = now->lo + now->length;
    uint32_t n = 0;

    if (v->outcome == CW_FOUND || (v->outcome == CW_NARROW && (v->has & 1u)))
        n += ask(s, &v->a, now->lo, hi, &probe[n]);
    if (v->outcome == CW_NARROW && (v->has & 2u))
        n += ask(s, &v->b, now->lo, hi, &probe[n]);
    return n;
}

static void found(struct splitter *x, uint64_t lo)
{
    x->now.lo = lo;
    x->now.length = 0;
    x->found = 1;
}

/* The interval that was thought to hold it does not: what the one before has below or above it
 * does. */
static void back(struct splitter *x, int below)
{
    const uint64_t hi = x->now.lo + x->now.length;

    if (below)
        x->before_hi = x->now.lo;
    else
        x->before_lo = hi;
    x->now.lo = x->before_lo;
    x->now.length = x->before_hi - x->before_lo;
    x->candidates = x->candidates_before;
}

static void take(const struct search *s, uint32_t j, const struct cw_probe *probe)
{
    const struct cw_pivots *const v = &s->pivots[j];
    struct splitter *const x = &s->splitters[j];
    uint64_t lo = x->now.lo, hi = lo + x->now.length;

    if (v->outcome == CW_FOUND) {
        found(x, probe->lo);
        return;
    }
    if (v->outcome != CW_NARROW) {
        back(x, v->outcome == CW_BELOW);
        return;
    }
    x->before_lo = lo;
    x->before_hi = hi;
    if (v->has & 1u)
        lo = probe++->lo + (v->a.rank == s->peers->rank);
    if (v->has & 2u)
        hi = probe->lo;
    x->now.lo = lo;
    x->now.length = hi - lo;
    x->candidates_before = x->candidates;
    x->candidates = v->candidates;
}

static cw_status narrow(struct search *s)
{
    const uint32_t ranks = s->peers->ranks;
    uint32_t n = 0;
    cw_status status;

    for (uint32_t j = 0; j < ranks; j++) {
        s->asked[j] = n;
        if (!s->splitters[j].found)
            n += ask_both(s, j, &s->probes[n]);
    }
    status = s->sorted->probe(s->sorted->self, s->probes, n);
    for (uint32_t j = 0; j < ranks && !status; j++) {
        if (!s->splitters[j].found)
            take(s, j, &s->probes[s->asked[j]]);
    }
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static cw_status one_round(struct search *s)
{
    struct cw_pivots mine;
    cw_status status;

    for (uint32_t j = 0; j < s->peers->ranks; j++)
        s->intervals[j] = s->splitters[j].now;
    status = cw_peers_alltoall(s->peers, s->intervals, s->got, sizeof *s->got, s->counts);
    if (!status)
        status = look(s, &mine);
    if (!status)
        status = cw_peers_allgather(s->peers, &mine, s->pivots, sizeof mine);
    if (!status)
        status = cw_peers_agree(s->peers, narrow(s));
    s->round++;
    return status;
}

cw_status cw_splitters_find(struct cw_peers *p, const struct cw_sorted *sorted, uint64_t total,
                            uint64_t seed, uint64_t *cuts)
{
    struct search s = {.peers = p, .sorted = sorted, .total = total, .seed = seed};
    const size_t bytes = lay_out(&s, NULL);
    char *const memory = (char *)cw_peers_alloc(p, bytes);
    cw_status status = cw_peers_agree(p, memory ? CW_OK : CW_ERR_MEMORY);

    if (!status) {
        (void)lay_out(&s, memory);
        s.samples = cw_splitters_samples(p->ranks);
        begin(&s);
        while (!status && !all_found(&s) && s.round < ROUNDS)
            status = one_round(&s);
        if (!status && !all_found(&s))
            status = cw_fail(CW_ERR_INTERNAL, "no splitters after %u rounds", s.round);
        for (uint32_t j = 0; j < p->ranks && !status; j++)
            cuts[j] = s.splitters[j].now.lo;
        cuts[p->ranks] = sorted->n;
        p->report->rounds = s.round;
    }
    cw_peers_free(p, memory, bytes);
    return status;
}
