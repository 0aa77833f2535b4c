/* verify_lookup.c - sorted keys that the kernels of ranks look into (src/distributed). */
#include <string.h>

#include "base/status.h"
#include "distributed/local.h"
#include "distributed/sort/runs.h"
#include "verify.h"

enum { KEYS, SCRATCH, ARRAYS };

#define N 1000u

/* Keys 0, 3, 6 ..: the word of key i is 3 i. */
static void put(void *keys, size_t i, size_t bytes)
{
    const uint64_t key = 3u * i % (bytes == 1 ? 256u : UINT64_MAX);

    memcpy((char *)keys + i * bytes, &key, bytes);
}

static const char *words_case(struct cw_local_keys *keys, cw_status *status)
{
    const struct cw_sorted sorted = cw_local_sorted(keys);
    uint64_t at[50];

    for (uint64_t i = 0; i < 50; i++)
        at[i] = i * 17u % keys->n;
    *status = sorted.words(sorted.self, at, 50, at);
    for (uint64_t i = 0; i < 50; i++) {
        if (at[i] != 3u * (i * 17u % keys->n))
            return "a word is wrong";
    }
    return NULL;
}

static const char *probes_case(struct cw_local_keys *keys, cw_status *status)
{
    const struct cw_sorted sorted = cw_local_sorted(keys);
    struct cw_probe probes[50];

    for (uint64_t i = 0; i < 50; i++) {
        const struct cw_probe p = {i, 0, keys->n, (int)(i & 1)};

        probes[i] = p;
    }
    *status = sorted.probe(sorted.self, probes, 50);
    for (uint64_t i = 0; i < 50; i++) {
        if (probes[i].lo != (i & 1 ? i / 3 + 1 : (i + 2) / 3))
            return "a search ends at the wrong place";
    }
    return NULL;
}

static const char *add_case(struct verify *v, struct verify_array *a, size_t bytes,
                            cw_status *status)
{
    *status = cw_local_add(v->context, NULL, a->there, N, bytes, 5);
    if (!*status)
        *status = cw_wait(v->context, NULL);
    if (!*status)
        *status = verify_fetch(v, a);
    for (size_t i = 0; i < N && !*status; i++) {
        const uint64_t want = 3u * i + 5;

        if (memcmp((char *)a->host + i * bytes, &want, bytes))
            return "a sum is wrong";
    }
    return NULL;
}

/* Three runs of i % 97, 5 and i / 2, merged by tiles of 64; values say which run a key is of. */
static const char *merge_case(struct verify *v, cw_type type, size_t value_bytes, cw_status *status)
{
    enum { IN, VALUES, CUTS, OUT, VALUES_OUT, SPACE, MERGED };
    static const uint64_t lengths[] = {97, 60, 300};
    const size_t bytes = cw_type_bytes(type), n = 457;
    const size_t sizes[MERGED] = {n * bytes, n * value_bytes, cw_runs_cuts_bytes(n, 3),
                                  n * bytes, n * value_bytes, 1 << 16};
    struct cw_runs r = {.runs = 3, .lengths = lengths, .type = type, .flags = CW_STABLE};
    struct verify_array a[MERGED];
    const char *wrong = NULL;

    memset(a, 0, sizeof a);
    for (int x = 0; x < MERGED && !*status; x++)
        *status = verify_array_make(v, &a[x], sizes[x] + 8, 0);
    for (size_t i = 0; i < n && !*status; i++) {
        const uint64_t run = i < 97 ? 0 : i < 157 ? 1 : 2;
        const uint64_t key = run == 0 ? i : run == 1 ? 5 : (i - 157) / 2;

        memcpy((char *)a[IN].host + i * bytes, &key, bytes);
        memcpy((char *)a[VALUES].host + i * value_bytes, &run, value_bytes);
    }
    for (int x = 0; x <= VALUES && !*status; x++)
        *status = verify_send(v, &a[x]);
    r.keys.context = v->context;
    r.keys.keys = a[IN].there;
    r.keys.bytes = bytes;
    r.keys.map = cw_key_map_of(type, 0, 0);
    r.keys.range = r.keys.map.mask;
    r.keys.n = n;
    r.keys.scratch = a[CUTS].there;
    r.keys_out = a[OUT].there;
    r.value_bytes = value_bytes;
    r.values = a[VALUES].there;
    r.values_out = a[VALUES_OUT].there;
    if (!*status)
        *status = cw_runs_merge(&r, a[SPACE].there, 1 << 16);
    if (!*status)
        *status = cw_wait(v->context, NULL);
    for (int x = OUT; x <= VALUES_OUT && !*status; x++)
        *status = verify_fetch(v, &a[x]);
    for (size_t i = 1; i < n && !*status && !wrong; i++) {
        uint64_t k[2] = {0, 0}, run[2] = {0, 0};

        for (int x = 0; x < 2; x++) {
            memcpy(&k[x], (char *)a[OUT].host + (i - 1 + (size_t)x) * bytes, bytes);
            memcpy(&run[x], (char *)a[VALUES_OUT].host + (i - 1 + (size_t)x) * value_bytes,
                   value_bytes);
        }
        if (k[0] > k[1] || (k[0] == k[1] && run[0] > run[1]))
            wrong = "runs are not merged in order";
    }
    for (int x = 0; x < MERGED; x++)
        verify_array_free(v, &a[x]);
    return wrong;
}

