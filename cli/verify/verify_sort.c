/* verify_sort.c - arrays for cw_sort that launch every kernel of the whole-device sort.
 *
 * The emulator's kernels have smaller blocks, chunks and bins than a GPU's (tuning/sort_radix.h), so
 * their launches are not compared.  Nor are those of the comparison sort, which sorts samples by the
 * kernels for rows: these are left out of the notes, as on a GPU arrays have to be longer for that.
 */
#include "verify_batch.h"
#include "verify_keys.h"

/* Rows alone of each length, a split into rows, and one into the longest rows, by queues: of random keys, and of a
 * narrow range. */
static const uint32_t lengths[] = {1000, 2000, 4096, 20011, 125003};

#define LENGTHS (sizeof lengths / sizeof *lengths)

static const struct rows_form engines[][4] = {
    {{CW_U32, 0, 0, 0, 0},
     {CW_F32, CW_DESCENDING, 0, 0, 0},
     {CW_I32, 0, 0, 0, 0},
     {CW_F32, 0, 0, 0, 0}},
    {{CW_U64, 0, 0, 0, 0},
     {CW_F64, CW_DESCENDING, 0, 0, 0},
     {CW_I64, 0, 0, 0, 0},
     {CW_F64, 0, 0, 0, 0}},
    {{CW_U32, 0, 4, 0, 0},
     {CW_F32, 0, 4, 0, 0},
     {CW_I32, CW_STABLE, 4, 0, 0},
     {CW_F32, CW_DESCENDING, 0, 1, 0}},
};

/* With CW_CONFLICT_FREE: a tile, tiles that are merged, and arrays that are cut once, twice and three times. */
static void verify_compare(struct verify *v)
{
    static const struct rows_form forms[] = {
        {CW_U32, CW_CONFLICT_FREE, 0, 0, 0}, {CW_F64, CW_CONFLICT_FREE | CW_DESCENDING, 0, 0, 0},
        {CW_I32, CW_CONFLICT_FREE, 4, 0, 0}, {CW_I64, CW_CONFLICT_FREE | CW_STABLE, 8, 0, 0},
        {CW_F16, CW_CONFLICT_FREE, 0, 1, 0}, {CW_F64, CW_CONFLICT_FREE, 0, 1, 1},
    };
    static const uint32_t sizes[] = {1000, 2047, 6143, 6143, 18425, 27135};

    v->aside = 1;
    for (uint32_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (uint32_t k = 0; k < sizeof sizes / sizeof *sizes - VERIFY_SMALL; k++) {
            const struct rows_case x = {
                .form = forms[f], .rows = 1, .length = sizes[k], .array = 1, .shift = k % 2};

            if (k < 5 || f < 2)
                batch_run(v, x);
        }
    }
    for (uint32_t k = 0; k < 3; k++) { /* buckets that are longer than a tile */
        const struct rows_case x = {
            .form = forms[0], .rows = 1, .length = 15000u + 1771u * k, .array = 1};

        batch_run(v, x);
    }
    v->aside = 0;
}

/* In small shapes: short tiles of 2048 items of 16 bytes, one and several, and tiles of 4096. */
void verify_small_sort(struct verify *v)
{
    static const uint32_t sizes[] = {1501, 9001, 17001};

    v->aside = 1;
    for (uint32_t k = 0; k < 3; k++) {
        const struct rows_case x = {.form = {CW_U64, CW_CONFLICT_FREE, 4, 0, 0},
                                    .rows = 1,
                                    .length = sizes[k],
                                    .array = 1,
                                    .shift = k % 2};

        batch_run(v, x);
    }
    v->aside = 0;
}

/* On a GPU: the comparison sort where its tiles are cut, so that all of its kernels run.  Keys of several
 * kinds, adversarial ones among them, by the salt. */
void verify_alone(struct verify *v)
{
    static const struct rows_form forms[] = {{CW_U32, CW_CONFLICT_FREE, 0, 0, 0},
                                             {CW_F64, CW_CONFLICT_FREE, 0, 0, 0},
                                             {CW_I32, CW_CONFLICT_FREE, 4, 0, 0},
                                             {CW_U64, CW_CONFLICT_FREE, 4, 0, 0}};

    for (uint32_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (uint32_t k = 0; k < 2; k++) {
            const struct rows_case x = {.form = forms[f], .rows = 1, .length = 70001, .array = 1};

            batch_run(v, x);
        }
    }
}

