/* test_program.c - lines of a kernel: what they declare, which elements a thread asks for, and what
 * is wrong with them where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/program.h"
#include "test.h"

static const struct cw_expr_name names[] = {
    {"tid", CW_EXPR_INT}, {"threadIdx.x", CW_EXPR_UNSIGNED}, {NULL, CW_EXPR_INT}};

/* From a copy that ends where the text does. */
static cw_status read_lines(struct cw_program *p, const char *text, struct cw_expr_error *error)
{
    const size_t length = strlen(text);
    char *const copy = (char *)malloc(length ? length : 1);
    cw_status status;

    assert_non_null(copy);
    memcpy(copy, text, length);
    cw_program_begin(p, names);
    error->at = 0;
    error->text[0] = 0;
    status = cw_program_read(p, copy, length, error);
    free(copy);
    return status;
}

static void lines_say_which_element_is_asked_for(void **state)
{
    static const struct {
        const char *text;
        uint32_t access;
        int64_t index; /* of thread 5; -1: it does not ask */
        uint32_t bytes, dims;
    } cases[] = {
        {"tid", 0, 5, 0, 0},
        {"tid;", 0, 5, 0, 0},
        {"int c = tid * 2; c + 1", 0, 11, 0, 0},
        {"int tid = 7; tid", 0, 7, 0, 0},
        {"int a = tid, b = a * 2, c = (b + 1); a + b + c", 0, 26, 0, 0},
        {"int tx = threadIdx.x , ty=3; tx + ty", 0, 8, 0, 0},
        {"unsigned char c = tid + 300; c", 0, 49, 0, 0},
        {"auto c = threadIdx.x - 6; c / 2", 0, 2147483647, 0, 0},
        {"__shared__ float t[32][33]; t[tid][1]", 0, 166, 4, 2},
        {"__shared__ float t[4][8][2];t[1][tid][1];t[0][0][1]", 0, 27, 4, 3},
        {"__shared__ float t[4][8][2];t[1][tid][1];t[0][0][1]", 1, 1, 4, 3},
        {"extern __shared__ float4 s[]; s[tid * 100]", 0, 500, 16, 1},
        {"const int N = 4; volatile unsigned char s[N * 2]; s[tid]", 0, 5, 1, 1},
        {"short s[8]; if (tid < 5) s[tid]", 0, -1, 2, 1},
        {"double s[8]; if ((tid & 1) == 1) s[tid]", 0, 5, 8, 1},
        {"if (tid) tid + 1", 0, 6, 0, 0},
        {"int s[8]; if (tid > 9) s[tid / 0]", 0, -1, 4, 1},
        {"unsigned long long s[8]; s[(tid)]", 0, 5, 8, 1},
        {"int(tid) + 1", 0, 6, 0, 0},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        static const int64_t values[] = {5, 5};
        struct cw_expr_error error;
        struct cw_program p;
        int64_t x = -1;
        int asks = 0;

        if (read_lines(&p, cases[k].text, &error) ||
            cw_program_eval(&p, values, cases[k].access, &asks, &x, &error))
            fail_msg("%s: column %zu: %s", cases[k].text, error.at + 1, error.text);
        if ((asks ? x : -1) != cases[k].index || p.array.bytes != cases[k].bytes ||
            p.array.dims != cases[k].dims)
            fail_msg("%s: %lld, %u bytes, %u dimensions", cases[k].text, (long long)x,
                     p.array.bytes, p.array.dims);
        cw_program_free(&p);
    }
}

/* By its name alone, as CUDA has it. */
static void every_type_of_an_element_has_its_bytes(void **state)
{
    static const struct {
        const char *names; /* by spaces */
        uint32_t bytes;
    } sizes[] = {
        {"__nv_fp8_e4m3 __nv_fp8_e5m2 uchar", 1},
        {"half __half bfloat16 nv_bfloat16 __nv_bfloat16 ushort char2 uchar2", 2},
        {"float half2 __half2 __nv_bfloat162 nv_bfloat162 char4 uchar4 short2 ushort2", 4},
        {"double short4 ushort4 int2 uint2 float2 cuComplex cuFloatComplex", 8},
        {"int4 uint4 float4 double2 longlong2 ulonglong2 cuDoubleComplex", 16},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        for (const char *name = sizes[k].names; *name;) {
            const int length = (int)strcspn(name, " ");
            struct cw_expr_error error;
            struct cw_program p;
            char text[64];

            snprintf(text, sizeof text, "__shared__ %.*s s[8]; s[tid]", length, name);
            if (read_lines(&p, text, &error))
                fail_msg("%s: column %zu: %s", text, error.at + 1, error.text);
            if (p.array.bytes != sizes[k].bytes)
                fail_msg("%s: %u bytes", text, p.array.bytes);
            cw_program_free(&p);
            name += length + (name[length] == ' ');
        }
    }
}

