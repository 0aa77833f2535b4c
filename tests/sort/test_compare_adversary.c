/* test_compare_adversary.c - the comparison sort needs no seed: no keys make its buckets longer than it says.
 *
 * Its samples stand at places that everybody can foresee.  Still a bucket has at most (P - 1)(q - 1) + 2 q items more
 * than an even share, whatever the keys are (splitter_ranks.h has the proof): so there is nothing that an adversary
 * could gain by knowing them.  Here one tries.  He knows tiles, samples and splitters, and puts all keys between two
 * samples of a tile next to the first one or next to the second one, so that ranks are as far from what samples say as they
 * can be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "sort/sample_sort/job.h"
#include "test.h"

#define N     40000u
#define TILES 64u /* at most */

static struct {
    uint32_t tile, every; /* of the first cut */
    unsigned cuts;
    uint64_t more, most_more; /* items of its longest bucket above an even share; allowed */
} seen;

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    const struct sample_sort_job *const j = (const struct sample_sort_job *)l->arg;

    (void)user;
    (void)e;
    if (l->kernel != CW_KERNEL_cw_sample_sort_bucket_scan)
        return;
    for (uint32_t s = 0; s < *j->at.count; s++) {
        const uint64_t items = j->at.start[s + 1] - j->at.start[s], q = j->at.every;
        const uint64_t tiles = j->at.tiles[s + 1] - j->at.tiles[s];
        const uint32_t first = j->at.buckets[s], buckets = j->at.buckets[s + 1] - first;
        const uint64_t allowed = tiles ? (tiles - 1) * (q - 1) + 2 * q : 0;

        for (uint32_t b = first; b < first + buckets; b++) {
            const uint64_t length = j->next.start[b + 1] - j->next.start[b];
            const uint64_t even = items / buckets + 1, more = length > even ? length - even : 0;

            if (more > allowed)
                fail_msg("a bucket of %llu of %llu items, %u buckets, seed %llu",
                         (unsigned long long)length, (unsigned long long)items, buckets,
                         (unsigned long long)cw_test_seed());
            if (!seen.cuts && more > seen.more)
                seen.more = more;
        }
        if (!seen.cuts)
            seen.most_more = allowed;
    }
    if (!seen.cuts++) {
        seen.tile = 1u << j->log_tile;
        seen.every = j->at.every;
    }
}

static void sort_keys(const uint32_t *keys)
{
    static uint32_t out[N];
    const cw_array job = {
        .type = CW_U32, .flags = CW_CONFLICT_FREE, .n = N, .keys_in = keys, .keys_out = out};
    cw_context *context;
    void *workspace;
    size_t bytes;

    memset(&seen, 0, sizeof seen);
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    context->hook = look;
    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
    workspace = aligned_alloc(256, bytes / 256 * 256 + 256);
    assert_non_null(workspace);
    if (cw_sort(context, &job, workspace, bytes, NULL))
        fail_msg("%s", cw_last_error());
    for (uint32_t i = 1; i < N; i++)
        assert_true(out[i - 1] <= out[i]);
    free(workspace);
    cw_context_destroy(context);
}

/* The key of rank r in tile t: sample k is k * 2^16 + t * 2^10 + 512, and all after it and before the next one stand
 * next to it, or next to the next. */
static uint32_t crafted(uint32_t t, uint32_t r, uint32_t tile, uint32_t q, uint32_t period)
{
    const uint32_t place = tile == seen.tile ? t * 13u & (q - 1u) : q - 1u;
    const uint32_t k =
        (r + q - place) / q; /* samples up to this key, and 1 more if there is a part of a line */
    const uint32_t after = (r + q - place) % q;

    if (!after)
        return (k << 16) + (t << 10) + 512u;
    return k / period % 2u ? (k << 16) + (t << 10) + 512u + after
                           : ((k + 1u) << 16) + (t << 10) + 512u - q + after;
}

static void shuffle(uint32_t *keys, uint32_t n, struct cw_random *r)
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t at = (uint32_t)cw_random_below(r, i), x = keys[at];

        keys[at] = keys[i - 1];
        keys[i - 1] = x;
    }
}

static void known_samples_gain_nothing(void **state)
{
    static uint32_t keys[N];
    struct cw_random r = cw_random_from(cw_test_seed());
    uint64_t random, most = 0;

    (void)state;
    printf("seed %llu\n", (unsigned long long)cw_test_seed());
    for (uint32_t i = 0; i < N; i++)
        keys[i] = (uint32_t)cw_random_next(&r);
    sort_keys(keys);
    random = seen.more;
    assert_true(seen.cuts > 1 && N / seen.tile < TILES);
    for (uint32_t period = 1; period <= 16; period *= 2) {
        const uint32_t size = seen.tile, q = seen.every;

        for (uint32_t t = 0; t * size < N; t++) {
            const uint32_t n = N - t * size < size ? N - t * size : size;

            for (uint32_t i = 0; i < n; i++)
                keys[t * size + i] = crafted(t, i, n, q, period);
            shuffle(keys + t * size, n, &r);
        }
        sort_keys(keys);
        printf("period %u: %llu more than even, %llu allowed; random keys %llu\n", period,
               (unsigned long long)seen.more, (unsigned long long)seen.most_more,
               (unsigned long long)random);
        most = seen.more > most ? seen.more : most;
    }
    assert_true(most > 2 * random); /* he does know the source */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_samples_gain_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
