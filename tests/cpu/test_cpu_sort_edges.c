/* test_cpu_sort_edges.c - sorts on the host: arrays that end where memory does, and lines of any address. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#endif

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clearway.h"
#include "cpu/sort/lines.h"
#include "test.h"

/* ---- arrays that end where memory does -------------------------------------------------------- */

#define MOST 4096u

/* Room that ends where nobody may read. */
static char *end_of_memory(size_t *bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *room;

    *bytes = (MOST * 8u + page - 1) / page * page;
    room = (char *)mmap(NULL, *bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        -1, 0);
    assert_true(room != MAP_FAILED);
    assert_int_equal(mprotect(room + *bytes, page, PROT_NONE), 0);
    *bytes += page;
    return room + *bytes - page;
}

static void argsort(cw_context *context, cw_type type, size_t n, char *end, struct cw_random *r)
{
    const size_t bytes = cw_type_bytes(type);
    char *const keys = end - n * bytes;
    uint32_t *const index = (uint32_t *)malloc((n + 1) * sizeof *index);
    cw_array job = {.type = type, .n = n, .keys_in = keys, .index_out = index, .index_bytes = 4};
    void *workspace;
    size_t need;

    for (size_t x = 0; x < n * bytes; x++)
        keys[x] = (char)(cw_random_next(r) & 0x3f); /* no sign, no NaN */
    assert_int_equal(cw_sort_workspace(&job, &need), CW_OK);
    assert_non_null(workspace = aligned_alloc(256, need / 256 * 256 + 256));
    assert_int_equal(cw_sort(context, &job, workspace, need, NULL), CW_OK);
    for (size_t x = 1; x < n; x++) {
        uint64_t a = 0, b = 0;

        memcpy(&a, keys + index[x - 1] * bytes, bytes);
        memcpy(&b, keys + index[x] * bytes, bytes);
        assert_true(a < b || (a == b && index[x - 1] < index[x]));
    }
    free(workspace);
    free(index);
}

static void no_key_behind_the_last_is_read(void **state)
{
    static const size_t lengths[] = {1, 2, 31, 100, 1000, 1024, 1025, 3000, MOST};
    static const cw_type types[] = {CW_U8, CW_U16, CW_U32, CW_U64, CW_F64};
    struct cw_random r = cw_random_from(cw_test_seed());
    cw_context *context;
    size_t bytes;
    char *const end = end_of_memory(&bytes);

    (void)state;
    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t x = 0; x < COUNT(lengths); x++)
            argsort(context, types[t], lengths[x], end, &r);
    cw_context_destroy(context);
    munmap(end + (size_t)sysconf(_SC_PAGESIZE) - bytes, bytes);
}

/* ---- lines ------------------------------------------------------------------------------------ */

#define BUCKETS 3u
#define EACH    100u /* items of a bucket */

/* Items to an array at this address, of lines that are written past the caches. */
static void sends(char *out, size_t bytes, struct cw_random *r)
{
    static char lines[BUCKETS * CW_SORT_LINE] __attribute__((aligned(CW_SORT_LINE)));
    size_t begin[BUCKETS], at[BUCKETS];
    const struct cw_stream s = cw_stream_to(out, bytes, lines, begin, 1);
    unsigned char item[16];
    unsigned char want[BUCKETS * EACH * 16];

    for (uint32_t b = 0; b < BUCKETS; b++)
        at[b] = begin[b] = (size_t)b * EACH;
    for (uint32_t left = BUCKETS * EACH; left;) {
        const uint16_t b = (uint16_t)cw_random_below(r, BUCKETS);

        if (at[b] == begin[b] + EACH)
            continue;
        for (size_t k = 0; k < bytes; k++)
            want[at[b] * bytes + k] = item[k] = (unsigned char)cw_random_next(r);
        cw_stream_deal(&s, (const char *)item, &b, at, 1);
        left--;
    }
    cw_stream_end(&s, BUCKETS, at);
    assert_memory_equal(out, want, (size_t)BUCKETS * EACH * bytes);
}

static void lines_come_to_any_address(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    char *const room = (char *)aligned_alloc(CW_SORT_LINE, BUCKETS * EACH * 16 + 2 * CW_SORT_LINE);

    (void)state;
    assert_non_null(room);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t skew = 0; skew < CW_SORT_LINE; skew++)
            sends(room + skew, bytes, &r);
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_behind_the_last_is_read),
        cmocka_unit_test(lines_come_to_any_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