/* r: reads, w: writes, in the order of the text; R and W: several elements, or a part. */
static void a_statement_says_what_is_read_and_what_is_written(void **state)
{
    static const struct {
        const char *text, *uses;
    } cases[] = {
        {"int t[9]; t[tid]", "r"},
        {"int t[9]; t[tid] = 3", "w"},
        {"int t[9]; t[tid] == 3", "r"},
        {"int t[9]; t[tid] = t[0] + t[1]", "wrr"},
        {"int t[9]; t[tid] += t[1]", "rwr"},
        {"int t[9]; t[tid] <<= 2; t[tid] << 2; t[tid] < 2", "rwrr"},
        {"int t[9]; t[tid]++; --t[tid]; - -t[tid]", "rwrwr"},
        {"int t[9]; float x = t[tid], y = t[1];", "rr"},
        {"int t[9]; out[32u] = a & t[tid] && b", "r"},
        {"int t[9]; a.t[3]; t[1]", NULL},
        {"__shared__ alignas(16) int a[4], t[9]; __syncthreads(); t[1] ^= 5", "rw"},
        {"int t[9]; if (tid > 3) t[tid] -= 1;", "rw"},
        {"int t[9]; *(int2 *)&t[tid]; *(const int4*)&t[tid] = x; *( float * )&t[0]", "RWr"},
        {"int t[9]; *reinterpret_cast<int2 *>(&t[tid]) += reinterpret_cast<int4*>(&t[0])[0]",
         "RWR"},
        {"int4 t[9]; t[tid].x; t[tid].w += t[0] .y = 3", "RRWW"},
        {"std::uint32_t t[9]; cuda::std::uint8_t u = 3; t[u] |= 1", "rw"},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct cw_expr_error error;
        struct cw_program p;
        const cw_status status = read_lines(&p, cases[k].text, &error);
        char uses[CW_PROGRAM_ACCESSES + 1] = "";

        for (uint32_t a = 0; !status && a < p.accesses; a++)
            uses[a] = p.access[a].writes  ? (p.access[a].bytes ? 'W' : 'w')
                      : p.access[a].bytes ? 'R'
                                          : 'r';
        if (!cases[k].uses != !!status || (!status && strcmp(uses, cases[k].uses) != 0))
            fail_msg("%s: %s", cases[k].text, status ? error.text : uses);
        cw_program_free(&p);
    }
}

