#include "paper/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "paper/inputs.h"

static int by_word(const void *a, const void *b)
{
    const cw_word x = *(const cw_word *)a;
    const cw_word y = *(const cw_word *)b;

    return (x > y) - (x < y);
}

static cw_status compare(uint64_t n, const cw_word *want, const cw_word *out)
{
    for (uint64_t i = 0; i < n; i++) {
        if (want[i] != out[i])
            return cw_fail(CW_ERR_INTERNAL, "the output is wrong: place %llu holds %llu, not %llu",
                           (unsigned long long)i, (unsigned long long)out[i],
                           (unsigned long long)want[i]);
    }
    return CW_OK;
}

/* The item of label L at place L; labels that are not each place once leave a wrong word. */
static cw_status place_items(uint64_t n, const cw_word *in, cw_word *want)
{
    for (uint64_t i = 0; i < n; i++) {
        if (CW_ITEM_LABEL(in[i]) >= n)
            return cw_fail(CW_ERR_LABEL, "item %llu: label %u is no place, there are %llu",
                           (unsigned long long)i, CW_ITEM_LABEL(in[i]), (unsigned long long)n);
        want[CW_ITEM_LABEL(in[i])] = in[i];
    }
    return CW_OK;
}

/* Row r of out, in any order, against the r-th m of all items sorted by label. */
static cw_status compare_rows(uint32_t w, uint32_t m, const cw_word *want, const cw_word *out)
{
    cw_word *const row = (cw_word *)malloc(m * sizeof *row);
    cw_status status = CW_OK;

    if (!row)
        return cw_fail(CW_ERR_MEMORY, "out of memory to verify the output");
    for (uint32_t r = 0; !status && r < w; r++) {
        const size_t at = (size_t)r * m;

        memcpy(row, out + at, m * sizeof *row);
        qsort(row, m, sizeof *row, by_word);
        if (CW_ITEM_LABEL(row[0]) != r || CW_ITEM_LABEL(row[m - 1]) != r ||
            memcmp(row, want + at, m * sizeof *row) != 0)
            status =
                cw_fail(CW_ERR_INTERNAL,
                        "the output is wrong: row %u does not hold the items of label %u", r, r);
    }
    free(row);
    return status;
}

cw_status cw_verify(enum cw_problem problem, uint32_t w, uint32_t m, const cw_word *in,
                    const cw_word *out)
{
    const uint64_t n = (uint64_t)w * m;
    cw_word *const want = (cw_word *)malloc(n * sizeof *want);
    cw_status status = CW_OK;

    if (!want)
        return cw_fail(CW_ERR_MEMORY, "out of memory to verify the output");
    memcpy(want, in, n * sizeof *want);
    switch (problem) {
    case CW_SORT:
        qsort(want, n, sizeof *want, by_word);
        break;
    case CW_SORT_ROWS:
        for (uint32_t r = 0; r < w; r++)
            qsort(want + (size_t)r * m, m, sizeof *want, by_word);
        break;
    case CW_TRANSPOSE:
        break;
    case CW_PARTITION:
        qsort(want, n, sizeof *want, by_word);
        status = compare_rows(w, m, want, out);
        break;
    case CW_PERMUTE:
        status = place_items(n, in, want);
        break;
    }
    if (!status && problem != CW_PARTITION)
        status = compare(n, want, out);
    free(want);
    return status;
}
