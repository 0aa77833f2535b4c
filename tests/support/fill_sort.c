/* fill_sort.c - see fill_sort.h. */
#include "fill_sort.h"

#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "sort/sort.h"

#define TILES 1u /* ways to move of sort/radix/histogram.h */
#define NONE  3u

/* The seed of the sort's samples: with these, one of every 15 keys from the ninth on is sampled so seldom that no tree is
 * made for them. */
#define SAMPLES 0x9e3779b97f4a7c15u

static size_t bytes_of(const struct fill_sort *s)
{
    return cw_type_bytes(s->type);
}

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct fill_sort *const s = (struct fill_sort *)user;
    const struct radix_job *const j = (const struct radix_job *)l->arg;

    (void)e;
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_histogram_tree ||
        l->kernel == CW_KERNEL_cw_sort_radix_u64_histogram_tree) {
        s->tree = (int)j->tree->used;
        s->chunks = j->state->pass[0].chunks;
        for (uint32_t c = 0; s->tree && c < s->chunks; c++) {
            s->none += j->chunk_way[c] == NONE;
            s->tiles += j->chunk_way[c] == TILES;
        }
    }
    if (l->kernel != CW_KERNEL_cw_sort_radix_u32_write_out &&
        l->kernel != CW_KERNEL_cw_sort_radix_u64_write_out)
        return;
    s->launched = 1;
    for (uint32_t i = 0; i < j->state->write_outs && i < RADIX_WRITE_OUTS; i++) {
        const struct radix_write_out *const f = &j->write_outs[i];
        uint64_t sum = 0;

        for (uint32_t v = 0; v < f->values; v++)
            sum += j->counters[f->counter + v];
        assert_true(sum == f->len);
        if (!f->counted)
            s->at |= 1u << f->at;
        *(f->counted ? f->values > 1 ? &s->counted : &s->single : &s->narrow) += f->len;
    }
}

/* ---- a sort and its reference ---------------------------------------------------------------- */

int fill_sort_by_size(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return a < b ? -1 : a > b;
}

/* Keys as words in the order that is asked for. */
static void to_words(const struct fill_sort *s, const void *keys, uint64_t *words)
{
    const struct cw_key_map map = cw_key_map_of(s->type, s->flags, 0);

    for (size_t i = 0; i < s->n; i++) {
        uint64_t x = 0;

        memcpy(&x, (const char *)keys + i * bytes_of(s), bytes_of(s));
        words[i] = CW_KEY_TO_WORD(&map, x);
    }
}

/* The sorted words must be those of the input, sorted; with some of the bits, in the order of these. */
static void compare(const struct fill_sort *s, const void *in, const void *out)
{
    uint64_t *const want = (uint64_t *)malloc(s->n * 8), *const got = (uint64_t *)malloc(s->n * 8);

    assert_non_null(want);
    assert_non_null(got);
    to_words(s, in, want);
    to_words(s, out, got);
    if (s->bits) {
        const uint64_t mask = ((uint64_t)1 << s->bits) - 1u;

        for (size_t i = 1; i < s->n; i++)
            assert_true((got[i - 1] >> s->first_bit & mask) <= (got[i] >> s->first_bit & mask));
        qsort(got, s->n, 8, fill_sort_by_size);
    }
    qsort(want, s->n, 8, fill_sort_by_size);
    for (size_t i = 0; i < s->n; i++) {
        if (want[i] != got[i])
            fail_msg("%s, place %zu: %llx, not %llx (seed %llu)", cw_type_name(s->type), i,
                     (unsigned long long)got[i], (unsigned long long)want[i],
                     (unsigned long long)cw_test_seed());
    }
    free(want);
    free(got);
}

/* Sort s->keys, `shift` items off the alignment. */
void fill_sort_run(struct fill_sort *s)
{
    const size_t b = bytes_of(s), all = (s->n + s->shift) * b;
    char *const in = (char *)aligned_alloc(256, (all + 255) / 256 * 256);
    char *const to = (char *)aligned_alloc(256, (all + 255) / 256 * 256);
    char *const keep = (char *)malloc(all);
    cw_array job = {.type = s->type, .flags = s->flags, .n = s->n, .first_bit = s->first_bit};
    struct cw_emulated_queue q;
    void *workspace;
    size_t bytes;

    assert_true(in && to && keep);
    for (size_t i = 0; i < s->n; i++)
        memcpy(in + (s->shift + i) * b, &s->keys[i], b);
    memcpy(keep, in + s->shift * b, s->n * b);
    job.bits = s->bits ? s->bits : 8u * (unsigned)b;
    job.keys_in = in + s->shift * b;
    job.keys_out = (s->in_place ? in : to) + s->shift * b;
    bytes = cw_sort_bytes(&job, CW_SHAPES_TINY);
    workspace = aligned_alloc(256, (bytes + 255) / 256 * 256);
    assert_non_null(workspace);
    memset(workspace, 0xa5, bytes);
    cw_emulated_queue_begin(&q);
    q.queue.seed = SAMPLES;
    q.hook = look;
    q.user = s;
    cw_queue_buffer(&q.queue, job.keys_in, s->n * b, s->in_place);
    if (!s->in_place)
        cw_queue_buffer(&q.queue, job.keys_out, s->n * b, 1);
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    assert_int_equal(cw_sort_enqueue(&q.queue, &job, CW_SHAPES_TINY, workspace), CW_OK);
    compare(s, keep, job.keys_out);
    free(workspace);
    free(keep);
    free(to);
    free(in);
}

struct fill_sort fill_sort_begin(cw_type type, size_t n)
{
    struct fill_sort s = {.type = type, .n = n};

    s.keys = (uint64_t *)malloc(n * sizeof *s.keys);
    assert_non_null(s.keys);
    return s;
}