static void what_is_wrong_is_told_with_its_column(void **state)
{
    static const struct {
        const char *text;
        size_t column;
        const char *says;
    } wrong[] = {
        {"", 1, "empty"},
        {" ; ;", 5, "empty"},
        {"int c = 3", 10, "no access"},
        {"int c = ; c", 9, "the expression is empty"},
        {"int c = x; c", 9, "unknown name 'x'"},
        {"int a = 1, ; a", 12, "a name is missing"},
        {"int a = 1, b; a", 13, "'=' is missing"},
        {"int a = 1, b 2; a", 14, "'2' where '='"},
        {"int a = , b = 2; a", 9, "empty"},
        {"int a = (1, 2); a", 11, "','"},
        {"float t[3", 8, "no ']'"},
        {"float t[3]; t[tid", 14, "no ']'"},
        {"float t[3] x; t[0]", 12, "'x' where ';'"},
        {"float t[0]; t[0]", 9, "size 0"},
        {"float t[3][]; t[0][0]", 12, "empty"},
        {"float t[tid]; t[0]", 9, "constant"},
        {"float t[1/0]; t[0]", 10, "division by zero"},
        {"float t[70000][70000]; t[0][0]", 7, "4 GiB"},
        {"float t[1][1][1][1][1]; t[0]", 21, "more than 4 dimensions"},
        {"float t[2][2]; t[0]", 20, "2 dimensions, here are 1"},
        {"float t[2]; t[0][1]", 18, "1 dimension"},
        {"float t[2]; t[0].x", 18, "a part that"},
        {"float2 t[2]; t[0].z", 19, "a part that"},
        {"float2 t[2]; t[0].xy", 19, "a part that"},
        {"__nv_fp8_e5m2 t[2]; t[0].x", 26, "a part that"},
        {"double t[2]; *(float *)&t[0]", 24, "an address"},
        {"float t[2]; ((float2 *)&t[0])[1]", 31, "[0] only"},
        {"float t[2]; (float2)&t[0]", 21, "an address"},
        {"float t[2]; (float2 **)&t[0]", 24, "an address"},
        {"float t[2]; f(&t[0])", 15, "an address"},
        {"int t[2]; atomicAdd(&t[0], 1)", 11, "atomics"},
        {"float t[2]; if (tid) { t[0] = 1", 22, "are for kernels"},
        {"float t[2]; for (int k = 0; k < 2; k++) t[k]", 13, "a loop"},
        {"#define N 3", 1, "no preprocessor"},
        {"float t[2], u; t[0]", 14, "'['"},
        {"float t[2]; float x = 1.5f; t[0]", 19, "neither [sizes] nor a whole number"},
        {"float t[2]; float x = y; t[0]", 19, "neither [sizes] nor a whole number"},
        {"float t[2]; float x; t[0]", 19, "neither [sizes] nor a whole number"},
        {"float t[2]; float x = u[1]; t[0]", 23, "unknown array 'u'"},
        {"float a[1], b[1], c[1], d[1], e[1]; a[0]", 31, "more than 4 arrays"},
        {"float a[1], b[1], c[1], d[1]; e[0]", 31, "unknown array 'e'"},
        {"float t[2], u[2]; t[0] = u[1]", 26, "a second array"},
        {"float t[9]; t[0]++; t[0]++; t[0]++; t[0]++; t[0]", 45, "more than 8 accesses"},
        {"float t[2]; tid", 13, "an access to 't'"},
        {"float t[2]; u[0]", 13, "unknown array 'u'"},
        {"if tid < 3 tid", 4, "'t' where '('"},
        {"if (tid < 3 tid", 4, "no ')'"},
        {"if (tid <) tid", 10, "an operand"},
        {"__shared__ tid", 12, "unknown type 'tid'"},
        {"tid; tid", 6, "one index only"},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        struct cw_expr_error error;
        struct cw_program p;

        if (read_lines(&p, wrong[k].text, &error) != CW_ERR_ARGUMENT)
            fail_msg("'%s' is taken", wrong[k].text);
        if (error.at + 1 != wrong[k].column || !strstr(error.text, wrong[k].says))
            fail_msg("'%s': column %zu: %s", wrong[k].text, error.at + 1, error.text);
        cw_program_free(&p);
    }
}

static void constants_are_defined_and_conditions_hold_for_all(void **state)
{
    static const char *const wrong[] = {"", "N", "=3", "3=3", "N=", "N=tid", "N=1/0", "N.x=3"};
    static const int64_t values[] = {5, 5};
    struct cw_expr_error error;
    struct cw_program p;
    int64_t x = 0;
    int asks = 1;

    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        cw_program_begin(&p, names);
        if (cw_program_define(&p, wrong[k], &error) != CW_ERR_ARGUMENT)
            fail_msg("-D '%s' is taken", wrong[k]);
        assert_true(error.text[0] && error.at <= strlen(wrong[k]));
        cw_program_free(&p);
    }
    cw_program_begin(&p, names);
    memset(&error, 'x', sizeof error);
    assert_int_equal(cw_program_define(&p, "N=tid", &error), CW_ERR_ARGUMENT);
    assert_string_equal(error.text, "the value is no constant");
    assert_int_equal(
        cw_program_define(&p, "a_name_of_more_letters_than_there_is_room_for_in_a_table_of_names=1",
                          &error),
        CW_ERR_ARGUMENT);
    assert_string_equal(error.text, "the name is too long");
    assert_int_equal(error.at, 0);
    cw_program_free(&p);
    cw_program_begin(&p, names);
    assert_int_equal(cw_program_define(&p, "N=4u", &error), CW_OK);
    assert_int_equal(cw_program_define(&p, "M=N*2", &error), CW_OK);
    assert_int_equal(cw_program_read(&p, "int t[M][N]; t[tid][1]", 22, &error), CW_OK);
    assert_int_equal(cw_program_only_if(&p, "tid != 5", &error), CW_OK);
    assert_int_equal(cw_program_eval(&p, values, 0, &asks, &x, &error), CW_OK);
    assert_false(asks);
    assert_int_equal(cw_declared_elements(&p.array), 32);
    cw_program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_say_which_element_is_asked_for),
        cmocka_unit_test(every_type_of_an_element_has_its_bytes),
        cmocka_unit_test(a_statement_says_what_is_read_and_what_is_written),
        cmocka_unit_test(what_is_wrong_is_told_with_its_column),
        cmocka_unit_test(constants_are_defined_and_conditions_hold_for_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
