/* The head of a .npy file: what is taken, what is refused and why, what is made. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/bytes.h"
#include "files/npy.h"
#include "test.h"

/* A file's bytes: magic, version, length, text (padded to a multiple of 64 with a newline). */
static size_t file_of(unsigned char *out, int version, const char *text)
{
    const size_t begin = version == 1 ? 10 : 12, length = strlen(text);
    const size_t all = (begin + length + 64) / 64 * 64;

    memset(out, ' ', all);
    memcpy(out, CW_NPY_MAGIC, 6);
    out[6] = (unsigned char)version;
    out[7] = 0;
    out[8] = (unsigned char)((all - begin) & 255);
    out[9] = (unsigned char)((all - begin) >> 8);
    if (version > 1)
        out[10] = out[11] = 0;
    memcpy(out + begin, text, length);
    out[all - 1] = '\n';
    return all;
}

static cw_status parse(const char *text, struct cw_npy *out)
{
    unsigned char bytes[4096];

    return cw_npy_parse(bytes, file_of(bytes, 1, text), out);
}

static void refuses(const char *text, cw_status status, const char *why)
{
    struct cw_npy head;

    assert_int_equal(parse(text, &head), status);
    if (!strstr(cw_last_error(), why))
        fail_msg("%s: says '%s', not '%s'", text, cw_last_error(), why);
}

static void every_version_and_byte_order_is_read(void **state)
{
    static const char *const types[] = {"u1", "u2", "u4", "u8", "i1", "i2",
                                        "i4", "i8", "f2", NULL, "f4", "f8"};
    const uint16_t one = 1;
    const int little = *(const unsigned char *)&one;

    (void)state;
    for (int version = 1; version <= 3; version++) {
        for (int t = 0; t < CW_TYPE_COUNT; t++) {
            for (const char *order = "<>="; types[t] && *order; order++) {
                unsigned char bytes[512];
                char text[256];
                struct cw_npy head;
                size_t size;

                snprintf(text, sizeof text,
                         "{'descr': '%c%s', 'fortran_order': False, 'shape': (3, 5), }", *order,
                         types[t]);
                size = file_of(bytes, version, text);
                assert_int_equal(cw_npy_parse(bytes, size, &head), CW_OK);
                assert_int_equal(head.type, t);
                assert_int_equal(head.swapped,
                                 cw_type_bytes((cw_type)t) > 1 && *order == (little ? '>' : '<'));
                assert_int_equal(head.dims, 2);
                assert_int_equal(head.rows, 3);
                assert_int_equal(head.length, 5);
                assert_int_equal(head.data_at, size);
                assert_int_equal(head.data_bytes, 15 * cw_type_bytes((cw_type)t));
            }
        }
    }
}

static void python_is_read_as_people_write_it(void **state)
{
    struct cw_npy head;

    (void)state;
    assert_int_equal(parse("{\"shape\":(7,),\"descr\":\"|u1\",\"fortran_order\":True}", &head),
                     CW_OK);
    assert_int_equal(head.length, 7);
    assert_int_equal(head.rows, 1);
    assert_int_equal(
        parse("{ 'fortran_order' : False , 'shape' : ( 7L , ) , 'descr' : '<f8' }", &head), CW_OK);
    assert_int_equal(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", &head),
                     CW_OK);
    assert_int_equal(head.length, 0);
    assert_int_equal(parse("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 9), }", &head),
                     CW_OK);
    assert_int_equal(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9), }", &head),
                     CW_OK);
    assert_int_equal(head.data_bytes, 0);
}

static void what_is_not_taken_is_named(void **state)
{
    (void)state;
    refuses("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", CW_ERR_TYPE, "'<c8'");
    refuses("{'descr': '<U5', 'fortran_order': False, 'shape': (3,), }", CW_ERR_TYPE, "'<U5'");
    refuses("{'descr': '', 'fortran_order': False, 'shape': (3,), }", CW_ERR_TYPE, "''");
    refuses("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3, 2), }", CW_ERR_TYPE,
            "records of 2 dimensions");
    refuses("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (3,), }", CW_ERR_TYPE,
            "cannot be moved");
    refuses("{'descr': [('a', '<f4'], 'fortran_order': False, 'shape': (3,), }", CW_ERR_FORMAT,
            "fields of a record");
    refuses("{'descr': [('a', '<f4'), ('b', '|S65536', (16777216, 16777216))], " /* 2^64 bytes */
            "'fortran_order': False, 'shape': (3,), }",
            CW_ERR_TYPE, "4 GiB");
    refuses("{'descr': [], 'fortran_order': False, 'shape': (3,), }", CW_ERR_TYPE, "0 bytes");
    refuses("{'descr': '|u4', 'fortran_order': False, 'shape': (3,), }", CW_ERR_FORMAT,
            "no byte order");
    refuses("{'descr': '<u4', 'fortran_order': False, 'shape': (), }", CW_ERR_TYPE,
            "single number");
    refuses("{'descr': '<u4', 'fortran_order': False, 'shape': (1, 2, 3), }", CW_ERR_TYPE,
            "3 dimensions");
    refuses("{'descr': '<u4', 'fortran_order': True, 'shape': (2, 3), }", CW_ERR_TYPE, "Fortran");
}

