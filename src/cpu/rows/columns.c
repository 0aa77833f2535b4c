/* columns.c - the ways to sort leaves, best last, and which processors have them.
 *
 * The limits were measured on rows of random keys (Ice Lake, gcc 12 and clang 14): up to them a
 * network is faster than a split and shorter networks, alone (first) or with full lanes (second).
 */
#include "cpu/work.h"

static int always(void)
{
    return 1;
}

cw_columns_sort cw_columns_plain_2, cw_columns_plain_3, cw_columns_plain_4;

#if defined(__x86_64__) && defined(__GNUC__)

cw_columns_sort cw_columns_avx2_2, cw_columns_avx2_3, cw_columns_avx2_4;
cw_columns_sort cw_columns_avx512_2, cw_columns_avx512_3, cw_columns_avx512_4;

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

#endif

const struct cw_columns cw_columns_list[] = {
    {"plain",
     always,
     {cw_columns_plain_2, cw_columns_plain_3, cw_columns_plain_4},
     {128, 64, 64},
     {256, 128, 64}},
#if defined(__x86_64__) && defined(__GNUC__)
    {"avx2",
     has_avx2,
     {cw_columns_avx2_2, cw_columns_avx2_3, cw_columns_avx2_4},
     {256, 256, 128},
     {4096, 1024, 128}},
    {"avx512",
     has_avx512,
     {cw_columns_avx512_2, cw_columns_avx512_3, cw_columns_avx512_4},
     {256, 256, 256},
     {8192, 8192, 1024}},
#endif
};

const uint32_t cw_columns_count = sizeof cw_columns_list / sizeof *cw_columns_list;
