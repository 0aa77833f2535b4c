#include "group_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/random.h"
#include "prim/key_map.h"

/* ---- inputs ----------------------------------------------------------------------------------- */

void group_case_lengths(uint64_t *state, uint32_t ranks, uint64_t most, uint64_t *lengths)
{
    const uint64_t kind = cw_drawn_below(state, 6);
    const uint64_t each = cw_drawn_below(state, most / ranks + 2);
    const uint32_t one = (uint32_t)cw_drawn_below(state, ranks);

    for (uint32_t r = 0; r < ranks; r++) {
        switch (kind) {
        case 0: /* one has all */
            lengths[r] = r == one ? each * ranks : 0;
            break;
        case 1: /* most have none, or very few */
            lengths[r] = cw_drawn_below(state, 4) ? cw_drawn_below(state, 3) : each;
            break;
        case 2:
        case 3:
            lengths[r] = cw_drawn_below(state, 2 * each + 2);
            break;
        default:
            lengths[r] = each;
        }
    }
}

size_t group_case_count(cw_context *context, uint64_t seed, uint32_t ranks, uint64_t n,
                        void **count, uint64_t *extra)
{
    const uint64_t drawn = cw_mixed(seed + 2);
    const size_t bytes = drawn % 4 ? 0 : drawn & 4 ? 4 : 8;

    *count = NULL;
    for (uint32_t r = 0; r < ranks; r++)
        extra[r] = bytes ? cw_mixed(drawn + r) % 50 : 0;
    if (!bytes)
        return 0;
    if (cw_memory_alloc(context, bytes, count) || cw_memory_write(context, *count, &n, bytes))
        return SIZE_MAX;
    return bytes;
}

uint64_t group_case_key(unsigned kind, uint64_t x, uint64_t all, uint32_t r, uint32_t ranks,
                        uint64_t seed)
{
    const uint64_t drawn = cw_mixed(seed + cw_mixed(x + 1));
    const uint64_t step = UINT64_MAX / (all + 1);

    switch (kind % GROUP_INPUTS) {
    case 0: /* all equal */
        return seed;
    case 1: /* sorted */
        return x * step;
    case 2: /* reverse */
        return (all - x) * step;
    case 3: /* a power law: half of the keys are 0, a quarter 1 .. */
        return drawn & 1 ? 0 : drawn & 2 ? step : drawn & 4 ? 2 * step : (drawn >> 60) * step;
    case 4: /* a few values */
        return (drawn >> 62) << 62;
    case 5: /* one heavy value in the middle */
        return drawn % 10 ? UINT64_C(1) << 63 : drawn;
    case 6: /* interleaved: neighbours in order are on different ranks */
        return (x * ranks + r) * (step / (ranks + 1) + 1);
    case 7: /* ranks hold ranges, the last one the least */
        return (uint64_t)(ranks - 1 - r) * (UINT64_MAX / ranks) + drawn / ranks / 2;
    default:
        return drawn;
    }
}

/* ---- sort ------------------------------------------------------------------------------------- */

struct sort_case {
    cw_array job;
    uint32_t ranks;
    unsigned input;
    uint64_t lengths[64], first[65];
    struct cw_key_map map;
};

struct oracle_item {
    uint64_t word, at; /* in the array of all ranks */
};

static int by_word(const void *x, const void *y)
{
    const struct oracle_item *const a = (const struct oracle_item *)x;
    const struct oracle_item *const b = (const struct oracle_item *)y;

    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static struct sort_case sort_case_of(uint64_t seed, uint32_t ranks, uint64_t most, int exact)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 8, 16};
    static const unsigned orders[] = {0, 0, 0, CW_TOTAL_ORDER, CW_NAN_FIRST, CW_NAN_GREATEST};
    struct sort_case c = {.ranks = ranks};
    uint64_t state = seed;

    c.job.type = (cw_type)cw_drawn_below(&state, CW_TYPE_COUNT);
    c.job.flags = (cw_drawn_below(&state, 3) ? 0 : CW_DESCENDING) |
                  (exact || cw_drawn_below(&state, 2) ? CW_STABLE : 0) |
                  orders[cw_drawn_below(&state, 6)] |
                  (cw_drawn_below(&state, 4) ? 0 : CW_CONFLICT_FREE);
    c.job.value_bytes = values[cw_drawn_below(&state, 7)];
    c.job.index_bytes = cw_drawn_below(&state, 3) ? 0 : 4u << cw_drawn_below(&state, 2);
    if (!cw_drawn_below(&state, 8)) {
        const unsigned all = 8u * (unsigned)cw_type_bytes(c.job.type);

        c.job.first_bit = (unsigned)cw_drawn_below(&state, all);
        c.job.bits = (unsigned)cw_drawn_below(&state, all - c.job.first_bit + 1);
        c.job.flags |= CW_STABLE;
    }
    c.input = (unsigned)cw_drawn_below(&state, GROUP_INPUTS);
    group_case_lengths(&state, ranks, most, c.lengths);
    for (uint32_t r = 0; r < ranks; r++)
        c.first[r + 1] = c.first[r] + c.lengths[r];
    c.map = cw_key_map_of_array(&c.job);
    return c;
}

