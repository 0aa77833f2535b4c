/* verify_rows.c - jobs of cw_sort_rows that reach every row kernel, class by class. */
#include "tuning/rows.h"
#include "verify_batch.h"

#define FORMS   6
#define LONGEST 15 /* class */

/* A word size of the kernels: what is sorted in such words, and the classes. */
struct words {
    uint32_t log_k;
    uint32_t last;                /* the longest class that has a kernel */
    struct rows_form any[FORMS];  /* in kernels for any rows */
    struct rows_form full[FORMS]; /* in those for full rows */
    int has_full;
};

static const struct words all_words[] = {
    {CW_ROWS_U32_LOG_K,
     CW_ROWS_U32_LAST,
     {{CW_F32, 0, 0, 0, 0},
      {CW_U16, 0, 0, 1, 0},
      {CW_U32, CW_DESCENDING, 0, 0, 0},
      {CW_BF16, CW_DESCENDING, 0, 1, 1},
      {CW_I32, 0, 0, 0, 0},
      {CW_I8, 0, 0, 0, 0}},
     {{CW_U32, 0, 0, 0, 0},
      {CW_F32, CW_DESCENDING, 0, 0, 0},
      {CW_I32, 0, 0, 0, 0},
      {CW_F32, 0, 0, 0, 0},
      {CW_U32, CW_DESCENDING, 0, 0, 0},
      {CW_I32, CW_DESCENDING, 0, 0, 0}},
     1},
    {CW_ROWS_U64_LOG_K,
     CW_ROWS_U64_LAST,
     {{CW_U32, CW_CONFLICT_FREE, 4, 0, 0},
      {CW_F64, 0, 0, 0, 0},
      {CW_F32, CW_DESCENDING | CW_CONFLICT_FREE, 0, 1, 0},
      {CW_U64, CW_DESCENDING, 0, 0, 0},
      {CW_F16, CW_STABLE, 8, 0, 0},
      {CW_I32, CW_CONFLICT_FREE, 0, 1, 1}},
     {{CW_U64, 0, 0, 0, 0},
      {CW_F64, CW_DESCENDING, 0, 0, 0},
      {CW_I64, 0, 0, 0, 0},
      {CW_F64, 0, 0, 0, 0},
      {CW_U64, CW_DESCENDING, 0, 0, 0},
      {CW_I64, CW_DESCENDING, 0, 0, 0}},
     1},
    {CW_ROWS_U128_LOG_K,
     CW_ROWS_U128_LAST,
     {{CW_U64, 0, 8, 0, 0},
      {CW_F64, CW_DESCENDING, 4, 0, 0},
      {CW_I64, CW_STABLE, 4, 0, 0},
      {CW_U64, CW_DESCENDING, 0, 1, 0},
      {CW_F64, CW_STABLE, 8, 1, 0},
      {CW_I64, 0, 0, 1, 1}},
     {{CW_U8, 0, 0, 0, 0}},
     0},
};

/* Short rows: a tile of four warps and a half; long ones, which have a block each: a few. */
static uint32_t rows_of(const struct words *w, uint32_t length)
{
    const uint32_t tile = 4u * 32u << w->log_k;

    if (length <= tile)
        return tile / length + 1 + tile / length / 2;
    return VERIFY_SMALL ? 1 : 3;
}

/* Rows that are not full, the longest of their class and those that three quarters of its places hold,
 * and rows that are. */
static void equal_rows(struct verify *v, const struct words *w)
{
    for (uint32_t c = 1; c <= w->last; c++) {
        const uint32_t full = 1u << c;
        struct rows_case x = {.form = w->any[c % FORMS], .shift = c % 4 == 2};

        x.length = full - 1;
        x.rows = rows_of(w, x.length);
        batch_run(v, x);
        x.length = c < 2 || c % 2 ? full / 2 + 1 : full / 4 * 3;
        x.rows = rows_of(w, x.length);
        x.form = w->any[(c + 2) % FORMS];
        batch_run(v, x);
        if (w->log_k == CW_ROWS_U32_LOG_K && c >= CW_ROWS_FIVE_FIRST) {
            x.form = w->full[c % 2];
            x.length = full / 8 * 5 - c % 3;
            x.rows = rows_of(w, x.length);
            batch_run(v, x);
        }
        x.form = w->full[c % FORMS];
        x.length = full;
        x.rows = rows_of(w, x.length);
        x.shift = 0;
        if (w->has_full)
            batch_run(v, x);
    }
}

