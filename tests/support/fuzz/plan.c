/* plan.c - plans: of maps that are recognised and of others, executed, and at times saved and loaded. */
#include <unistd.h>

#include "support/fuzz/calls.h"

static uint64_t reversed(uint64_t x, size_t n)
{
    uint64_t y = 0;

    for (size_t k = 1; k < n; k *= 2, x /= 2)
        y = 2 * y + x % 2;
    return y;
}

/* Number i of a permutation of n: random, rotated, reversed, transposed, of blocks, bits reversed. */
static uint64_t map(unsigned kind, size_t n, uint64_t seed, uint64_t i)
{
    const uint64_t rows = 1 + seed % 40, block = 1 + seed % 16;

    switch (kind) {
    case 1:
        return (i + seed) % n;
    case 2:
        return n - 1 - i;
    case 3:
        return n % rows ? i : i % (n / rows) * rows + i / (n / rows);
    case 4:
        return n % block ? i : cw_shuffle_at(n / block, seed, i / block) * block + i % block;
    case 5:
        return n & (n - 1) ? i : reversed(i, n) ^ (seed & (n - 1));
    default:
        return cw_shuffle_at(n, seed, i);
    }
}

/* By way of a file. */
static cw_plan *saved(cw_plan *plan)
{
    char path[] = "/tmp/clearway-fuzz-XXXXXX";
    const int fd = mkstemp(path);
    cw_plan *again = NULL;

    must(fd >= 0, "no file");
    close(fd);
    fuzz_went_well(cw_plan_save(plan, path), 1, "cw_plan_save");
    fuzz_went_well(cw_plan_load(path, &again), 1, "cw_plan_load");
    unlink(path);
    cw_plan_destroy(plan);
    return again;
}

static void execute(const struct where *on, const cw_plan *plan, const char *in, char *out)
{
    void *const table = workspace_of(cw_plan_table_bytes(plan));
    void *workspace;
    size_t bytes;

    must(cw_plan_workspace(plan, &bytes) == CW_OK, "cw_plan_workspace");
    workspace = workspace_of(bytes);
    if (cw_plan_table_bytes(plan))
        fuzz_went_well(cw_plan_write_table(on->context, plan, table), 1, "cw_plan_write_table");
    fuzz_went_well(cw_plan_execute(on->context, plan, cw_plan_table_bytes(plan) ? table : NULL, in,
                                   out, workspace, bytes, NULL),
                   1, "cw_plan_execute");
    free(workspace);
    free(table);
}

void fuzz_plan(const struct where *on, struct input *in)
{
    const uint64_t what = input_bytes(in, 1), seed = input_bytes(in, 2);
    const size_t n = what & 1 ? fuzz_length(on, in) : (size_t)1 << input_below(in, 11);
    const size_t bytes = 1 + (size_t)input_below(in, what & 2 ? 17 : 200);
    const size_t index_bytes = what & 4 ? 4 : 8;
    const unsigned flags = what & 8 ? CW_GATHER : 0, kind = (unsigned)input_below(in, 7);
    void *const index = array_of(n * index_bytes);
    char *const data = (char *)workspace_of(n * bytes), *const out =
                                                            (char *)workspace_of(n * bytes);
    cw_plan *plan = NULL;
    cw_status status;

    array_fill(data, n * bytes, seed);
    for (size_t i = 0; i < n; i++)
        item_put(index, i, index_bytes, map(kind, n, seed, i));
    if (kind == 6 && n) /* outside, or, but for chance, there twice */
        item_put(index, seed % n, index_bytes, what & 16 ? n : map(0, n, seed, (seed + 1) % n));
    status =
        cw_plan_create(index, index_bytes, n, bytes, flags, 1 + (unsigned)(what >> 5 & 1), &plan);
    if (kind == 6 && n && (what & 16 || n > 1)) {
        must(status == CW_ERR_LABEL && !plan, "no permutation, and not refused");
    } else {
        fuzz_went_well(status, 1, "cw_plan_create");
        if (input_below(in, 64) == 63)
            plan = saved(plan);
        must(cw_plan_items(plan) == n && cw_plan_item_bytes(plan) == bytes, "another size");
        execute(on, plan, data, out);
        for (size_t i = 0; i < n; i++) {
            const uint64_t p = item_get(index, i, index_bytes);

            must(!memcmp(out + (flags ? i : p) * bytes, data + (flags ? p : i) * bytes, bytes),
                 "an item is not where the plan says");
        }
    }
    cw_plan_destroy(plan);
    free(index);
    free(data);
    free(out);
}