/* Long ones, of which a sample is taken: skewed, so that the first level goes by it, and not; sorted, so that it goes by
 * tiles. */
static void verify_sampled(struct verify *v)
{
    static const enum verify_pattern keys[] = {KEYS_SKEWED, KEYS_RANDOM, KEYS_EVEN};
    static const struct rows_form forms[] = {{CW_U32, 0, 0, 0, 0},        {CW_U64, 0, 0, 0, 0},
                                             {CW_U32, 0, 4, 0, 0},        {CW_I32, 0, 0, 0, 0},
                                             {CW_I64, 0, 0, 0, 0},        {CW_I32, 0, 4, 0, 0},
                                             {CW_I32, CW_STABLE, 4, 0, 0}};

    for (uint32_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        for (uint32_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            const struct rows_case x = {
                .form = forms[f], .rows = 1, .length = 20011, .array = 1, .keys = keys[k]};

            batch_run(v, x);
        }
    }
}

/* Payloads of 4, 8 and 16 bytes and none, with keys of 4 and 8: by one block, in one launch of several blocks with few
 * items a thread and with many, least significant digit first in tiles of several portions, and hybrid, with one pass and
 * with two.  Keys alone are sorted so if not all bits count. */
static void verify_lsd(struct verify *v)
{
    static const struct rows_form forms[] = {
        {CW_U32, 0, 0, 0, 0}, {CW_F32, CW_DESCENDING, 4, 1, 0},
        {CW_I32, 0, 8, 0, 0}, {CW_U16, 0, 16, 0, 0},
        {CW_U64, 0, 0, 0, 0}, {CW_F64, 0, 0, 1, 0},
        {CW_I64, 0, 8, 0, 0}, {CW_F64, CW_DESCENDING, 16, 0, 0}};

    static const uint32_t sizes[] = {903, 1203, 3203, 5303, 7003};

    for (uint32_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        for (uint32_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const int alone = !forms[f].value_bytes && !forms[f].index;
            const struct rows_case x = {.form = forms[f],
                                        .rows = 1,
                                        .length = sizes[k],
                                        .array = 1,
                                        .shift = k % 2,
                                        .bits = alone ? 20 : 0,
                                        .keys = alone   ? KEYS_INTERLEAVED
                                                : k > 2 ? KEYS_RANDOM
                                                        : KEYS_BY_SALT};

            batch_run(v, x);
        }
    }
}

void verify_sort(struct verify *v)
{
    static const struct rows_form others[] = {
        {CW_U8, 0, 0, 0, 0},          {CW_F16, CW_DESCENDING, 0, 0, 0},
        {CW_I64, CW_STABLE, 8, 0, 0}, {CW_U32, CW_STABLE, 4, 0, 0},
        {CW_BF16, 0, 0, 1, 1},        {CW_I32, 0, 0, 1, 1}};

    for (uint32_t e = 0; e < 3; e++) {
        for (uint32_t k = 0; k < LENGTHS; k++) {
            const int all = lengths[k] == 20011, longest = k + 1 == LENGTHS;

            for (uint32_t f = 0; f < (all ? 4u : longest ? 2u : 1u); f++) {
                const enum verify_pattern keys = f ? KEYS_INTERLEAVED : KEYS_RANDOM;
                const struct rows_case x = {.form = engines[e][all ? f : k % 4],
                                            .rows = 1,
                                            .length = lengths[k],
                                            .array = 1,
                                            .shift = f % 2,
                                            .keys = longest ? keys : KEYS_BY_SALT};

                batch_run(v, x);
            }
        }
    }
    for (uint32_t k = 0; k < sizeof others / sizeof *others; k++) {
        const int levels = others[k].type == CW_U32; /* which shorter arrays have none of */
        const struct rows_case x = {.form = others[k],
                                    .rows = 1,
                                    .length = levels ? 20011 : 5003,
                                    .array = 1,
                                    .shift = k % 2};

        batch_run(v, x);
    }
    verify_sampled(v);
    verify_compare(v);
    for (uint32_t e = 0; e < 6; e++) { /* the longest rows, alone, and what one block sorts */
        const struct rows_case x = {
            .form = engines[e % 3][0], .rows = 1, .length = e < 3 ? 4501 : 300, .array = 1};

        batch_run(v, x);
    }
    verify_lsd(v);
}