/* Joined, and merged by a network. */
static void rows_in_parts(struct verify *v, const struct words *w)
{
    const uint32_t lengths[] = {(1u << w->last) + 1, 3u << w->last};

    for (uint32_t k = 0; k < 2; k++) {
        struct rows_case x = {.form = w->any[k], .rows = 1, .length = lengths[k], .shift = k % 2};

        if (VERIFY_SMALL && k > 0)
            continue;
        x.form.flags |= CW_CONFLICT_FREE;
        batch_run(v, x);
        x.form.flags &= ~(unsigned)CW_CONFLICT_FREE;
        x.length = x.length > 32768u ? x.length : 32769u; /* shorter ones may go by places */
        batch_run(v, x);
    }
}

/* In small shapes: parts are half as long. */
void verify_small_rows(struct verify *v)
{
    for (size_t k = 0; k < sizeof all_words / sizeof *all_words; k++) {
        const struct words *const w = &all_words[k];
        struct rows_case x = {
            .form = w->any[0], .rows = 1, .length = (1u << (w->last - 1u)) + 1u, .shift = 1};

        x.form.flags |= CW_CONFLICT_FREE;
        batch_run(v, x);
    }
}

static void mixed_rows(struct verify *v, const struct words *w)
{
    for (uint32_t k = 0; k < FORMS; k++) {
        const struct rows_case x = {
            .form = w->any[k], .first = 1, .last = w->log_k + (k < 2 ? 5 : 3), .shift = k == 3};

        batch_run(v, x);
    }
    if (w->has_full) {
        struct rows_case x = {.form = w->full[0], .first = 1, .last = w->log_k + 7};

        batch_run(v, x);
        x.form = w->full[1];
        x.first = w->log_k + 8;
        x.last = VERIFY_SMALL ? w->log_k + 8 : w->last;
        batch_run(v, x);
    }
    if (w->last < LONGEST && !VERIFY_SMALL) {
        struct rows_case x = {
            .form = w->any[1], .first = w->last + 1, .last = LONGEST, .once = !w->has_full};

        batch_run(v, x);
    }
}

/* Keys of 4 bytes with company, which have kernels of their own unless conflicts are forbidden. */
static void rows_by_places(struct verify *v)
{
    static const struct rows_form forms[] = {
        {CW_U32, 0, 4, 0, 0}, {CW_I32, 0, 0, 1, 0}, {CW_F32, CW_DESCENDING, 4, 1, 0}};

    for (uint32_t c = CW_ROWS_INDEXED_FIRST; c <= LONGEST; c++) {
        struct rows_case x = {.form = forms[c % 3], .rows = 1};

        x.length = c % 2 ? (1u << c) - 1u : 1u << c;
        if (VERIFY_SMALL && c > CW_ROWS_INDEXED_FIRST + 2u)
            continue;
        batch_run(v, x);
        x.length = (1u << (c - 1)) + 1u;
        batch_run(v, x);
    }
}

/* Short rows of one length: a lane each. */
static void rows_of_lanes(struct verify *v)
{
    static const struct rows_form keys[] = {{CW_U32, 0, 0, 0, 0}, {CW_F32, CW_DESCENDING, 0, 0, 0}};
    static const struct rows_form pairs[] = {
        {CW_U32, 0, 4, 0, 0}, {CW_I32, 0, 0, 1, 0}, {CW_F32, CW_DESCENDING, 0, 1, 0}};
    static const uint32_t lengths[] = {5, 8, 10, 12, 13, 16, 20, 24, 31, 28, 36, 48};

    for (uint32_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct rows_case x = {.form = keys[k % 2], .length = lengths[k]};

        x.rows = 128u * (lengths[k] <= 8 ? 4u : 2u) + 1u;
        batch_run(v, x);
        x.form = pairs[k % 3];
        if (lengths[k] <= 24)
            batch_run(v, x);
    }
}

void verify_rows(struct verify *v)
{
    rows_of_lanes(v);
    rows_by_places(v);
    for (size_t k = 0; k < sizeof all_words / sizeof *all_words; k++) {
        equal_rows(v, &all_words[k]);
        rows_in_parts(v, &all_words[k]);
        mixed_rows(v, &all_words[k]);
    }
}
