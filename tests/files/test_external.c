/* Sorting from file to file: every type and kind of data, and buckets that do not fit. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/array_file.h"
#include "files/external.h"
#include "inputs/data.h"
#include "inputs/random.h"
#include "test.h"
#include "values.h"

struct trial {
    cw_type type;
    enum cw_data kind;
    uint64_t n, seed;
    unsigned flags;
    int places, swapped;
    uint64_t bucket_items;
    uint32_t buckets;
    unsigned threads;
};

struct item {
    const struct trial *t;
    uint64_t bits, place;
};

static int by_value(const void *a, const void *b)
{
    const struct item *const x = (const struct item *)a, *const y = (const struct item *)b;

    const int order = cw_value_compare(x->t->type, x->t->flags, x->bits, y->bits);

    return order ? order : (x->place > y->place) - (x->place < y->place);
}

struct world {
    char folder[64], out[96];
    double told; /* the last progress */
};

static int make_world(void **state)
{
    static struct world w;

    strcpy(w.folder, "/tmp/clearway-test-XXXXXX");
    assert_non_null(mkdtemp(w.folder));
    snprintf(w.out, sizeof w.out, "%s/out", w.folder);
    *state = &w;
    return 0;
}

/* The folder is empty: nothing was left behind. */
static int end_world(void **state)
{
    const struct world *const w = (const struct world *)*state;

    return rmdir(w->folder);
}

static void tell(void *user, double done)
{
    struct world *const w = (struct world *)user;

    assert_true(done >= w->told - 1e-9 && done <= 1 + 1e-9);
    w->told = done;
}

/* Sort n keys that lie from byte 7 on of a file to byte 5 on of another. */
static void sort_keys(struct world *w, const struct trial *t, const void *keys, void *out)
{
    const size_t key = cw_type_bytes(t->type), item = t->places ? 8 : key;
    struct cw_output output;
    struct cw_external x = {.type = t->type,
                            .flags = t->flags,
                            .places = t->places,
                            .n = t->n,
                            .path = "in",
                            .at = 7,
                            .swapped = t->swapped,
                            .out = &output,
                            .out_at = 5,
                            .folder = w->folder,
                            .threads = t->threads,
                            .progress = tell,
                            .user = w,
                            .bucket_items = t->bucket_items,
                            .buckets = t->buckets};
    FILE *file;

    w->told = 0;
    assert_int_equal(cw_scratch_open(w->folder, &x.fd), CW_OK);
    assert_int_equal(cw_write_at(x.fd, "in", keys, t->n * key, 7), CW_OK);
    assert_int_equal(cw_output_open(w->out, &output), CW_OK);
    if (cw_external_sort(&x))
        fail_msg("%s", cw_last_error());
    assert_int_equal(access(w->out, F_OK), -1); /* not before it is whole */
    assert_int_equal(cw_output_commit(&output), CW_OK);
    close(x.fd);
    file = fopen(w->out, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 5, SEEK_SET), 0);
    assert_int_equal(fread(out, item, t->n, file), t->n);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    assert_int_equal(unlink(w->out), 0);
}

static void check(struct world *w, const struct trial *t)
{
    const size_t key = cw_type_bytes(t->type);
    unsigned char *const keys = (unsigned char *)malloc(t->n * key + 1);
    unsigned char *const out = (unsigned char *)malloc(t->n * 8 + 1);
    struct item *const want = (struct item *)malloc((t->n + 1) * sizeof *want);
    uint64_t sum = 0;

    assert_true(keys && out && want);
    assert_int_equal(cw_data_make(t->kind, t->type, t->n, t->seed, keys), CW_OK);
    for (uint64_t i = 0; i < t->n; i++) {
        want[i].bits = cw_item(keys, i, key);
        want[i].place = i;
        want[i].t = t;
    }
    qsort(want, t->n, sizeof *want, by_value);
    if (t->swapped)
        cw_swap_bytes(keys, t->n, key);
    sort_keys(w, t, keys, out);
    if (t->swapped && !t->places)
        cw_swap_bytes(out, t->n, key);
    for (uint64_t i = 0; i < t->n; i++) {
        const uint64_t got = cw_item(out, i, t->places ? 8 : key);
        const int loose = !t->places && !(t->flags & CW_STABLE); /* equal keys may change places */

        if (loose)
            sum += cw_mixed(got) - cw_mixed(want[i].bits);
        if (loose ? cw_value_compare(t->type, t->flags, got, want[i].bits) != 0
                  : got != (t->places ? want[i].place : want[i].bits))
            fail_msg("%s %s, n %llu, flags 0x%x, places %d, buckets %u of %llu: item %llu is "
                     "0x%llx, seed %llu",
                     cw_type_name(t->type), cw_data_names[t->kind], (unsigned long long)t->n,
                     t->flags, t->places, t->buckets, (unsigned long long)t->bucket_items,
                     (unsigned long long)i, (unsigned long long)got, (unsigned long long)t->seed);
    }
    assert_int_equal(sum, 0);
    free(keys);
    free(out);
    free(want);
}