/* The key's bits: the type's low ones, of a key that is spread over 64. */
static uint64_t key_of(const struct sort_case *c, uint64_t at, uint64_t seed)
{
    uint32_t r = 0;

    while (at >= c->first[r + 1])
        r++;
    return group_case_key(c->input, c->input == 6 ? at - c->first[r] : at, c->first[c->ranks], r,
                          c->ranks, seed) >>
           (64u - c->map.bits);
}

static uint64_t value_of(uint64_t at)
{
    return cw_mixed(at + 77);
}

static void put(void *to, uint64_t i, size_t bytes, uint64_t x)
{
    const uint64_t both[2] = {x, ~x};

    memcpy((char *)to + i * bytes, both, bytes);
}

static int same(const void *from, uint64_t i, size_t bytes, uint64_t x)
{
    const uint64_t both[2] = {x, ~x};

    return !memcmp((const char *)from + i * bytes, both, bytes);
}

static struct oracle_item *oracle_of(const struct sort_case *c, uint64_t seed)
{
    const uint64_t n = c->first[c->ranks];
    const unsigned bits = c->job.bits ? c->job.bits : c->map.bits - c->job.first_bit;
    struct oracle_item *const all =
        (struct oracle_item *)malloc(n * sizeof(struct oracle_item) + 1);

    for (uint64_t i = 0; i < n && all; i++) {
        const uint64_t key = key_of(c, i, seed), word = CW_KEY_TO_WORD(&c->map, key);

        all[i].word =
            CW_WORD_TO_RANK(&c->map, word) >> c->job.first_bit & UINT64_MAX >> (64 - bits);
        all[i].at = i;
    }
    if (all)
        qsort(all, n, sizeof *all, by_word);
    return all;
}

/* Arrays of one rank, in the context's memory, all with room for `room` items. */
struct arrays {
    void *keys, *keys_out, *values, *values_out, *index, *workspace, *count;
};

static int take(cw_context *context, size_t bytes, void **out)
{
    return bytes ? cw_memory_alloc(context, bytes, out) != CW_OK : 0;
}

static int fill(cw_context *context, const struct sort_case *c, uint32_t rank, uint64_t seed,
                const struct arrays *a)
{
    const size_t n = c->lengths[rank], k = cw_type_bytes(c->job.type), v = c->job.value_bytes;
    char *const keys = (char *)malloc(n * k + 1), *const values = (char *)malloc(n * v + 1);
    int wrong = !keys || !values;

    for (size_t i = 0; i < n && !wrong; i++) {
        put(keys, i, k, key_of(c, c->first[rank] + i, seed));
        if (v)
            put(values, i, v, value_of(c->first[rank] + i));
    }
    if (!wrong && n)
        wrong = cw_memory_write(context, a->keys, keys, n * k) != CW_OK ||
                (v && cw_memory_write(context, a->values, values, n * v) != CW_OK);
    free(keys);
    free(values);
    return wrong;
}

/* 0: array `from` holds what the oracle says. */
static int compare(cw_context *context, const struct oracle_item *want, uint64_t count,
                   const void *from, size_t bytes, const struct sort_case *c, int what,
                   uint64_t seed)
{
    char *const got = (char *)malloc(count * bytes + 1);
    int wrong = !got || (count && cw_memory_read(context, got, from, count * bytes) != CW_OK);

    for (uint64_t i = 0; i < count && !wrong; i++) {
        const uint64_t at = want[i].at;
        const uint64_t x = what == 0 ? key_of(c, at, seed) : what == 1 ? value_of(at) : at;

        if (!same(got, i, bytes, x)) {
            printf("item %llu of %llu: %s is wrong\n", (unsigned long long)i,
                   (unsigned long long)count,
                   what == 0   ? "the key"
                   : what == 1 ? "the value"
                               : "the index");
            wrong = 1;
        }
    }
    free(got);
    return wrong;
}

