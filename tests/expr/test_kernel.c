/* test_kernel.c - a kernel is run for a thread: which elements it asks for, in which rounds, and what is said about
 * that which is not known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/kernel.h"
#include "test.h"

static const struct cw_expr_name names[] = {{"tid", CW_EXPR_INT},
                                            {"threadIdx.x", CW_EXPR_UNSIGNED},
                                            {"blockDim.x", CW_EXPR_UNSIGNED},
                                            {NULL, CW_EXPR_INT}};

/* "access.round.round=index", by spaces. */
static cw_status write_down(void *to, const struct cw_asked *what)
{
    char *const text = (char *)to;
    size_t used = strlen(text);

    used += (size_t)snprintf(text + used, 200 - used, "%s%u", used ? " " : "", what->access);
    for (uint32_t k = 0; k < what->loops; k++)
        used += (size_t)snprintf(text + used, 200 - used, ".%u", what->round[k]);
    snprintf(text + used, 200 - used, "=%lld", (long long)what->index);
    return strlen(text) < 180 ? CW_OK : CW_ERR_ARGUMENT;
}

/* Thread 5 of 8; "column: what is wrong" if it is refused; notes follow behind a bar. */
static void run_text(const char *text, const char *define, char *out)
{
    static const int64_t values[] = {5, 5, 8};
    const size_t length = strlen(text);
    char *const copy = (char *)malloc(length);
    struct cw_expr_error error = {0, ""};
    struct cw_program p;

    assert_non_null(copy);
    memcpy(copy, text, length); /* ends where the text does */
    *out = 0;
    cw_program_begin(&p, names);
    if (define && !cw_expr_kernel_type(&p, define))
        assert_int_equal(cw_program_define(&p, define, &error), CW_OK);
    if (cw_expr_kernel_read(&p, copy, length, 0, &error) ||
        cw_expr_kernel_run(&p, values, copy, write_down, out, &error))
        snprintf(out, 200, "%zu: %s", error.at + 1, error.text);
    for (uint32_t k = 0; k < p.notes && *out < ':'; k++)
        snprintf(out + strlen(out), 200, " | %s", p.note[k].text);
    cw_program_free(&p);
    free(copy);
}

struct question {
    const char *text, *define, *says;
};

static void ask_all(const struct question *q, size_t count)
{
    char out[2000];

    for (size_t k = 0; k < count; k++) {
        run_text(q[k].text, q[k].define, out);
        if (strcmp(out, q[k].says) != 0)
            fail_msg("%s\n  gives %s\n  not   %s", q[k].text, out, q[k].says);
    }
}

static void loops_and_conditions_are_followed(void **state)
{
    static const struct question cases[] = {
        {"__shared__ float s[9]; s[tid] = 0; x = s[8];", NULL, "0=5 1=8"},
        {"__shared__ int s[9]; for (int k = 0; k < 3; k++) s[k] = 0;", NULL, "0.0=0 0.1=1 0.2=2"},
        {"__shared__ int s[9]; for (int k = tid; k < 9; k += 2) { s[k] = 0; }", NULL,
         "0.0=5 0.1=7"},
        {"__shared__ int s[9]; for (int i = 8, j = 0; i > j; i -= 3, ++j) s[i] = s[j];", NULL,
         "0.0=8 1.0=0 0.1=5 1.1=1"},
        {"__shared__ int s[9]; int k = 8; while (k > 6) { s[k]; k--; } while (k >>= 1) s[0]; s[k]; "
         "s[1];",
         NULL,
         "0.0=8 0.1=7 1.0=0 3=1 | 'k >>= 1' is not known: the loop is run once | left out: 'k' is "
         "not known here: -D may give it a value"},
        {"__shared__ int s[9]; int k = 8; s[k--]; s[k]; s[1];", NULL,
         "1=1 | left out: nothing can be assigned to: -- and ++ and += are not taken | left out: "
         "'k' is not known here: -D may give it a value"},
        {"__shared__ int s[9]; int k = 0; do { s[k]; k += 4; } while (k < 8);", NULL,
         "0.0=0 0.1=4"},
        {"__shared__ int s[9]; if (tid < 5) s[0]; else if (tid == 5 && blockDim.x == 8) { s[1]; } "
         "else s[2];",
         NULL, "1=1"},
        {"__shared__ int s[9]; for (;;) { for (int k = 0;; k++) { if (k == 1) continue; if (k == "
         "3) break; s[k]; } break; }",
         NULL, "0.0.0=0 0.0.2=2"},
        {"void f() { __shared__ int s[9]; if (tid > 4) { s[1]; return; } s[2]; } void g() { s[3]; "
         "}",
         NULL, "0=1 2=3"},
        {"__shared__ int s[9]; int k = 1; { int k = 2; s[k]; k++; } s[k];", NULL, "0=2 1=1"},
        {"__shared__ int s[9]; v = tid > 4 ? s[1] : s[2]; v = (tid < 4 ? s[3] : s[4]) + s[5];",
         NULL, "0=1 3=4 4=5"},
        {"__shared__ int s[9]; unsigned char c = 255; c++; c |= 2; c <<= 1; s[c] ^= 1;", NULL,
         "0=4 1=4"},
    };

    (void)state;
    ask_all(cases, COUNT(cases));
}

