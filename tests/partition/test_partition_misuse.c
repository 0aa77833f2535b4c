/* test_partition_misuse.c - every misuse of cw_partition gets its status, and nothing is written. */
#include "clearway.h"

#define N 1000u

struct room {
    uint32_t keys_in[1024], keys_out[1024], index[1024], inverse[1024], cuts[64];
    uint64_t rows_in[1024], rows_out[1024], offsets[64], padded[64];
    unsigned char workspace[1 << 20];
};

#define MISUSE_JOB cw_partition_job
#include "misuse.h"

static cw_payload payload;

static void fill(struct fixture *f)
{
    cw_partition_job *const job = &f->job;

    for (uint32_t x = 0; x < N; x++)
        f->room->keys_in[x] = x % 37u;
    payload.in = f->room->rows_in;
    payload.out = f->room->rows_out;
    payload.bytes = 8;
    job->type = CW_U32;
    job->rule = CW_BY_LABEL;
    job->n = N;
    job->buckets = 40;
    job->keys_in = f->room->keys_in;
    job->keys_out = f->room->keys_out;
    job->payloads = &payload;
    job->payload_count = 1;
    job->offsets = f->room->offsets;
    job->padded = f->room->padded;
    job->pad_to = 16;
    job->index_out = f->room->index;
    job->inverse_out = f->room->inverse;
    job->index_bytes = 4;
    assert_int_equal(cw_partition_workspace(job, &f->need), CW_OK);
}

static cw_status call(struct fixture *f)
{
    return cw_partition(f->context, &f->job, f->room->workspace, f->need, NULL);
}

/* Refused, with a text, and nothing was touched. */
static void call_refused(struct fixture *f, cw_status want)
{
    refused(f, call(f), want, "");
    assert_true(cw_last_error()[0] != 0);
}

typedef void (*misuse)(struct fixture *f);

static void no_type(struct fixture *f)
{
    f->job.type = CW_TYPE_COUNT;
}
static void float_labels(struct fixture *f)
{
    f->job.type = CW_F32;
}
static void drop_by_hash(struct fixture *f)
{
    f->job.rule = CW_BY_HASH;
    f->job.flags = CW_DROP;
}
static void drop_from_all_buckets(struct fixture *f)
{
    f->job.buckets = CW_BUCKETS_MAX;
    f->job.flags = CW_DROP;
}
static void count_of_no_bytes(struct fixture *f)
{
    f->job.count = f->room->keys_in;
}
static void count_of_nothing(struct fixture *f)
{
    f->job.count_bytes = 8;
}
static void uneven_choices(struct fixture *f)
{
    f->job.choices = N - 1u;
}
static void blocks_of_no_places(struct fixture *f)
{
    f->job.block_buckets = f->room->keys_out;
    f->job.block_count = 1;
    f->job.pad_to = 0;
    f->job.padded = NULL;
}
static void blocks_nowhere(struct fixture *f)
{
    f->job.block_count = 1;
}
static void unknown_flag(struct fixture *f)
{
    f->job.flags = 1u << 20;
}
static void descending(struct fixture *f)
{
    f->job.flags = CW_DESCENDING;
}
static void no_buckets(struct fixture *f)
{
    f->job.buckets = 0;
}
static void too_many_buckets(struct fixture *f)
{
    f->job.buckets = CW_BUCKETS_MAX + 1u;
}
static void no_rule(struct fixture *f)
{
    f->job.rule = (cw_rule)9;
}
static void ragged_bits(struct fixture *f)
{
    f->job.rule = CW_BY_BITS;
}
static void huge(struct fixture *f)
{
    f->job.n = SIZE_MAX / 32u;
}
static void odd_index(struct fixture *f)
{
    f->job.index_bytes = 2;
}
static void index_of_no_bytes(struct fixture *f)
{
    f->job.index_bytes = 0;
}
static void pad_to_nothing(struct fixture *f)
{
    f->job.pad_to = 0;
}
static void pad_to_all(struct fixture *f)
{
    f->job.pad_to = SIZE_MAX;
}
static void blocks_behind_2_64(struct fixture *f)
{
    static uint32_t blocks[1u << 18];

    f->job.block_buckets = blocks;
    f->job.pad_to = SIZE_MAX / 2u / CW_BUCKETS_MAX;
    f->job.block_count = SIZE_MAX / f->job.pad_to + 1u;
}
static void no_keys(struct fixture *f)
{
    f->job.keys_in = NULL;
}
static void no_payloads(struct fixture *f)
{
    f->job.payloads = NULL;
}
static void rows_of_nothing(struct fixture *f)
{
    (void)f;
    payload.bytes = 0;
}
static void rows_too_wide(struct fixture *f)
{
    (void)f;
    payload.bytes = SIZE_MAX / 100u;
}
static void rows_from_nowhere(struct fixture *f)
{
    (void)f;
    payload.in = NULL;
}
static void rows_to_nowhere(struct fixture *f)
{
    (void)f;
    payload.out = NULL;
}
static void odd_keys(struct fixture *f)
{
    f->job.keys_in = (char *)f->room->keys_in + 1;
}
static void odd_offsets(struct fixture *f)
{
    f->job.offsets = (uint64_t *)((char *)f->room->offsets + 4);
}

static void bits_too_high(struct fixture *f)
{
    f->job.rule = CW_BY_BITS;
    f->job.buckets = 32;
    f->job.first_bit = 28;
}

static void even_multiplier(struct fixture *f)
{
    f->job.rule = CW_BY_HASH;
    f->job.multiplier = 6;
}

static void no_splitters(struct fixture *f)
{
    f->job.rule = CW_BY_SPLITTER;
}

