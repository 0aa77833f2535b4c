/* test_sort_large.c - cw_sort of arrays as long as it takes to meet every pass: on a GPU tens of
 * millions of keys, where skewed ones are split by a tree (sort/splitters/) and the comparison sort cuts
 * twice and three times; on the emulator tens of thousands.
 *
 * Keys are held against the host context's sort, which test_cpu_sort.c holds against qsort; values are
 * places, so that each tells which key it belongs to.  Threads make keys and look at places, in memory
 * that is kept from case to case.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_case.h"
#include "array_keys.h"
#include "case_memory.h"
#include "rows_case.h"

#include "base/threads.h"

#define CHUNK ((size_t)1 << 16) /* keys that a thread makes at a time */

static cw_context *context, *host;

static int open_contexts(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context) || cw_context_create(CW_CPU, &host)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

static int on_gpu(void)
{
    return rows_test_backend() == CW_CUDA && !cw_quick_run();
}

static void good(cw_status status)
{
    if (status)
        fail_msg("%s", cw_last_error());
}

/* ---- a case --------------------------------------------------------------------------------- */

/* On the host; each grows when a case needs more. */
enum side { IN, WANT, GOT, PLACES, SEEN, ROOM, SIDES };

static struct {
    void *at;
    size_t bytes;
} kept[SIDES];

static struct cw_team team; /* that makes and checks arrays */

static void *memory(enum side side, size_t bytes)
{
    const size_t all = (bytes / 256u + 1u) * 256u;

    if (all > kept[side].bytes) {
        free(kept[side].at);
        kept[side].at = aligned_alloc(256, all);
        kept[side].bytes = kept[side].at ? all : 0;
    }
    assert_non_null(kept[side].at);
    return kept[side].at;
}

static int close_contexts(void **state)
{
    (void)state;
    for (int side = 0; side < SIDES; side++)
        free(kept[side].at);
    cw_context_destroy(context);
    cw_context_destroy(host);
    cw_team_end(&team);
    return 0;
}

struct sides {
    unsigned char *in, *want, *got;
    uint32_t *places; /* that came out with the keys; NULL: keys alone */
    size_t key;
};

/* What its threads share. */
struct shared {
    const struct array_case *c;
    struct sides *s;
    atomic_uchar *seen;
    atomic_int wrong;
};

static void fill_some(void *user, size_t from, size_t end, unsigned thread)
{
    const struct shared *all = (const struct shared *)user;
    struct sides *const s = all->s;
    struct cw_random r = cw_random_from(all->c->seed);

    (void)thread;
    cw_random_skip(&r, from);
    for (size_t i = from; i < end; i++) {
        const uint64_t x = array_key(all->c, i, cw_random_next(&r));

        memcpy(s->in + i * s->key, &x, s->key);
        if (s->places)
            s->places[i] = (uint32_t)i;
    }
    memcpy(s->want + from * s->key, s->in + from * s->key, (end - from) * s->key);
}

static void fill(const struct array_case *c, struct sides *s)
{
    struct shared all = {c, s, NULL, 0};

    cw_team_run(&team, cw_team_threads(&team), c->n, CHUNK, fill_some, &all);
}

/* `want`, in place, by the host. */
static void sort_on_host(const struct array_case *c, struct sides *s)
{
    const cw_array job = {
        .type = c->type, .flags = c->flags, .n = c->n, .keys_in = s->want, .keys_out = s->want};
    size_t need;

    good(cw_sort_workspace(&job, &need));
    good(cw_sort(host, &job, memory(ROOM, need), need, NULL));
}

/* In place, in the memory of the context; then to `got` and `places`. */
static void sort_in_context(const struct array_case *c, struct sides *s)
{
    const size_t bytes = c->n * s->key;
    void *data = NULL, *values = NULL, *room = NULL;
    cw_array job = {.type = c->type, .flags = c->flags, .n = c->n};
    size_t need;

    good(case_memory_take(context, bytes, &data));
    good(cw_memory_write(context, data, s->in, bytes));
    job.keys_in = data;
    job.keys_out = data;
    if (s->places) {
        good(case_memory_take(context, 4 * c->n, &values));
        good(cw_memory_write(context, values, s->places, 4 * c->n));
        job.values_in = values;
        job.values_out = values;
        job.value_bytes = 4;
    }
    good(cw_sort_workspace(&job, &need));
    good(case_memory_take(context, need, &room));
    good(cw_sort(context, &job, room, need, NULL));
    good(cw_wait(context, NULL));
    good(cw_memory_read(context, s->got, data, bytes));
    if (s->places)
        good(cw_memory_read(context, s->places, values, 4 * c->n));
    case_memory_give(context, data);
    case_memory_give(context, values);
    case_memory_give(context, room);
}

enum wrong { RIGHT, LOST, STRAY, TURNED, KEYS };

static const char *const texts[] = {"", "a value is lost, or there twice",
                                    "a value is with another key", "equal keys have changed places",
                                    "keys are not as the host sorts them"};

static enum wrong place_is_wrong(const struct array_case *c, const struct sides *s,
                                 atomic_uchar *seen, size_t i)
{
    const size_t p = s->places[i];

    if (p >= c->n || atomic_exchange_explicit(&seen[p], 1, memory_order_relaxed))
        return LOST;
    if (memcmp(s->in + p * s->key, s->got + i * s->key, s->key) != 0)
        return STRAY;
    if (i && c->flags & CW_STABLE && s->places[i - 1] > p &&
        !memcmp(s->got + (i - 1) * s->key, s->got + i * s->key, s->key))
        return TURNED;
    return RIGHT;
}