static void names_of_types_macros_and_parameters_are_known(void **state)
{
    static const struct question cases[] = {
        {"#define N 4\n#define M (N * 2)\n__shared__ float s[M][N + 1]; s[tid][1];", NULL, "0=26"},
        {"#define N 4\n__shared__ float s[9]; s[N];", "N=7", "0=7"},
        {"template <typename T, int N = 3> void f(T *x, int n) { __shared__ T s[N * 3]; s[n]; }",
         "n=6", "19: unknown type 'T': -D T=float, or another, names it"},
        {"template <typename T, int N = 3> void f(T *x) { __shared__ T s[N * 3]; s[N]; }",
         "T=float4", "0=3"},
        {"#define AT(r, c) ((r) * N + (c))\n#define N 4\n#define ME AT(tid, 1)\n__shared__ int s[N "
         "* N * N]; s[ME + AT(1, AT(0, 2))];",
         NULL, "0=27"},
        {"#define F(x) F(x + 1)\n#define G(x) s[x]\n__shared__ int s[9]; s[F(1)]; G(2); s[H(1)]; "
         "int k = G(1); s[1];",
         NULL,
         "0=1 | left out: unknown name 'F': the names are tid, threadIdx, .. | left out: an access "
         "by a macro | left out: unknown name 'H': the names "
         "are tid, threadIdx, .. | left out: an access by a macro"},
        {"using T = double; typedef unsigned char U; __shared__ T s[8], r[2]; U k = 261; s[k];",
         NULL, "0=5"},
        {"extern __shared__ char raw[]; float *a = (float *)raw, *b = &a[64]; b[tid] = 1;", NULL,
         "0=5"},
        {"extern __shared__ char raw[]; int (*t)[9] = reinterpret_cast<int (*)[9]>(raw); "
         "t[tid][2];",
         NULL, "0=47"},
    };

    (void)state;
    ask_all(cases + 3, COUNT(cases) - 3);
    ask_all(cases, 2);
}

static void what_is_not_known_is_said(void **state)
{
    static const struct question cases[] = {
        {"__shared__ int s[9]; for (int k = 0; k < n; k++) s[k];", NULL,
         "0.0=0 | 'k < n' is not known: the loop is run once"},
        {"__shared__ int s[9]; if (x < n) s[1]; if (x > n) return; s[2];", NULL,
         "0=1 1=2 | 'x < n' is not known: taken as true | 'x > n' is not known: taken as false"},
        {"__shared__ int s[9]; if (tid < 3 && in[k]) s[1]; if (tid && in[k] || n) s[2];", NULL,
         "1=2 | 'tid && in[k] || n' is not known: taken as true"},
        {"__shared__ int s[9]; int k = in[tid]; s[k]; s[1];", NULL,
         "1=1 | left out: 'k' is not known here: -D may give it a value"},
        {"__shared__ int s[9]; s[in[2]]; s[1]; atomicAdd(&s[2], 1); f(s); f(&s[3]); f(sizeof(s));",
         NULL,
         "0=1 | left out: unknown name 'in': the names are tid, threadIdx, .. | left out: atomics "
         "do not share equal words | "
         "left out: 's' without a subscript | left out: an address: which type is read or written "
         "there? *(float4 *)&.."},
        {"__shared__ int s[9]; int k = 1 / (tid - 5); s[k]; s[1]; if (in[1]) out[1] = 2;", NULL,
         "1=1 | left out: 'k' is not known here: -D may give it a value"},
        {"__shared__ short s[64]; p = __cvta_generic_to_shared(&s[8 * tid]); "
         "__pipeline_memcpy_async(&s[8], &g[1], 16); f(&s[1]);",
         NULL,
         "0=40 1=8 | a read of 16 bytes, as ldmatrix does | a write of 16 bytes, as cp.async does "
         "| "
         "left out: an address: which type is read or written there? *(float4 *)&.."},
        {"#ifdef A\n__shared__ int s[9]; index_t tid = f(1); s[tid]; s[threadIdx.x];\n#endif\n",
         NULL,
         "1=5 | #if: all of its branches are read | left out: 'tid' is not known here: -D may give "
         "it a value"},
        {"__shared__ int s[9]; index_t k = tid + 1; s[k]; s[1];", "index_t=int", "0=6 1=1"},
        {"__shared__ int s[9]; int *p = &s[tid]; p[1]; s[1];", NULL,
         "0=1 | left out: a pointer that differs from thread to thread: use [ ]"},
    };

    (void)state;
    ask_all(cases, COUNT(cases));
}

