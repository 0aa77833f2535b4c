/* test_sort_last_rows.c - the last stage of a sort of 4-byte keys, on the emulator: rows of a list that keep to 2^16
 * values or not, two of which are sorted at a time (sort/radix/local_sort_keys.h). */
#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "sort/radix/job.h"
#include "sort/radix/table.h"
#include "test.h"

#define ROWS 17u
#define GAP  3u /* words between rows, which must be left alone */

struct list {
    uint32_t n; /* words of each buffer */
    uint32_t start[ROWS], len[ROWS], at[ROWS];
    uint32_t *in, *tmp, *out, *want;
    uint64_t entry[ROWS];
    uint64_t excess; /* wavefronts beyond the ideal */
};

static int by_size(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return a < b ? -1 : a > b;
}

static uint32_t *words(uint32_t n)
{
    uint32_t *const p = (uint32_t *)aligned_alloc(256, (4u * n + 255u) / 256u * 256u);

    assert_non_null(p);
    for (uint32_t i = 0; i < n; i++)
        p[i] = 0xdeadbeefu;
    return p;
}

/* A word of a row whose words lie in lo .. lo + last. */
static uint32_t draw(struct cw_random *r, uint32_t lo, uint32_t last)
{
    return lo + (uint32_t)(cw_random_next(r) % ((uint64_t)last + 1u));
}

/* Rows of up to 2^log items: one value, few, 2^16, one more, all; those of 2^16 and of one more have their ends. */
static void make(struct list *l, struct cw_random *r, const struct cw_key_map *map, unsigned log)
{
    static const uint32_t lasts[] = {0, 5, 0xffff, 0xffff, 0x10000, 0xffffffff, 0xffff, 999};

    l->n = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t most = 1u << log;

        l->len[i] = i % 5 == 0 ? most : 1u + (uint32_t)(cw_random_next(r) % most);
        l->len[i] = i % 11 == 7 ? 1u + i / 11 : l->len[i];
        l->start[i] = l->n;
        l->at[i] = (uint32_t)(cw_random_next(r) % 2 ? AT_TMP : AT_OUT);
        l->n += l->len[i] + GAP;
    }
    l->in = words(l->n);
    l->tmp = words(l->n);
    l->out = words(l->n);
    l->want = words(l->n);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t last = lasts[cw_random_next(r) % 8];
        const uint32_t end = (uint32_t)(cw_random_next(r) % 3);
        const uint32_t lo = end == 0   ? 0
                            : end == 1 ? 0xffffffffu - last
                                       : draw(r, 0, 0xffffffffu - last);
        uint32_t *const to = (l->at[i] == AT_TMP ? l->tmp : l->out) + l->start[i];

        for (uint32_t k = 0; k < l->len[i]; k++)
            l->want[l->start[i] + k] = draw(r, lo, last);
        l->want[l->start[i]] = lo;
        l->want[l->start[i] + l->len[i] - 1u] = lo + last;
        for (uint32_t k = 0; k < l->len[i]; k++) {
            const uint64_t flipped = CW_WORD_FLIPPED(map, (uint64_t)l->want[l->start[i] + k]);

            to[k] = (uint32_t)CW_FLIPPED_TO_KEY(map, flipped);
        }
        qsort(l->want + l->start[i], l->len[i], 4, by_size);
        l->entry[i] =
            (uint64_t)l->start[i] | (uint64_t)(l->len[i] - 1u) << 46 | (uint64_t)l->at[i] << 62;
    }
}

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct list *const list = (struct list *)user;
    struct cw_emu_place total;

    (void)l;
    cw_emu_total(e, &total);
    list->excess += total.wavefronts - total.ideal;
}

/* Sort the rows of the list by so many blocks. */
static void run(struct list *l, const struct cw_key_map *map, unsigned log, uint32_t blocks,
                int narrow)
{
    struct radix_state *const state = (struct radix_state *)calloc(1, sizeof *state);
    struct radix_job job;
    struct radix_table table;
    struct cw_emulated_queue q;

    assert_non_null(state);
    memset(&job, 0, sizeof job);
    memset(&table, 0, sizeof table);
    cw_sort_radix_u32_rows_tiny(&table);
    state->rows[0][0] = ROWS;
    job.state = state;
    job.in = l->in;
    job.tmp = l->tmp;
    job.out = l->out;
    job.map = *map;
    job.n = l->n;
    job.row_list[0] = l->entry;
    job.row_room[0] = ROWS;
    job.one = 1;
    cw_emulated_queue_begin(&q);
    q.hook = count;
    q.user = l;
    cw_queue_buffer(&q.queue, l->tmp, 4u * (size_t)l->n, 0);
    cw_queue_buffer(&q.queue, l->out, 4u * (size_t)l->n, 1);
    cw_queue_buffer(&q.queue, l->entry, sizeof l->entry, 0);
    cw_queue_buffer(&q.queue, state, sizeof *state, 1);
    {
        const struct radix_row_kernel *const k = &table.row[narrow][log - RADIX_ROW_FIRST];
        const struct cw_launch launch = {k->kernel, blocks, 1u << (log - 5u), k->shared, &job};

        assert_int_equal(q.queue.launch(&q.queue, &launch), CW_OK);
    }
    free(state);
}

static void check(const struct list *l, const struct cw_key_map *map)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t k = 0; k < l->len[i]; k++) {
            const uint32_t key = l->out[l->start[i] + k];

            if (CW_KEY_TO_WORD(map, (uint64_t)key) != l->want[l->start[i] + k])
                fail_msg("row %u of %u keys, place %u: %x (seed %llu)", i, l->len[i], k, key,
                         (unsigned long long)cw_test_seed());
        }
        for (uint32_t k = 0; k < GAP; k++)
            assert_int_equal(l->out[l->start[i] + l->len[i] + k], 0xdeadbeefu);
    }
}

static void rows_of_any_range_are_sorted(void **state)
{
    static const cw_type types[] = {CW_U32, CW_F32, CW_I32};
    struct cw_random r = cw_random_from(cw_test_seed() + 11);

    (void)state;
    for (unsigned log = 10; log <= 13; log++) {
        for (unsigned x = 0; x < (CW_SANITIZED ? 2u : 6u); x++) {
            const struct cw_key_map map = cw_key_map_of(types[x % 3], x >= 3, 0);
            const uint32_t blocks = x % 2 ? ROWS + 2u : 1u + x;
            struct list l;

            memset(&l, 0, sizeof l);
            make(&l, &r, &map, log);
            run(&l, &map, log, blocks, x != 4);
            check(&l, &map);
            assert_int_equal(l.excess, 0);
            free(l.in);
            free(l.tmp);
            free(l.out);
            free(l.want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_any_range_are_sorted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