static void runs_case(struct verify *v, cw_type type, size_t value_bytes)
{
    const char *wrong;
    cw_status status = CW_OK;

    if (verify_skip(v, 6))
        return;
    verify_begin(v, "sorted runs of %s merged, values of %zu bytes", cw_type_name(type),
                 value_bytes);
    cw_runs_tile = 64;
    wrong = merge_case(v, type, value_bytes, &status);
    cw_runs_tile = 0;
    verify_end(v, status ? cw_last_error() : wrong);
}

static void lookup_case(struct verify *v, cw_type type)
{
    const size_t bytes = cw_type_bytes(type);
    struct cw_local_keys keys = {.context = v->context, .bytes = bytes};
    struct verify_array a[ARRAYS];
    const char *wrong = NULL;
    cw_status status;

    if (verify_skip(v, 2))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "lookups in sorted %s", cw_type_name(type));
    status = verify_array_make(v, &a[KEYS], N * bytes, 0);
    if (!status)
        status = verify_array_make(v, &a[SCRATCH], CW_LOCAL_SCRATCH, 0);
    for (size_t i = 0; i < N && !status; i++)
        put(a[KEYS].host, i, bytes);
    if (!status)
        status = verify_send(v, &a[KEYS]);
    keys.keys = a[KEYS].there;
    keys.scratch = a[SCRATCH].there;
    keys.map = cw_key_map_of(type, 0, 0);
    keys.range = keys.map.mask;
    keys.n = bytes == 1 ? 80 : N; /* those that are in order */
    if (!status)
        wrong = words_case(&keys, &status);
    if (!status && !wrong)
        wrong = probes_case(&keys, &status);
    if (!status && !wrong && bytes >= 4)
        wrong = add_case(v, &a[KEYS], bytes, &status);
    verify_end(v, status ? cw_last_error() : wrong);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &a[x]);
}

void verify_lookup(struct verify *v)
{
    if (v->only >= 0 && strncmp(cw_kernel_name((enum cw_kernel)v->only), "cw_lookup_", 10) != 0)
        return;
    lookup_case(v, CW_U8);
    lookup_case(v, CW_U16);
    lookup_case(v, CW_U32);
    lookup_case(v, CW_U64);
    runs_case(v, CW_U32, 1);
    runs_case(v, CW_U32, 4);
    runs_case(v, CW_U64, 2);
    runs_case(v, CW_U64, 8);
}
