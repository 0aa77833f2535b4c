/* boundaries.c - the first round of the search: samples that all ranks see, counted exactly.
 *
 * Every w-th item of each rank, from a random place on, is a boundary, of which all ranks see all.
 * Each rank counts its items before each of them, by binary search; each rank adds up what all
 * counted for its part of them, and tells all.  So the place of every boundary in the array of all
 * ranks is known, and each splitter lies between two neighbours.
 *
 * Items of which none is a boundary: t of them in a row have none with a chance of e^(-t / w) at
 * most, since t / w are expected and ranks draw independently.  So a splitter has at most 30 w
 * candidates on either side but for a chance of 2 e^-30, and 2 w on the average.  Nothing depends
 * on that but the number of rounds that follow.
 *
 * After sample sort's splitters (Frazer and McKellar, JACM 1970) and the counted probes of
 * Histogram Sort (Kale and Krishnan, ICPP 1993). */
#include "base/status.h"
#include "distributed/packed.h"
#include "distributed/sort/search.h"
#include "inputs/random.h"

struct first {
    struct cw_search *s;
    uint64_t spacing; /* w */
    uint64_t start, mine, all;
    uint64_t count; /* of the boundaries that this rank adds up */
    size_t bytes;   /* of `memory`, whose parts are: */
    void *memory;
    uint64_t *counts;        /* of boundaries, of each rank */
    struct cw_probe *probes; /* a boundary: its word, and in lo how many are before it here */
    uint64_t *sums;          /* .. and on all ranks */
    uint8_t *told, *heard;   /* packed */
    uint32_t *ranks;         /* whose each boundary is */
    void *room;
};

/* ---- who has how many ------------------------------------------------------------------------- */

