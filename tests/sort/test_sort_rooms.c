/* test_sort_rooms.c - the radix sort's passes stay in the rooms that its workspace has for them (sort/radix/space.c), and
 * numbers of 4 and of 8 bytes say the same (sort/radix/counts.h).  Looked at on the emulator after every launch. */
#include <stdlib.h>
#include <string.h>

#include "array_case.h"
#include "backend/emulated/queue.h"
#include "sort/radix/job.h"
#include "sort/radix/plan.h"
#include "test.h"

enum { EVEN, CLUSTERS, EQUAL, TWO, POWER, NARROW, STEEP, FEW, NESTED, INPUTS };
enum { U32, U64, P32, P32_STABLE, SORTS };

struct seen {
    uint32_t wide, narrow; /* sorts with numbers of 8 bytes, of 4 */
    uint32_t few, denied;  /* passes with buckets of few values; those where some found no room */
    uint32_t longer;       /* buckets of fewer chunks than their length alone says */
    uint64_t counts, starts, tickets; /* the greatest share of these rooms, in thousandths */
    uint32_t rows, chunks;            /* on the list after a pass; of a bucket; at most */
    int poor;                         /* take the room for buckets of few values away */
    int alone;                        /* on one multiprocessor */
};

static void fill(uint64_t *keys, uint32_t n, int input, struct cw_random *r)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t x = cw_random_next(r);
        const uint32_t cluster = (uint32_t)(x >> 8) % 9u;

        keys[i] = input == EVEN       ? x >> 32
                  : input == CLUSTERS ? 0x18000000u * cluster + (x & 7u)
                  : input == EQUAL    ? 0x12345678u
                  : input == TWO      ? 0x12345678u + (x & 1u) * 0x01000000u
                  : input == POWER    ? (x >> 32) >> (x % 32u)
                  : input == NARROW   ? x & 0xfffffu
                  : input == FEW      ? x % 60u /* a bin for each */
                  : input == NESTED
                      ? 0x58000000u ^ (x >> (x % 1024u < 2u ? 32u + 6u * (x & 1u) : 44u))
                  : (x & 15u) ? (x >> 32) & 0xffffu
                              : x >> 32;
    }
}

static void larger(uint64_t *most, uint64_t used, uint64_t room)
{
    assert_true(used <= room);
    if (used * 1000u / room > *most)
        *most = used * 1000u / room;
}

static uint64_t between(const void *from, const void *to)
{
    return (uint64_t)((const char *)to - (const char *)from);
}

/* What pass p has been given. */
static void look_at(struct seen *s, const struct radix_job *j, uint32_t p)
{
    const struct radix_pass *const now = &j->state->pass[p];
    const void *const behind = j->ticket_list ? (const void *)j->ticket_list : j->medium;
    const uint64_t room = between(j->counts, behind) / (j->wide ? 8u : 4u);

    larger(&s->counts, now->counts, room);
    larger(&s->starts, now->bins, j->start_room);
    assert_true(now->chunks * 4ull <= between(j->chunk_way, j->crowded));
    s->few += now->few != 0;
    s->denied += now->few > j->few_room;
    for (uint32_t i = 0; i < now->buckets && i < j->most_buckets; i++) {
        const struct radix_bucket *const b = &j->buckets[p & 1u][i];

        assert_true(b->bin + b->bins <= (p ? now->bins : j->start_room));
        assert_true(b->count + b->chunks * b->bins <= (p ? now->counts : room));
        s->longer += p && b->chunks < b->len / (j->chunk / 4u);
        s->chunks = b->chunks > s->chunks ? b->chunks : s->chunks;
    }
}

static void look(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct seen *const s = (struct seen *)user;
    const struct radix_job *const j = (const struct radix_job *)l->arg;

    (void)e;
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_classify ||
        l->kernel == CW_KERNEL_cw_sort_radix_u64_classify ||
        l->kernel == CW_KERNEL_cw_sort_radix_p32_classify) {
        look_at(s, j, j->pass);
        look_at(s, j, j->pass + 1u);
        s->rows = j->state->rows[j->half][0] > s->rows ? j->state->rows[j->half][0] : s->rows;
        if (j->stable)
            larger(&s->tickets, j->state->pass[j->pass].tickets,
                   between(j->ticket_list, j->before) / sizeof(struct radix_ticket));
    }
    if (l->kernel == CW_KERNEL_cw_sort_radix_u32_begin ||
        l->kernel == CW_KERNEL_cw_sort_radix_u64_begin ||
        l->kernel == CW_KERNEL_cw_sort_radix_p32_begin) {
        if (s->poor)
            ((struct radix_job *)(uintptr_t)j)->few_room = 2u * j->few_bins;
        s->wide += j->wide;
        s->narrow += !j->wide;
    }
}

static void fill_table(struct radix_table *t, int sort)
{
    memset(t, 0, sizeof *t);
    if (sort == U32) {
        cw_sort_radix_u32_passes_tiny(t);
        cw_sort_radix_u32_rows_tiny(t);
    } else if (sort == U64) {
        cw_sort_radix_u64_passes_tiny(t);
        cw_sort_radix_u64_rows_tiny(t);
    } else {
        cw_sort_radix_p32_passes_tiny(t);
        cw_sort_radix_p32_rows_tiny(t);
        cw_sort_radix_p32_stable_kernels_tiny(t);
    }
}