static void nothing_to_write(struct fixture *f)
{
    f->job.keys_out = NULL;
    f->job.payload_count = 0;
    f->job.offsets = f->job.padded = NULL;
    f->job.index_out = f->job.inverse_out = NULL;
    f->job.index_bytes = 0;
}

static const struct {
    misuse make;
    cw_status status;
} list[] = {
    {no_type, CW_ERR_TYPE},
    {float_labels, CW_ERR_TYPE},
    {drop_by_hash, CW_ERR_ARGUMENT},
    {drop_from_all_buckets, CW_ERR_ARGUMENT},
    {count_of_no_bytes, CW_ERR_ARGUMENT},
    {count_of_nothing, CW_ERR_ARGUMENT},
    {uneven_choices, CW_ERR_ARGUMENT},
    {blocks_of_no_places, CW_ERR_ARGUMENT},
    {blocks_nowhere, CW_ERR_ARGUMENT},
    {unknown_flag, CW_ERR_ARGUMENT},
    {descending, CW_ERR_ARGUMENT},
    {no_buckets, CW_ERR_ARGUMENT},
    {too_many_buckets, CW_ERR_ARGUMENT},
    {no_rule, CW_ERR_ARGUMENT},
    {ragged_bits, CW_ERR_ARGUMENT},
    {bits_too_high, CW_ERR_ARGUMENT},
    {even_multiplier, CW_ERR_ARGUMENT},
    {no_splitters, CW_ERR_ARGUMENT},
    {huge, CW_ERR_ARGUMENT},
    {odd_index, CW_ERR_ARGUMENT},
    {index_of_no_bytes, CW_ERR_ARGUMENT},
    {pad_to_nothing, CW_ERR_ARGUMENT},
    {pad_to_all, CW_ERR_ARGUMENT},
    {blocks_behind_2_64, CW_ERR_ARGUMENT},
    {no_keys, CW_ERR_ARGUMENT},
    {no_payloads, CW_ERR_ARGUMENT},
    {rows_of_nothing, CW_ERR_ARGUMENT},
    {rows_too_wide, CW_ERR_ARGUMENT},
    {rows_from_nowhere, CW_ERR_ARGUMENT},
    {rows_to_nowhere, CW_ERR_ARGUMENT},
    {odd_keys, CW_ERR_ARGUMENT},
    {odd_offsets, CW_ERR_ARGUMENT},
    {nothing_to_write, CW_ERR_ARGUMENT},
};

/* ---- claims --------------------------------------------------------------------------------- */

static void the_fixture_is_good(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        assert_int_equal(call(&f), CW_OK);
        end(&f);
    }
}

static void every_misuse_has_its_status(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        for (size_t x = 0; x < COUNT(list); x++) {
            struct fixture f;

            begin(&f, backends[b]);
            list[x].make(&f);
            call_refused(&f, list[x].status);
            end(&f);
        }
    }
}

static void overlaps_are_refused(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        for (int x = 0; x < 6; x++) {
            const cw_partition_job good = f.job;
            const cw_payload rows = payload;

            if (x == 0)
                f.job.keys_out = f.room->keys_in;
            if (x == 1)
                payload.out = f.room->rows_in;
            if (x == 2)
                f.job.index_out = f.room->keys_in + 4;
            if (x == 3)
                f.job.inverse_out = f.room->index;
            if (x == 4)
                f.job.offsets = f.room->padded;
            if (x == 5)
                f.job.keys_out = f.room->workspace;
            call_refused(&f, CW_ERR_OVERLAP);
            f.job = good;
            payload = rows;
        }
        end(&f);
    }
}

static void workspace_must_be_there(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        assert_int_equal(cw_partition(f.context, &f.job, NULL, f.need, NULL), CW_ERR_WORKSPACE);
        assert_int_equal(cw_partition(f.context, &f.job, f.room->workspace, 8, NULL),
                         CW_ERR_WORKSPACE);
        assert_int_equal(cw_partition(f.context, &f.job, f.room->workspace + 8, f.need, NULL),
                         CW_ERR_WORKSPACE);
        assert_memory_equal(f.room, f.before, sizeof *f.room);
        end(&f);
    }
}

static void nulls_are_refused(void **state)
{
    struct fixture f;
    size_t bytes;

    (void)state;
    begin(&f, CW_EMULATOR);
    assert_int_equal(cw_partition(NULL, &f.job, f.room->workspace, f.need, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_partition(f.context, NULL, f.room->workspace, f.need, NULL),
                     CW_ERR_ARGUMENT);
    assert_int_equal(cw_partition_workspace(NULL, &bytes), CW_ERR_ARGUMENT);
    assert_int_equal(cw_partition_workspace(&f.job, NULL), CW_ERR_ARGUMENT);
    end(&f);
}

/* Nothing to move is fine, and says so. */
static void no_items_make_empty_buckets(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++) {
        struct fixture f;

        begin(&f, backends[b]);
        f.job.n = 0;
        f.job.keys_in = NULL;
        assert_int_equal(cw_partition(f.context, &f.job, NULL, 0, NULL), CW_OK);
        for (uint32_t x = 0; x <= f.job.buckets; x++) {
            assert_int_equal(f.room->offsets[x], 0);
            assert_int_equal(f.room->padded[x], 0);
        }
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fixture_is_good),  cmocka_unit_test(every_misuse_has_its_status),
        cmocka_unit_test(overlaps_are_refused), cmocka_unit_test(workspace_must_be_there),
        cmocka_unit_test(nulls_are_refused),    cmocka_unit_test(no_items_make_empty_buckets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