/* Parts of one piece of memory, each on 8 bytes. */
static void *part(const struct first *f, size_t *at, uint64_t bytes)
{
    void *const here = f->memory ? (char *)f->memory + *at : NULL;

    *at += (bytes + 7u) / 8u * 8u;
    return here;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* `told`: words, then counts, then sums; `heard` the same of all ranks.  Runs of the merge are gone
 * when counts are heard. */
static size_t lay_out(struct first *f)
{
    const struct cw_search *const s = f->s;
    const uint64_t p = s->peers->ranks, wide = sizeof(uint64_t);
    size_t at = 0;

    f->probes = (struct cw_probe *)part(f, &at, f->all * sizeof *f->probes);
    f->sums = (uint64_t *)part(f, &at, larger(f->all, f->count) * wide);
    f->told = (uint8_t *)part(f, &at, larger(f->mine, f->all) * wide);
    f->heard = (uint8_t *)part(f, &at, larger(f->all * wide, f->count * p * s->place_bytes));
    f->ranks = (uint32_t *)part(f, &at, f->all * sizeof *f->ranks);
    f->room = part(f, &at, p * CW_MERGED_ROOM);
    return at;
}

/* `packed`: 8 bytes a rank. */
static cw_status tell_counts(struct first *f, unsigned width, uint8_t *packed)
{
    const uint8_t *from = packed;
    uint8_t mine[8];
    cw_status status;

    (void)cw_pack(mine, f->mine, width);
    status = cw_peers_allgather(f->s->peers, mine, packed, width);
    for (uint32_t r = 0; r < f->s->peers->ranks && !status; r++) {
        f->counts[r] = cw_unpack(&from, width);
        f->all += f->counts[r];
    }
    return status;
}

static cw_status count(struct first *f)
{
    struct cw_search *const s = f->s;
    const uint64_t n = s->sorted->n, p = s->peers->ranks;
    uint64_t most = n, first;
    cw_status status;

    f->counts = (uint64_t *)cw_peers_scratch(s->peers, 2 * p * sizeof *f->counts);
    status = cw_peers_agree_on(s->peers, f->counts ? CW_OK : CW_ERR_MEMORY, &most, 1);
    if (status)
        return status;
    s->place_bytes = cw_packed_bytes(most);
    f->spacing = cw_splitters_spacing(s->peers->ranks, s->total);
    f->start = cw_scaled(cw_mixed(cw_sample_seed(s->seed, s->peers->rank, 0, 0)), f->spacing);
    f->mine = n > f->start ? (n - f->start - 1) / f->spacing + 1 : 0;
    status = tell_counts(f, cw_packed_bytes(most / f->spacing + 1), (uint8_t *)(f->counts + p));
    cw_group_share(f->all, (uint32_t)p, s->peers->rank, &first, &f->count);
    return status;
}

/* ---- the boundaries, and what is before them --------------------------------------------------- */

static unsigned word_bytes(const struct first *f)
{
    return cw_packed_bytes(f->s->sorted->most);
}

static cw_status draw(struct first *f)
{
    const struct cw_sorted *const sorted = f->s->sorted;
    uint64_t *const at = f->sums; /* free until then */
    uint8_t *to = f->told;
    cw_status status = CW_OK;

    for (uint64_t x = 0; x < f->mine; x++)
        at[x] = f->start + x * f->spacing;
    if (f->mine)
        status = sorted->words(sorted->self, at, f->mine, at);
    for (uint64_t x = 0; x < f->mine && !status; x++)
        to = cw_pack(to, at[x], word_bytes(f));
    return status;
}

static cw_status hear(struct first *f)
{
    for (uint32_t r = 0; r < f->s->peers->ranks; r++)
        f->s->receive[r] = f->counts[r] * word_bytes(f);
    return cw_search_tell(f->s, f->told, f->heard);
}

/* Of equal words those of earlier ranks are first. */
static cw_status look_up(struct first *f)
{
    const struct cw_sorted *const sorted = f->s->sorted;
    const uint32_t rank = f->s->peers->rank;
    const struct cw_samples samples = {f->s->peers->ranks, word_bytes(f), 0, f->counts, f->heard};
    struct cw_merged m = cw_merged_open(&samples, f->room);

    for (uint64_t b = 0; m.left; b++, cw_merged_drop(&m)) {
        struct cw_probe *const probe = &f->probes[b];

        f->ranks[b] = m.runs->rank;
        probe->word = m.runs->word;
        probe->upper = rank < f->ranks[b];
        probe->lo = 0;
        probe->hi = sorted->n;
        if (f->ranks[b] == rank)
            probe->lo = probe->hi = f->start + cw_merged_number(&m) * f->spacing;
    }
    return sorted->probe(sorted->self, f->probes, f->all);
}

/* Rank k hears what all have before a share of them, and adds it up. */
static cw_status add_up(struct first *f)
{
    struct cw_search *const s = f->s;
    const uint8_t *from = f->heard;
    uint8_t *to = f->told;
    cw_status status;

    for (uint64_t b = 0; b < f->all; b++)
        to = cw_pack(to, f->probes[b].lo, s->place_bytes);
    for (uint32_t r = 0; r < s->peers->ranks; r++) {
        uint64_t first, count;

        cw_group_share(f->all, s->peers->ranks, r, &first, &count);
        s->send[r] = count * s->place_bytes;
        s->receive[r] = f->count * s->place_bytes;
    }
    status = cw_search_exchange(s, f->told, f->heard);
    for (uint64_t x = 0; x < f->count && !status; x++)
        f->sums[x] = 0;
    for (uint64_t x = 0; x < f->count * s->peers->ranks && !status; x++)
        f->sums[x % f->count] += cw_unpack(&from, s->place_bytes);
    return status;
}

static cw_status tell_sums(struct first *f)
{
    struct cw_search *const s = f->s;
    const unsigned wide = cw_packed_bytes(s->total);
    const uint8_t *from = f->heard;
    uint8_t *to = f->told;
    cw_status status;

    for (uint64_t x = 0; x < f->count; x++)
        to = cw_pack(to, f->sums[x], wide);
    for (uint32_t r = 0; r < s->peers->ranks; r++) {
        uint64_t first, count;

        cw_group_share(f->all, s->peers->ranks, r, &first, &count);
        s->receive[r] = count * wide;
    }
    status = cw_search_tell(s, f->told, f->heard);
    for (uint64_t b = 0; b < f->all && !status; b++)
        f->sums[b] = cw_unpack(&from, wide);
    return status;
}

/* ---- splitters between them -------------------------------------------------------------------- */

/* Boundaries before b - 1 are not behind the splitter. */
static void place(const struct first *f, uint32_t j, uint64_t b)
{
    const struct cw_search *const s = f->s;
    const uint64_t target = cw_search_target(s, j);
    struct cw_splitter *const x = &s->splitters[j];
    uint64_t from = 0, to = s->total;

    if (b) { /* the boundary itself is before the splitter, or the splitter */
        from = f->sums[b - 1] + 1;
        x->now.lo = f->probes[b - 1].lo + (f->ranks[b - 1] == s->peers->rank);
        x->now.low = f->probes[b - 1].word;
    }
    if (b < f->all) {
        to = f->sums[b];
        x->now.hi = f->probes[b].lo;
        x->now.high = f->probes[b].word;
    }
    x->candidates = to - from;
    if (target < from) {
        x->now.lo = x->now.hi = f->probes[b - 1].lo;
        x->found = 1;
    }
    x->before = x->now;
    x->candidates_before = x->candidates;
}

cw_status cw_boundaries(struct cw_search *s)
{
    const size_t counts = 2 * (size_t)s->peers->ranks * sizeof(uint64_t);
    struct first f = {.s = s};
    cw_status status = count(&f);

    if (!status) {
        f.bytes = lay_out(&f);
        f.memory = cw_peers_scratch(s->peers, f.bytes);
        (void)lay_out(&f);
        status = cw_peers_agree(s->peers, f.memory ? draw(&f) : CW_ERR_MEMORY);
    }
    if (!status)
        status = hear(&f);
    if (!status)
        status = cw_peers_agree(s->peers, look_up(&f));
    if (!status)
        status = add_up(&f);
    if (!status)
        status = tell_sums(&f);
    for (uint64_t j = 1, b = 0; j < s->peers->ranks && !status; j++) {
        while (b < f.all && f.sums[b] <= cw_search_target(s, (uint32_t)j))
            b++;
        if (!s->splitters[j].found)
            place(&f, (uint32_t)j, b);
    }
    cw_peers_scratch_free(s->peers, f.memory, f.bytes);
    cw_peers_scratch_free(s->peers, f.counts, counts);
    return status;
}