static void every_type_is_sorted_from_file_to_file(void **state)
{
    const uint64_t seed = cw_test_seed();

    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        for (int way = 0; way < 8; way++) {
            const unsigned flags = way % 3 ? 0u : (unsigned)CW_STABLE;
            const struct trial t = {.type = (cw_type)type,
                                    .kind = way % 2 ? CW_DATA_ZIPF : CW_DATA_UNIFORM,
                                    .n = 7001,
                                    .seed = seed,
                                    .flags = flags | (way & 1 ? (unsigned)CW_DESCENDING : 0u),
                                    .places = way >> 1 & 1,
                                    .swapped = way >> 2 & 1,
                                    .threads = 1 + (unsigned)way % 3};

            check((struct world *)*state, &t);
        }
    }
}

static void every_order_of_floats_is_kept(void **state)
{
#define ORDER_FLAG(flag, name) flag,
    static const unsigned orders[] = {CW_ORDER_LIST(ORDER_FLAG)};
#undef ORDER_FLAG
    static const cw_type types[] = {CW_F16, CW_BF16, CW_F32, CW_F64};

    for (unsigned way = 0; way < 6 * COUNT(orders); way++) {
        const unsigned form = way / 2 % 3;
        const struct trial t = {.type = types[way % COUNT(types)],
                                .kind = CW_DATA_NAN,
                                .n = 20011,
                                .seed = cw_test_seed() + way,
                                .flags = orders[way / 6] |
                                         (way % 2 ? (unsigned)CW_DESCENDING : 0u) |
                                         (form == 1 ? (unsigned)CW_STABLE : 0u),
                                .places = form == 2,
                                .bucket_items = way % 4 ? 0 : 900,
                                .buckets = 32};

        check((struct world *)*state, &t);
    }
}

static void every_kind_of_data_is_sorted(void **state)
{
    const uint64_t seed = cw_test_seed();

    for (int kind = 0; kind < CW_DATA_COUNT; kind++) {
        for (int places = 0; places < 2; places++) {
            const struct trial t = {.type = CW_I32,
                                    .kind = (enum cw_data)kind,
                                    .n = 30011,
                                    .seed = seed,
                                    .places = places,
                                    .buckets = 32};

            if (kind != CW_DATA_NAN) /* of floats, whose NaNs have an order of their own */
                check((struct world *)*state, &t);
        }
    }
}

static void buckets_that_do_not_fit_are_split_again(void **state)
{
    const uint64_t seed = cw_test_seed();

    for (int kind = 0; kind < CW_DATA_ZIPF + 1; kind++) {
        for (int places = 0; places < 2; places++) {
            const struct trial t = {.type = CW_U16,
                                    .kind = (enum cw_data)kind,
                                    .n = 5003,
                                    .seed = seed,
                                    .places = places,
                                    .swapped = 1,
                                    .bucket_items = 90,
                                    .buckets = 4};

            check((struct world *)*state, &t);
        }
    }
}

static void small_arrays_are_sorted(void **state)
{
    for (uint64_t n = 0; n < 70; n++) {
        const struct trial t = {
            .type = CW_F64, .kind = CW_DATA_UNIFORM, .n = n, .seed = n, .places = n % 2};

        check((struct world *)*state, &t);
    }
}

static void a_folder_that_is_not_there_is_told(void **state)
{
    struct world *const w = (struct world *)*state;
    struct cw_external x = {.type = CW_U32, .n = 2, .path = "in", .folder = "/no/such/folder"};
    struct cw_output output;

    assert_int_equal(cw_scratch_open(w->folder, &x.fd), CW_OK);
    assert_int_equal(cw_write_at(x.fd, "in", "12345678", 8, 0), CW_OK);
    assert_int_equal(cw_output_open(w->out, &output), CW_OK);
    x.out = &output;
    assert_int_equal(cw_external_sort(&x), CW_ERR_IO);
    assert_non_null(strstr(cw_last_error(), "/no/such/folder"));
    x.folder = w->folder;
    x.n = 3;
    assert_int_equal(cw_external_sort(&x), CW_ERR_IO); /* there are only 2 */
    assert_non_null(strstr(cw_last_error(), "became shorter"));
    cw_output_drop(&output);
    close(x.fd);
    assert_int_equal(cw_output_open("/no/such/folder/x", &output), CW_ERR_IO);
    assert_int_equal(cw_output_open(w->folder, &output), CW_ERR_IO);
    assert_non_null(strstr(cw_last_error(), "a directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_sorted_from_file_to_file),
        cmocka_unit_test(every_order_of_floats_is_kept),
        cmocka_unit_test(every_kind_of_data_is_sorted),
        cmocka_unit_test(buckets_that_do_not_fit_are_split_again),
        cmocka_unit_test(small_arrays_are_sorted),
        cmocka_unit_test(a_folder_that_is_not_there_is_told),
    };

    return cmocka_run_group_tests(tests, make_world, end_world);
}