static int check_sort(cw_context *context, const struct sort_case *c, uint32_t rank, uint64_t seed,
                      const cw_array *job, const cw_group_report *report)
{
    struct oracle_item *const all = oracle_of(c, seed);
    uint64_t first, count;
    int wrong = !all;

    cw_group_share(c->first[c->ranks], c->ranks, rank, &first, &count);
    if (!wrong && c->first[c->ranks] && report->items_out != count)
        wrong = printf("%llu items came\n", (unsigned long long)report->items_out);
    if (!wrong && c->ranks == 1 && report->messages)
        wrong = printf("%llu messages to nobody\n", (unsigned long long)report->messages);
    if (!wrong && job->keys_out)
        wrong = compare(context, all + first, count, job->keys_out, cw_type_bytes(job->type), c, 0,
                        seed);
    if (!wrong && job->value_bytes)
        wrong = compare(context, all + first, count, job->values_out, job->value_bytes, c, 1, seed);
    if (!wrong && job->index_bytes)
        wrong = compare(context, all + first, count, job->index_out, job->index_bytes, c, 2, seed);
    free(all);
    return wrong;
}

static int take_arrays(cw_context *context, const struct sort_case *c, size_t room, size_t need,
                       int in_place, struct arrays *a)
{
    const size_t k = cw_type_bytes(c->job.type), v = c->job.value_bytes;
    int wrong = take(context, room * k, &a->keys) | take(context, room * v, &a->values) |
                take(context, room * c->job.index_bytes, &a->index) |
                take(context, need, &a->workspace);

    if (in_place) {
        a->keys_out = a->keys;
        a->values_out = a->values;
    } else {
        wrong |= take(context, room * k, &a->keys_out) | take(context, room * v, &a->values_out);
    }
    return wrong;
}

static void drop_arrays(cw_context *context, struct arrays *a)
{
    if (a->keys_out != a->keys)
        cw_memory_free(context, a->keys_out);
    if (a->values_out != a->values)
        cw_memory_free(context, a->values_out);
    cw_memory_free(context, a->keys);
    cw_memory_free(context, a->values);
    cw_memory_free(context, a->index);
    cw_memory_free(context, a->workspace);
    cw_memory_free(context, a->count);
}

/* The arrays, and a job of them, which may have more items than its count says. */
static int sort_job(const cw_group *group, cw_context *context, const struct sort_case *c,
                    uint64_t seed, struct arrays *a, cw_array *job, size_t *need)
{
    const uint64_t n = c->lengths[group->rank];
    const int in_place = (int)(cw_mixed(seed) & 1), alone = (int)(cw_mixed(seed + 1) % 3 == 0);
    uint64_t first, share, extra[64], all = c->first[c->ranks];
    size_t room;

    *job = c->job;
    job->count_bytes = group_case_count(context, seed, c->ranks, n, &a->count, extra);
    job->count = a->count;
    for (uint32_t r = 0; r < c->ranks; r++)
        all += extra[r];
    cw_group_share(all, c->ranks, group->rank, &first, &share);
    job->n = n + extra[group->rank];
    room = (share > job->n ? share : job->n) + 1;
    job->keys_out = alone && job->index_bytes ? NULL : (void *)1;
    if (job->count_bytes == SIZE_MAX ||
        cw_group_sort_workspace(context, job, all, c->ranks, need) != CW_OK ||
        take_arrays(context, c, room, *need, in_place, a) || fill(context, c, group->rank, seed, a))
        return 1;
    job->keys_in = a->keys;
    job->keys_out = job->keys_out ? a->keys_out : NULL;
    job->values_in = a->values;
    job->values_out = a->values_out;
    job->index_out = a->index;
    return 0;
}

int group_sort_case(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most)
{
    const int exact = cw_context_backend(context) != CW_CPU;
    struct sort_case c = sort_case_of(seed, group->ranks, most, exact);
    struct arrays a = {0};
    cw_group_report report;
    size_t need = 0;
    cw_array job;
    int wrong = sort_job(group, context, &c, seed, &a, &job, &need);

    if (wrong || cw_group_sort(group, context, &job, a.workspace, need, NULL, &report) != CW_OK)
        wrong = printf("cw_group_sort: %s\n", cw_last_error());
    else
        wrong = check_sort(context, &c, group->rank, seed, &job, &report);
    if (wrong)
        printf("rank %u of %u, seed %llu, %s, %llu items, flags %u, values %zu, index %zu, count "
               "%zu\n",
               group->rank, group->ranks, (unsigned long long)seed, cw_type_name(job.type),
               (unsigned long long)c.first[c.ranks], job.flags, job.value_bytes, job.index_bytes,
               job.count_bytes);
    drop_arrays(context, &a);
    return wrong != 0;
}
