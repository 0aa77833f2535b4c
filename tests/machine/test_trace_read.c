/* test_trace_read.c - a damaged trace is refused, whatever is wrong with it. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace_support.h"

/* ---- damage --------------------------------------------------------------- */

static void read_all(const unsigned char *bytes, size_t size, cw_status *status)
{
    struct cw_trace_reader *r;
    struct cw_trace_event e;

    *status = cw_trace_read_bytes(bytes, size, &r);
    if (*status) {
        assert_null(r);
        return;
    }
    do {
        *status = cw_trace_read_next(r, &e);
    } while (!*status && e.type != CW_TRACE_END);
    if (*status)
        assert_int_equal(cw_trace_read_next(r, &e), *status); /* it stays refused */
    cw_trace_read_close(r);
}

static void a_trace_cut_off_anywhere_is_refused(void **state)
{
    struct cw_model *s = machine(3, 2, 1, 0);
    unsigned char *bytes;
    cw_status status;
    size_t size;
    const int m = 2;

    (void)state;
    assert_int_equal(record(s, turn, &m), CW_ERR_BOUNDS);
    bytes = load(&size);
    read_all(bytes, size, &status);
    assert_int_equal(status, CW_OK);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = (unsigned char *)malloc(cut + 1);

        assert_non_null(part);
        memcpy(part, bytes, cut);
        read_all(part, cut, &status);
        assert_int_equal(status, CW_ERR_FORMAT);
        if (cut >= 12) { /* and when the checksum agrees */
            seal(part, cut);
            read_all(part, cut, &status);
            assert_int_equal(status, CW_ERR_FORMAT);
        }
        free(part);
    }
    free(bytes);
    cw_model_destroy(s);
}

static void a_changed_byte_is_noticed(void **state)
{
    const unsigned seed = 5;
    struct cw_model *s = machine(W, M, 1, seed);
    unsigned char *bytes;
    cw_status status;
    size_t size;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    bytes = load(&size);
    for (size_t x = 0; x < size; x++) {
        bytes[x] ^= (unsigned char)(1 << x % 8);
        read_all(bytes, size, &status);
        assert_int_equal(status, CW_ERR_FORMAT);
        bytes[x] ^= (unsigned char)(1 << x % 8);
    }
    free(bytes);
    cw_model_destroy(s);
}

/* With the checksum made to agree the reader meets every kind of nonsense; what it
 * must not do (leave its buffers, hang) is what the sanitizers look for. */
static void any_bytes_are_read_safely(void **state)
{
    const unsigned seed = 7;
    struct cw_model *s = machine(W, M, 1, seed);
    unsigned char *bytes, *copy;
    int refused = 0;
    size_t size;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    bytes = load(&size);
    copy = (unsigned char *)malloc(size);
    assert_non_null(copy);
    for (unsigned k = 0; k < 20000; k++) {
        const unsigned changes = 1 + k % 4;
        cw_status status;

        memcpy(copy, bytes, size);
        for (unsigned c = 0; c < changes; c++) {
            const uint64_t r = mix(k * 8 + c);
            const size_t most = k % 2 ? 300 : size - 8; /* half of them in the head */

            copy[8 + r % (most < size - 12 ? most : size - 12)] = (unsigned char)(r >> 40);
        }
        seal(copy, size);
        read_all(copy, size, &status);
        assert_true(status == CW_OK || status == CW_ERR_FORMAT);
        refused += status != CW_OK;
    }
    assert_true(refused > 1000);
    free(copy);
    free(bytes);
    cw_model_destroy(s);
}

/* A trace of w = m = 1 whose records are these. */
static cw_status read_records(const char *records, size_t size)
{
    static const unsigned char head[] = {
        'C', 'W', 'T', 'R', 'A', 'C', 'E', CW_TRACE_VERSION, 1, 1, 0, 1, 1, 0, 0, 0, 0, 9, 5};
    unsigned char bytes[256];
    cw_status status;

    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, records, size);
    seal(bytes, sizeof head + size + 4);
    read_all(bytes, sizeof head + size + 4, &status);
    return status;
}

#define READ_RECORDS(text) read_records(text, sizeof text - 1)

static void each_rule_of_the_format_is_checked(void **state)
{
    (void)state;
    /* 46 octal is END (6 + 4 * 8); 70 octal a read that says nothing but its site */
    assert_int_equal(READ_RECORDS("\x26\0\0"), CW_OK);
    assert_int_equal(READ_RECORDS("\x38\0\1x\x78\6\x26\1\2"), CW_OK);
    assert_int_equal(READ_RECORDS("\x38\0\1x\x78\6\x26\1\3"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "1 steps and 3 accesses"));
    assert_int_equal(READ_RECORDS("\x26\0\0\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "follows its end"));
    assert_int_equal(READ_RECORDS(""), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "ends too early"));
    assert_int_equal(READ_RECORDS("\x38\1\1x"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "a string's number is 1"));
    assert_int_equal(READ_RECORDS("\x38\0\3x"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "past the end"));
    assert_int_equal(READ_RECORDS("\x38\0\2x\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "holds a zero"));
    assert_int_equal(READ_RECORDS("\xb8"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "unknown record (184)"));
    assert_int_equal(READ_RECORDS("\x3f"), CW_ERR_FORMAT);
    assert_int_equal(READ_RECORDS("\x2e"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "unknown record (5)"));
    assert_int_equal(READ_RECORDS("\x18\2\0\0"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "outside the 1 columns"));
    assert_int_equal(READ_RECORDS("\x30\1"), CW_ERR_FORMAT); /* the one lane is always next */
    assert_int_equal(READ_RECORDS("\x0e\1"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "a degree is 1"));
    assert_int_equal(READ_RECORDS("\x16\0\1\2\0\1\0\1p"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "number of rows is 2"));
    assert_int_equal(READ_RECORDS("\x3d\xff\xff\xff\xff\xff\xff\xff\xff\xff\2"), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "more than 64 bits"));
    assert_int_equal(READ_RECORDS("\x1e\2no\x26\0\0"), CW_OK);
}

static void other_files_are_refused_by_name(void **state)
{
    struct cw_trace_reader *r;
    unsigned char bytes[16] = "CWTRACE\2";

    (void)state;
    assert_int_equal(cw_trace_read_bytes("GIF89a", 6, &r), CW_ERR_FORMAT);
    assert_string_equal(cw_last_error(), "not a trace: it does not begin with CWTRACE");
    assert_int_equal(cw_trace_read_bytes(bytes, sizeof bytes, &r), CW_ERR_FORMAT);
    assert_string_equal(cw_last_error(), "a trace of version 2; this reader knows version 1");
    assert_int_equal(cw_trace_read_open("no/such/file", &r), CW_ERR_IO);
    assert_string_equal(cw_last_error(),
                        "cannot read the trace no/such/file: No such file or directory");
    assert_int_equal(cw_trace_read_open(".", &r), CW_ERR_IO);
    assert_null(r);
    cw_trace_read_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_cut_off_anywhere_is_refused),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(any_bytes_are_read_safely),
        cmocka_unit_test(each_rule_of_the_format_is_checked),
        cmocka_unit_test(other_files_are_refused_by_name),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
