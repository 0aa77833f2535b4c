/* test_host_pointer.c - memory that a GPU cannot touch is refused by name, by every call, and the context goes
 * on as if nothing had happened.  Where the machine is the host itself, every pointer will do.
 * CW_TEST_BACKEND=cuda: on a GPU, which is where it matters. */
#include <stdlib.h>
#include <string.h>

#include "clearway.h"
#include "rows_case.h"
#include "test.h"

#define N 4096u

static cw_context *context;
static unsigned char *arrays[8]; /* of the context, N * 16 bytes each */
static void *workspace, *host;
static size_t workspace_bytes = (size_t)8 << 20;

static int open_all(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        print_message("%s\n", cw_last_error());
        return -1;
    }
    host = aligned_alloc(256, workspace_bytes);
    assert_non_null(host);
    memset(host, 0, workspace_bytes);
    assert_int_equal(cw_memory_alloc(context, workspace_bytes, &workspace), CW_OK);
    for (size_t k = 0; k < COUNT(arrays); k++) {
        assert_int_equal(cw_memory_alloc(context, N * 16, (void **)&arrays[k]), CW_OK);
        assert_int_equal(cw_memory_write(context, arrays[k], host, N * 16), CW_OK);
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(arrays); k++)
        cw_memory_free(context, arrays[k]);
    cw_memory_free(context, workspace);
    free(host);
    cw_context_destroy(context);
    return 0;
}

/* Places of a job that hold pointers: each in turn is the host's. */
struct place {
    const char *name;
    void *at;
};

typedef cw_status (*call)(const void *job, void *workspace);

static void try_places(const char *what, call make, void *job, const struct place *places,
                       size_t count)
{
    const int gpu = rows_test_backend() == CW_CUDA;
    const int needs_workspace = make(job, NULL) == CW_ERR_WORKSPACE;

    for (size_t x = 0; x < count + (size_t)needs_workspace; x++) {
        void *const here = x < count ? host : NULL;
        void *kept = NULL;
        cw_status status;

        if (x < count) {
            memcpy(&kept, places[x].at, sizeof kept);
            memcpy(places[x].at, &here, sizeof here);
        }
        status = make(job, x < count ? workspace : host);
        if (x < count)
            memcpy(places[x].at, &kept, sizeof kept);
        if (!gpu) {
            assert_int_equal(status, CW_OK);
        } else if (status != CW_ERR_ARGUMENT ||
                   !strstr(cw_last_error(), x < count ? places[x].name : "workspace")) {
            fail_msg("%s, %s: %s (%s)", what, x < count ? places[x].name : "workspace",
                     cw_status_name(status), cw_last_error());
        }
        assert_int_equal(cw_wait(context, NULL), CW_OK);
    }
    assert_int_equal(make(job, workspace), CW_OK);
    assert_int_equal(cw_wait(context, NULL), CW_OK);
}

#define TRY(name, job, ...)                                            \
    do {                                                               \
        const struct place places_[] = {__VA_ARGS__};                  \
        try_places(#name, make_##name, &job, places_, COUNT(places_)); \
    } while (0)

#define MAKES(name, type)                                                     \
    static cw_status make_##name(const void *job, void *room)                 \
    {                                                                         \
        return name(context, (const type *)job, room, workspace_bytes, NULL); \
    }
MAKES(cw_sort, cw_array)
MAKES(cw_sort_rows, cw_rows)
MAKES(cw_partition, cw_partition_job)
MAKES(cw_permute, cw_permute_job)
MAKES(cw_gather_sum, cw_gather_job)
MAKES(cw_shuffle, cw_shuffle_job)
MAKES(cw_transpose, cw_transpose_job)

static void sorts_refuse_what_the_machine_cannot_touch(void **state)
{
    cw_array job = {.type = CW_U32, .n = N, .value_bytes = 4, .index_bytes = 8};
    cw_rows rows = {.type = CW_U32, .rows = 4, .length = N / 2, .items = N, .value_bytes = 4};

    (void)state;
    job.keys_in = arrays[0], job.keys_out = arrays[1], job.values_in = arrays[2];
    job.values_out = arrays[3], job.index_out = arrays[4];
    TRY(cw_sort, job, {"keys_in", &job.keys_in}, {"keys_out", &job.keys_out},
        {"values_in", &job.values_in}, {"values_out", &job.values_out},
        {"index_out", &job.index_out});
    rows.keys_in = arrays[0], rows.keys_out = arrays[1], rows.values_in = arrays[2];
    rows.values_out = arrays[3], rows.offsets = arrays[5];
    TRY(cw_sort_rows, rows, {"keys_in", &rows.keys_in}, {"keys_out", &rows.keys_out},
        {"values_in", &rows.values_in}, {"values_out", &rows.values_out},
        {"offsets", &rows.offsets});
}

static void partitions_refuse_what_the_machine_cannot_touch(void **state)
{
    cw_payload payload = {arrays[2], arrays[3], 4};
    cw_partition_job job = {.type = CW_U32, .rule = CW_BY_SPLITTER, .n = N, .buckets = 16};

    (void)state;
    job.keys_in = arrays[0], job.keys_out = arrays[1], job.splitters = arrays[4];
    job.payloads = &payload, job.payload_count = 1, job.offsets = (uint64_t *)arrays[5];
    TRY(cw_partition, job, {"keys_in", &job.keys_in}, {"keys_out", &job.keys_out},
        {"splitters", &job.splitters}, {"payload", &payload.in}, {"payload", &payload.out},
        {"offsets", &job.offsets});
}

static void moves_refuse_what_the_machine_cannot_touch(void **state)
{
    cw_permute_job permute = {.flags = CW_GATHER, .n = N, .bytes = 8, .index_bytes = 4};
    cw_shuffle_job shuffle = {.n = N, .bytes = 8, .seed = 1};
    cw_gather_job gather = {.type = CW_F32, .n = N, .rows = N, .columns = 2, .per = 1};
    cw_transpose_job transpose = {.rows = 32, .columns = N / 32, .bytes = 4};

    (void)state;
    permute.in = arrays[0], permute.out = arrays[1], permute.index = arrays[2];
    TRY(cw_permute, permute, {"in", &permute.in}, {"out", &permute.out}, {"index", &permute.index});
    shuffle.in = arrays[0], shuffle.out = arrays[1];
    TRY(cw_shuffle, shuffle, {"in", &shuffle.in}, {"out", &shuffle.out});
    gather.in = arrays[0], gather.out = arrays[1], gather.index = arrays[2];
    gather.index_bytes = 4, gather.weights = arrays[3], gather.weight_type = CW_F32;
    gather.flags = CW_CHECK;
    TRY(cw_gather_sum, gather, {"in", &gather.in}, {"out", &gather.out}, {"index", &gather.index},
        {"weights", &gather.weights});
    transpose.in = arrays[0], transpose.out = arrays[1];
    TRY(cw_transpose, transpose, {"in", &transpose.in}, {"out", &transpose.out});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_refuse_what_the_machine_cannot_touch),
        cmocka_unit_test(partitions_refuse_what_the_machine_cannot_touch),
        cmocka_unit_test(moves_refuse_what_the_machine_cannot_touch),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