static void what_is_wrong_is_told_with_its_column(void **state)
{
    static const struct {
        const char *text;
        size_t column;
        const char *says;
    } wrong[] = {
        {"__shared__ int s[9]; { s[1];", 22, "no '}'"},
        {"__shared__ int s[9]; s[1]; }", 28, "'}' without"},
        {"__shared__ int s[9]; for (int k = 0; k < 3) s[k];", 27, "three parts"},
        {"__shared__ int s[9]; for (;; s[1];", 26, "no ')'"},
        {"__shared__ int s[9]; if tid s[1];", 25, "'t' where '('"},
        {"__shared__ int s[9]; switch (1) { }", 22, "switch is not known"},
        {"__shared__ int s[9]; do s[1]; until (1);", 31, "'u' where 'while'"},
        {"__shared__ int s[9]; s[9];", 24, "subscript 9 is outside [9]"},
        {"__shared__ int s[9]; if (0) s[0]; while (1) { }", 42, "does this loop end?"},
        {"__shared__ int s[n];", 18, "unknown name 'n'"},
        {"__shared__ int s[tid];", 18, "constant"},
        {"__shared__ s[4];", 12, "unknown type 's'"},
        {"__shared__ int s[4]; x = 1;", 28, "no access"},
        {"__shared__ int s[4]; atomicAdd(&s[1], 1);", 22, "atomics"},
        {"template <int N void f() { }", 10, "no '>'"},
    };
    char out[2000];

    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        run_text(wrong[k].text, NULL, out);
        if (strtoull(out, NULL, 10) != wrong[k].column || !strstr(out, wrong[k].says))
            fail_msg("'%s': %s", wrong[k].text, out);
    }
}

static void lines_are_told_from_kernels(void **state)
{
    static const char *const lines[] = {"tid * 32", "float s[9]; for (;;) s[1]",
                                        "__shared__ int s[9]; s[tid]",
                                        "__shared__ int s[9]; s[tid] = s[1]; __syncthreads();"};
    static const char *const kernels[] = {
        "__shared__ int s[9]; { s[1]; }", "#define N 3\n__shared__ int s[N]; s[1]",
        "__shared__ int s[9]; __shared__ int r[9]; s[1] = r[2]",
        "__shared__ int s[9]; v = f(x); s[1] = v", "__shared__ int s[9]; for (;;) s[1]"};

    (void)state;
    for (size_t k = 0; k < COUNT(lines); k++)
        if (cw_expr_is_kernel(lines[k], strlen(lines[k])))
            fail_msg("a kernel: %s", lines[k]);
    for (size_t k = 0; k < COUNT(kernels); k++)
        if (!cw_expr_is_kernel(kernels[k], strlen(kernels[k])))
            fail_msg("no kernel: %s", kernels[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_and_conditions_are_followed),
        cmocka_unit_test(names_of_types_macros_and_parameters_are_known),
        cmocka_unit_test(what_is_not_known_is_said),
        cmocka_unit_test(what_is_wrong_is_told_with_its_column),
        cmocka_unit_test(lines_are_told_from_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