static void records_bool_and_times_are_numbers_in_disguise(void **state)
{
    struct cw_npy_field field;
    struct cw_npy head;

    (void)state;
    assert_int_equal(parse("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", &head),
                     CW_OK);
    assert_int_equal(head.kind, CW_NPY_BOOL);
    assert_int_equal(head.type, CW_U8);
    assert_int_equal(parse("{'descr': '<M8[25s]', 'fortran_order': False, 'shape': (3,), }", &head),
                     CW_OK);
    assert_int_equal(head.kind, CW_NPY_TIME);
    assert_string_equal(head.descr, "M8[25s]");
    assert_int_equal(
        parse("{'descr': [('a', '<f4'), ('b', '<i2', (2, 3)), ('c', [('x', '|u1'), ('y', '<U2')]), "
              "('d', '>u8')], 'fortran_order': False, 'shape': (5,), }",
              &head),
        CW_OK);
    assert_int_equal(head.rows, 5);
    assert_int_equal(head.length, 4 + 12 + 9 + 8);
    assert_int_equal(cw_npy_find_field(&head, "d", &field), CW_OK);
    assert_int_equal(field.at, 25);
    assert_int_equal(field.type.type, CW_U64);
    assert_int_equal(cw_npy_find_field(&head, "b", &field), CW_ERR_TYPE);
    assert_int_equal(cw_npy_find_field(&head, "c", &field), CW_ERR_TYPE);
    assert_int_equal(cw_npy_find_field(&head, "x", &field), CW_ERR_ARGUMENT);
}

static void a_damaged_head_is_refused_with_the_reason(void **state)
{
    unsigned char bytes[512];
    struct cw_npy head;
    size_t size;

    (void)state;
    refuses("", CW_ERR_FORMAT, "no dictionary");
    refuses("{", CW_ERR_FORMAT, "no key");
    refuses("{'descr': '<u4', 'fortran_order': False}", CW_ERR_FORMAT, "missing");
    refuses("{'descr': '<u4', 'descr': '<u4'}", CW_ERR_FORMAT, "twice");
    refuses("{'desc': '<u4'}", CW_ERR_FORMAT, "a key other than");
    refuses("{'descr': '<u4", CW_ERR_FORMAT, "no short text");
    refuses("{'descr': '<u4' 'shape': (3,)}", CW_ERR_FORMAT, "does not end");
    refuses("{'fortran_order': 1}", CW_ERR_FORMAT, "neither True nor False");
    refuses("{'shape': 3}", CW_ERR_FORMAT, "no tuple");
    refuses("{'shape': (-3,)}", CW_ERR_FORMAT, "whole numbers");
    refuses("{'shape': (3 4)}", CW_ERR_FORMAT, "does not end");
    refuses("{'shape': (99999999999999999999,)}", CW_ERR_FORMAT, "too large");
    refuses("{'descr': '<u8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
            CW_ERR_FORMAT, "larger than any file");
    refuses("{'descr': '<u8', 'fortran_order': False, 'shape': (3,)} x", CW_ERR_FORMAT,
            "something follows");

    size = file_of(bytes, 1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }");
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(cw_npy_parse(bytes, cut, &head), CW_ERR_FORMAT);
    bytes[6] = 4;
    assert_int_equal(cw_npy_parse(bytes, size, &head), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "version 4.0"));
    bytes[6] = 2;
    bytes[10] = bytes[11] = 255;
    assert_int_equal(cw_npy_parse(bytes, size, &head), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "longer than 1 MiB"));
    bytes[0] = 'x';
    assert_int_equal(cw_npy_parse(bytes, size, &head), CW_ERR_FORMAT);
    assert_non_null(strstr(cw_last_error(), "not a .npy file"));
}

static void what_is_made_is_read_again(void **state)
{
    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (uint32_t dims = 1; dims <= 2; dims++) {
            struct cw_npy a = {.type = (cw_type)t,
                               .swapped = t % 2 && cw_type_bytes((cw_type)t) > 1,
                               .dims = dims,
                               .rows = dims == 1 ? 1 : UINT64_C(12345678901),
                               .length = 1000003};
            unsigned char bytes[CW_NPY_ROOM];
            const size_t size = cw_npy_make(&a, bytes);
            struct cw_npy b;

            assert_int_equal(size, t == CW_BF16 ? 0 : size / 64 * 64);
            if (!size)
                continue;
            assert_int_equal(bytes[size - 1], '\n');
            assert_int_equal(cw_npy_parse(bytes, size, &b), CW_OK);
            assert_true(b.type == a.type && b.swapped == a.swapped && b.dims == a.dims &&
                        b.rows == a.rows && b.length == a.length && b.data_at == size);
        }
    }
}

/* An interrupt of an earlier call is none of this one. */
static void a_file_that_became_shorter_is_an_error(void **state)
{
    char byte[2];
    FILE *const file = tmpfile();

    (void)state;
    assert_non_null(file);
    assert_int_equal(fputc('x', file), 'x');
    assert_int_equal(fflush(file), 0);
    errno = EINTR;
    assert_int_equal(cw_read_at(fileno(file), "x", byte, 2, 0), CW_ERR_IO);
    assert_non_null(strstr(cw_last_error(), "shorter"));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_byte_order_is_read),
        cmocka_unit_test(python_is_read_as_people_write_it),
        cmocka_unit_test(what_is_not_taken_is_named),
        cmocka_unit_test(records_bool_and_times_are_numbers_in_disguise),
        cmocka_unit_test(a_damaged_head_is_refused_with_the_reason),
        cmocka_unit_test(what_is_made_is_read_again),
        cmocka_unit_test(a_file_that_became_shorter_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