static void enqueue(struct radix_task *task, const struct radix_table *table, struct seen *s)
{
    const size_t n = (size_t)task->n, bytes = (size_t)cw_radix_bytes(table, n);
    void *const workspace = aligned_alloc(256, bytes);
    struct cw_emulated_queue q;

    assert_non_null(workspace);
    cw_emulated_queue_begin(&q);
    q.hook = look;
    q.user = s;
    q.queue.seed = cw_test_seed();
    q.queue.processors = s->alone ? 1u : q.queue.processors;
    cw_queue_buffer(&q.queue, task->in, n * table->key_bytes, 0);
    cw_queue_buffer(&q.queue, task->out, n * table->key_bytes, 1);
    if (task->out_values) {
        cw_queue_buffer(&q.queue, task->in_values, n * 4u, 0);
        cw_queue_buffer(&q.queue, task->out_values, n * 4u, 1);
    }
    cw_queue_buffer(&q.queue, workspace, bytes, 1);
    if (cw_radix_enqueue(&q.queue, table, task, workspace))
        fail_msg("%s", cw_last_error());
    free(workspace);
}

static int less(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sort n keys of an input.  Values are places, so that pairs can be put into order for comparison. */
static void sorted(int sort, int input, uint32_t n, uint32_t huge_least, struct seen *s)
{
    struct cw_random r = cw_random_from(cw_test_seed() + (uint64_t)input);
    uint64_t *const keys = (uint64_t *)malloc(n * sizeof *keys);
    uint64_t *const out = (uint64_t *)malloc(n * sizeof *out);
    uint32_t *const short_keys = (uint32_t *)malloc(n * sizeof *short_keys);
    uint32_t *const values = (uint32_t *)malloc(2u * n * sizeof *values);
    struct radix_task task = {.n = n, .in = keys, .out = out, .map = cw_key_map_of(CW_U32, 0, 0)};
    struct radix_table table;

    assert_true(keys && out && short_keys && values);
    fill_table(&table, sort);
    table.huge_least = huge_least;
    fill(keys, n, input, &r);
    for (uint32_t i = 0; i < n; i++) {
        short_keys[i] = (uint32_t)keys[i];
        values[i] = i;
    }
    if (sort == U64)
        task.map = cw_key_map_of(CW_U64, 0, 0);
    else
        task.in = short_keys;
    if (sort >= P32) {
        task.in_values = values;
        task.out_values = values + n;
        task.stable = sort == P32_STABLE;
    }
    enqueue(&task, &table, s);
    for (uint32_t i = n; i-- > 0 && sort != U64;)
        out[i] = ((const uint32_t *)out)[i];
    for (uint32_t i = 0; i < n && sort >= P32; i++) {
        out[i] = out[i] << 32 | values[n + i];
        keys[i] = (uint64_t)short_keys[i] << 32 | i;
    }
    if (sort == P32)
        qsort(out, n, sizeof *out, less);
    qsort(keys, n, sizeof *keys, less);
    if (memcmp(keys, out, n * sizeof *keys))
        fail_msg("sort %d, input %d, n %u, seed %llu", sort, input, n,
                 (unsigned long long)cw_test_seed());
    free(values);
    free(short_keys);
    free(out);
    free(keys);
}

/* ---- claims --------------------------------------------------------------------------------- */

/* sort/radix/classify.h: of 60 bins of 250 items each, four by four fit into a row of 1024. */
static void neighbours_join_in_rows(void **state)
{
    struct seen s;

    (void)state;
    for (int sort = P32; sort <= P32_STABLE; sort++) {
        memset(&s, 0, sizeof s);
        sorted(sort, FEW, 15000, 6144, &s);
        assert_in_range(s.rows, 15000 / 1024, 2 * 15000 / 1024 + 1);
    }
}

/* Stable sorts cut a bucket of nearly all items into so many chunks that warps share the sums over them (radix/chunks.h). */
static void the_chunks_of_a_bucket_of_all_items_are_many(void **state)
{
    struct seen s;

    (void)state;
    memset(&s, 0, sizeof s);
    sorted(P32_STABLE, NESTED, 19001, 6144, &s);
    assert_in_range(s.chunks, 64, 70);
}

/* More rows than blocks, of one warp each: what a row has left in shared memory waits for all lanes. */
static void blocks_sort_one_narrow_row_after_another(void **state)
{
    struct seen s;

    (void)state;
    memset(&s, 0, sizeof s);
    s.alone = 1;
    sorted(P32, NARROW, 30000, 6144, &s);
}

static void passes_stay_in_their_rooms(void **state)
{
    struct seen s;

    (void)state;
    memset(&s, 0, sizeof s);
    for (int sort = 0; sort < SORTS; sort++) {
        for (int input = 0; input < INPUTS; input++) {
            s.poor = 0;
            sorted(sort, input, 15000, 6144, &s);
            s.poor = 1;
            sorted(sort, input, 16003, 600, &s); /* numbers of 8 bytes */
            if (input == CLUSTERS ||
                (!CW_FEW && input == EVEN)) /* lists are worked off after every pass */
                sorted(sort, input, 40000u + (uint32_t)sort, 600, &s);
        }
    }
    print_message(
        "%u sorts with numbers of 8 bytes, %u of 4; %u passes with few values, %u without room for "
        "all; "
        "%u buckets of longer chunks; rooms used to %llu, %llu, %llu in 1000; seed %llu\n",
        s.wide, s.narrow, s.few, s.denied, s.longer, (unsigned long long)s.counts,
        (unsigned long long)s.starts, (unsigned long long)s.tickets,
        (unsigned long long)cw_test_seed());
    assert_true(s.wide && s.narrow && s.few && s.denied && s.longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_join_in_rows),
        cmocka_unit_test(the_chunks_of_a_bucket_of_all_items_are_many),
        cmocka_unit_test(blocks_sort_one_narrow_row_after_another),
        cmocka_unit_test(passes_stay_in_their_rooms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
