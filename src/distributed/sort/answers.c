/* answers.c - of a round: each rank says what it found of its splitter, and all narrow their intervals. */
#include "distributed/packed.h"
#include "distributed/sort/search.h"

/* ---- answers ---------------------------------------------------------------------------------- */

static uint8_t *pack_place(const struct cw_round *x, uint8_t *to, const struct cw_place *place,
                           uint64_t low)
{
    to = cw_pack(to, place->word - low, x->word);
    to = cw_pack(to, place->rank, cw_packed_bytes(x->s->peers->ranks - 1u));
    return cw_pack(to, place->at, x->s->length_bytes);
}

static void unpack_place(const struct cw_round *x, const uint8_t **from, uint64_t low,
                         struct cw_place *out)
{
    out->word = low + cw_unpack(from, x->word);
    out->rank = (uint32_t)cw_unpack(from, cw_packed_bytes(x->s->peers->ranks - 1u));
    out->at = cw_unpack(from, x->s->length_bytes);
}

cw_status cw_search_answer(struct cw_round *x, const struct cw_pivots *mine)
{
    struct cw_search *const s = x->s;
    const uint64_t low = cw_search_mine(s)->now.low;
    uint8_t packed[CW_ANSWER], *to = packed;

    to = cw_pack(to, mine->outcome | (uint64_t)mine->has << 4, 1);
    to = cw_pack(to, mine->candidates, x->candidates);
    to = pack_place(x, to, &mine->a, mine->has & 1u || mine->outcome == CW_FOUND ? low : 0);
    to = pack_place(x, to, &mine->b, mine->has & 2u ? low : 0);
    for (uint32_t r = 0; r < s->peers->ranks; r++)
        s->receive[r] = s->splitters[r].found ? 0 : (uint64_t)(to - packed);
    return cw_search_tell(s, packed, x->answers);
}

static struct cw_pivots answer_of(const struct cw_round *x, uint32_t j)
{
    const uint8_t *from = x->answers + x->s->receive_at[j];
    const uint64_t low = x->s->splitters[j].now.low, flags = cw_unpack(&from, 1);
    struct cw_pivots v = {.outcome = flags & 15u, .has = (uint32_t)(flags >> 4)};

    v.candidates = cw_unpack(&from, x->candidates);
    unpack_place(x, &from, low, &v.a);
    unpack_place(x, &from, low, &v.b);
    return v;
}

/* ---- what all ranks make of it --------------------------------------------------------------- */

/* How many of this rank's items are before `place`, which is one of the candidates: a rank's equal
 * keys are before those of later ranks.  Known at once, or asked for. */
static uint32_t ask(const struct cw_search *s, const struct cw_place *place,
                    const struct cw_interval *now, struct cw_probe *probe)
{
    probe->word = place->word;
    probe->upper = s->peers->rank < place->rank;
    probe->lo = now->lo;
    probe->hi = now->hi;
    if (s->peers->rank == place->rank)
        probe->lo = probe->hi = now->lo + place->at;
    return 1;
}

/* The probes that a splitter needs: at most two.  a is excluded, so its own rank begins behind
 * it. */
static uint32_t ask_both(const struct cw_round *x, uint32_t j, struct cw_probe *probe)
{
    const struct cw_pivots v = answer_of(x, j);
    const struct cw_interval *const now = &x->s->splitters[j].now;
    uint32_t n = 0;

    if (v.outcome == CW_FOUND || (v.outcome == CW_NARROW && (v.has & 1u)))
        n += ask(x->s, &v.a, now, &probe[n]);
    if (v.outcome == CW_NARROW && (v.has & 2u))
        n += ask(x->s, &v.b, now, &probe[n]);
    return n;
}

/* The interval that was thought to hold it does not: what the one before has below or above it
 * does. */
static void back(struct cw_splitter *x, int below)
{
    if (below) {
        x->before.hi = x->now.lo;
        x->before.high = x->now.low;
    } else {
        x->before.lo = x->now.hi;
        x->before.low = x->now.high;
    }
    x->now = x->before;
    x->candidates = x->candidates_before;
}

static void take(const struct cw_round *x, uint32_t j, const struct cw_probe *probe)
{
    const struct cw_pivots v = answer_of(x, j);
    struct cw_splitter *const y = &x->s->splitters[j];

    if (v.outcome == CW_FOUND) {
        y->now.lo = y->now.hi = probe->lo;
        y->found = 1;
        return;
    }
    if (v.outcome != CW_NARROW) {
        back(y, v.outcome == CW_BELOW);
        return;
    }
    y->before = y->now;
    if (v.has & 1u) {
        y->now.lo = probe++->lo + (v.a.rank == x->s->peers->rank);
        y->now.low = v.a.word;
    }
    if (v.has & 2u) {
        y->now.hi = probe->lo;
        y->now.high = v.b.word;
    }
    y->candidates_before = y->candidates;
    y->candidates = v.candidates;
}

cw_status cw_search_narrow(struct cw_round *x)
{
    struct cw_search *const s = x->s;
    uint32_t n = 0;
    cw_status status;

    for (uint32_t j = 0; j < s->peers->ranks; j++) {
        x->asked[j] = n;
        if (!s->splitters[j].found)
            n += ask_both(x, j, &x->probes[n]);
    }
    status = s->sorted->probe(s->sorted->self, x->probes, n);
    for (uint32_t j = 0; j < s->peers->ranks && !status; j++) {
        if (!s->splitters[j].found)
            take(x, j, &x->probes[x->asked[j]]);
    }
    return status;
}
