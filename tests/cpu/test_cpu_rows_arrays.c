/* test_cpu_rows_arrays.c - rows on the host: where arrays may lie, and the room that they take.
 *
 * Apart from test_cpu_rows_edges.c, which has no memory on purpose: sanitizers cannot bear that, and here they look for
 * words at odd addresses.
 */
#include "test.h"

#include <stdlib.h>

#include "cpu/rows/rows.h"
#include "cpu/work.h"
#include "base/threads.h"
#include "values.h"

/* Arrays of caller's structs and files need not begin on a multiple of the key's size: here either does, and both. */
static void keys_may_lie_anywhere(void **state)
{
    enum { ROWS = 3, SHORT = 100, LONG = 3000 }; /* a leaf, and what is split into several */
    static _Alignas(8) unsigned char from[4 + 4 * ROWS * LONG], to[4 + 4 * ROWS * LONG];
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (size_t k = 0; k < 64; k++) {
        unsigned char *const in = from + k % 4, *const out = to + k / 4 % 4;
        const size_t length = k / 16 % 2 ? LONG : SHORT;
        const cw_rows job = {
            .type = CW_U32, .rows = ROWS, .length = length, .keys_in = in, .keys_out = out};
        uint64_t sum = 0;

        for (size_t x = 0; x < ROWS * length; x++) {
            cw_set_item(in, x, 4, cw_random_next(&random) & 0xffffffff);
            sum += cw_item(in, x, 4);
        }
        assert_int_equal(k / 32 ? cw_cpu_sort_rows_by(&job, NULL, &cw_columns_list[0])
                                : cw_cpu_sort_rows(&job, NULL),
                         CW_OK);
        for (size_t x = 0; x < ROWS * length; x++) {
            assert_true(x % length == 0 || cw_item(out, x - 1, 4) <= cw_item(out, x, 4));
            sum -= cw_item(out, x, 4);
        }
        assert_int_equal(sum, 0);
    }
}

/* ---- room ----------------------------------------------------------------------------------- */

/* Bytes of buffers for a row of these keys, which the team keeps; without vectors. */
static size_t room_for(cw_type type, int indexed)
{
    enum { N = 60000 };
    struct cw_team team = {.wanted = 1};
    uint64_t *const in = (uint64_t *)calloc(N, 8), *const out = (uint64_t *)calloc(N, 8);
    uint32_t *const index = (uint32_t *)malloc(N * sizeof *index);
    const cw_rows job = {.type = type,
                         .rows = 1,
                         .length = N,
                         .keys_in = in,
                         .keys_out = out,
                         .index_out = indexed ? index : NULL};
    size_t bytes;

    assert_true(in && out && index);
    assert_int_equal(cw_cpu_sort_rows_by(&job, &team, &cw_columns_list[0]), CW_OK);
    bytes = team.kept_bytes;
    cw_team_end(&team);
    free(in);
    free(out);
    free(index);
    return bytes;
}

/* Buffers have words of 4 bytes where a key, or one of 2 bytes and its place, fits into that. */
static void words_are_as_narrow_as_they_can_be(void **state)
{
    const size_t words4 = room_for(CW_U32, 0), words8 = room_for(CW_U64, 0);

    (void)state;
    assert_in_range(words4, 1, words8 * 2 / 3);
    assert_int_equal(room_for(CW_I8, 0), words4);
    assert_int_equal(room_for(CW_U16, 1), words4);
    assert_int_equal(room_for(CW_U32, 1), words8);
    assert_in_range(room_for(CW_U64, 1), words8 * 3 / 2, words8 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_may_lie_anywhere),
        cmocka_unit_test(words_are_as_narrow_as_they_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
