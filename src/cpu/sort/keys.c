/* keys.c - the ways to treat keys, and which processors have them. */
#include "cpu/sort/vectors/vectors.h"
#include "cpu/sort/work.h"

extern const struct cw_sort_keys cw_sort_keys_plain_2, cw_sort_keys_plain_3;

#if defined(__x86_64__) && defined(__GNUC__)
extern const struct cw_sort_keys cw_sort_keys_avx2_2, cw_sort_keys_avx2_3;
extern const struct cw_sort_keys cw_sort_keys_avx512_2, cw_sort_keys_avx512_3;
extern const struct cw_vectors cw_vectors2, cw_vectors4, cw_vectors8;
#endif

/* Whoever has the instructions that a way to sort leaves needs, has those for keys. */
const struct cw_sort_keys *cw_sort_keys_of(const struct cw_columns *columns, size_t key_bytes)
{
    static const struct cw_sort_keys *const ways[][2] = {
        {&cw_sort_keys_plain_2, &cw_sort_keys_plain_3},
#if defined(__x86_64__) && defined(__GNUC__)
        {&cw_sort_keys_avx2_2, &cw_sort_keys_avx2_3},
        {&cw_sort_keys_avx512_2, &cw_sort_keys_avx512_3},
#endif
    };

    return ways[columns - cw_columns_list][key_bytes == 8];
}

const struct cw_vectors *cw_vectors_of(const struct cw_columns *columns, uint32_t kind)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (columns - cw_columns_list == 2 && kind < 2)
        return kind ? &cw_vectors8 : &cw_vectors4;
#endif
    (void)columns;
    (void)kind;
    return NULL;
}

const struct cw_vectors *cw_vectors2_of(const struct cw_columns *columns)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (columns - cw_columns_list == 2 && __builtin_cpu_supports("avx512vbmi2"))
        return &cw_vectors2;
#endif
    (void)columns;
    return NULL;
}