static void check_some(void *user, size_t from, size_t end, unsigned thread)
{
    struct shared *all = (struct shared *)user;

    (void)thread;
    for (size_t i = from; i < end; i++) {
        const int now = (int)place_is_wrong(all->c, all->s, all->seen, i);
        int was = atomic_load(&all->wrong);

        while (now > was && !atomic_compare_exchange_weak(&all->wrong, &was, now))
            continue;
    }
}

/* Every place once, with its own key; if it is to be stable, rising among equals. */
static enum wrong check_places(const struct array_case *c, struct sides *s)
{
    struct shared all = {c, s, (atomic_uchar *)memory(SEEN, c->n), RIGHT};

    memset((void *)all.seen, 0, c->n);
    cw_team_run(&team, cw_team_threads(&team), c->n, CHUNK, check_some, &all);
    return (enum wrong)all.wrong;
}

static int fails(struct array_case c)
{
    const size_t key = cw_type_bytes(c.type);
    struct sides s = {.key = key};
    enum wrong wrong = RIGHT;

    s.in = (unsigned char *)memory(IN, c.n * key);
    s.want = (unsigned char *)memory(WANT, c.n * key);
    s.got = (unsigned char *)memory(GOT, c.n * key);
    s.places = c.value_bytes ? (uint32_t *)memory(PLACES, 4 * c.n) : NULL;
    fill(&c, &s);
    sort_on_host(&c, &s);
    sort_in_context(&c, &s);
    if (memcmp(s.want, s.got, c.n * key) != 0)
        wrong = KEYS;
    else if (s.places)
        wrong = check_places(&c, &s);
    if (wrong)
        print_message("%s: %s n %zu, flags %u, values %zu, pattern %d, seed %llu\n", texts[wrong],
                      cw_type_name(c.type), c.n, c.flags, c.value_bytes, (int)c.pattern,
                      (unsigned long long)c.seed);
    return wrong != RIGHT;
}

static struct array_case case_of(cw_type type, size_t n, int pattern, uint64_t salt)
{
    const struct array_case c = {.type = type,
                                 .n = n,
                                 .keys = 1,
                                 .pattern = (enum array_pattern)pattern,
                                 .seed = cw_test_seed() + salt};

    return c;
}

/* ---- claims --------------------------------------------------------------------------------- */

/* Long enough for a tree. */
static size_t many(void)
{
    return on_gpu()         ? ((size_t)1 << 25) + 12345
           : CW_FULL_SHAPES ? 52003
           : CW_SANITIZED   ? 12007
                            : 16411;
}

static void every_input_is_sorted(void **state)
{
    int failed = 0;

    (void)state;
    for (int p = 0; p < ARRAY_PATTERNS; p++) {
        failed += fails(case_of(CW_U32, many(), p, 100u + (unsigned)p));
        failed += fails(case_of(p % 2 ? CW_F64 : CW_U64, many(), p, 200u + (unsigned)p));
    }
    assert_int_equal(failed, 0);
}

static void pairs_of_every_input_are_sorted(void **state)
{
    int failed = 0;

    (void)state;
    for (int p = 0; p < ARRAY_PATTERNS; p++) {
        struct array_case c = case_of(p % 2 ? CW_I32 : CW_F32, many(), p, 300u + (unsigned)p);

        c.value_bytes = 4;
        failed += fails(c);
        c.flags = CW_STABLE;
        failed += fails(c);
    }
    assert_int_equal(failed, 0);
}

/* Where the number of passes changes, and what they are good for. */
static void every_length_is_sorted(void **state)
{
    static const size_t lengths[] = {(264u * 3980u) - 1u, 264u * 3981u, (1u << 22) + 1u,
                                     (1u << 24) + 3u,     (1u << 25),   70000033u};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths) && on_gpu(); x++) {
        struct array_case c = case_of(CW_U32, lengths[x], x % 2 ? ARRAY_ZIPF : ARRAY_RANDOM, x);

        failed += fails(c);
        c.type = CW_I64;
        failed += fails(c);
        c.type = CW_U32;
        c.value_bytes = 4;
        failed += fails(c);
    }
    assert_int_equal(failed, 0);
}

/* By comparisons, cut once, twice and three times. */
static void arrays_are_sorted_by_comparing(void **state)
{
    static const size_t lengths[] = {3900019u, 9000011u, 20000003u};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths) && on_gpu(); x++) {
        for (int p = (int)x; p < ARRAY_PATTERNS; p += 3) {
            struct array_case c = case_of(p % 2 ? CW_U64 : CW_U32, lengths[x], p, 400u + x);

            c.flags = CW_CONFLICT_FREE;
            failed += fails(c);
            c.type = CW_U32;
            c.value_bytes = 4;
            failed += fails(c);
        }
    }
    if (on_gpu()) {
        struct array_case c = case_of(CW_U32, 400000009u, ARRAY_RANDOM, 500);

        c.flags = CW_CONFLICT_FREE;
        failed += fails(c);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_is_sorted),
        cmocka_unit_test(pairs_of_every_input_are_sorted),
        cmocka_unit_test(every_length_is_sorted),
        cmocka_unit_test(arrays_are_sorted_by_comparing),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
