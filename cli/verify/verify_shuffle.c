/* verify_shuffle.c - arrays for cw_shuffle and cw_gather_sum that launch each of their kernels.
 *
 * The emulator's kernels have smaller shapes than a GPU's, so their launches are not compared.
 */
#include <string.h>

#include "base/status.h"
#include "verify.h"

enum { IN, OUT, INDEX, ROOM, ARRAYS };

static int left_out(const struct verify *v, const char *family)
{
    return v->only >= 0 &&
           strncmp(cw_kernel_name((enum cw_kernel)v->only), family, strlen(family)) != 0;
}

static cw_status fill(struct verify *v, struct verify_array *a, size_t bytes)
{
    uint64_t seed = ++v->salt;
    cw_status status = verify_array_make(v, a, bytes, 0);

    if (status)
        return status;
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)a->host)[k] = (unsigned char)verify_random(&seed);
    return verify_send(v, a);
}

static void end(struct verify *v, cw_status status, const char *wrong, struct verify_array *a)
{
    verify_end(v, status ? cw_last_error() : wrong);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &a[x]);
}

/* ---- shuffle -------------------------------------------------------------------------------- */

static void shuffle_case(struct verify *v, size_t n, size_t bytes)
{
    cw_shuffle_job job = {.n = n, .bytes = bytes, .seed = 9};
    struct verify_array a[ARRAYS];
    const char *wrong = NULL;
    size_t room = 0;
    cw_status status;

    if (verify_skip(v, 2))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "shuffle of %zu items of %zu bytes", n, bytes);
    status = fill(v, &a[IN], n * bytes);
    if (!status)
        status = fill(v, &a[OUT], n * bytes);
    if (!status)
        status = cw_shuffle_workspace(&job, &room);
    if (!status)
        status = verify_array_make(v, &a[ROOM], room, 0);
    job.in = a[IN].there;
    job.out = a[OUT].there;
    if (!status)
        status = cw_shuffle(v->context, &job, a[ROOM].there, room, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    if (!status)
        status = verify_fetch(v, &a[OUT]);
    for (size_t i = 0; i < n && !status && !wrong; i++)
        if (memcmp((char *)a[OUT].host + cw_shuffle_at(n, 9, i) * bytes,
                   (char *)a[IN].host + i * bytes, bytes))
            wrong = "an item is in the wrong place";
    end(v, status, wrong, a);
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Each row twice, from the same row, of small whole numbers: the sum is exact. */
static void sum_case(struct verify *v, cw_type type, size_t columns)
{
    static const uint16_t numbers[3][4] = {{0, 0x3c00, 0x4000, 0x4400}, /* f16: 0, 1, 2, 4 */
                                           {0, 0x3f80, 0x4000, 0x4080},
                                           {0, 0x3f80, 0x4000, 0x4080}};
    static const uint16_t doubled[3][4] = {
        {0, 0x4000, 0x4400, 0x4800}, {0, 0x4000, 0x4080, 0x4100}, {0, 0x4000, 0x4080, 0x4100}};
    const size_t rows = 40, bytes = cw_type_bytes(type), all = rows * columns;
    const int kind = type == CW_F16 ? 0 : type == CW_BF16 ? 1 : 2;
    cw_gather_job job = {.flags = CW_CHECK,
                         .type = type,
                         .n = rows,
                         .rows = rows,
                         .columns = columns,
                         .per = 2,
                         .index_bytes = 4};
    struct verify_array a[ARRAYS];
    const char *wrong = NULL;
    cw_status status;

    if (verify_skip(v, 2))
        return;
    memset(a, 0, sizeof a);
    verify_begin(v, "sums of rows of %zu %s", columns, cw_type_name(type));
    status = fill(v, &a[IN], all * bytes);
    if (!status)
        status = fill(v, &a[OUT], all * bytes);
    if (!status)
        status = verify_array_make(v, &a[INDEX], rows * 2 * 4, 0);
    if (!status)
        status = verify_array_make(v, &a[ROOM], 256, 0);
    for (size_t i = 0; i < all && !status; i++) { /* an f32 that ends in zeros is a bf16 */
        const uint16_t x = numbers[kind][i * 7 / 3 % 4];
        const uint32_t wide = (uint32_t)x << 16;

        memcpy((char *)a[IN].host + i * bytes, kind == 2 ? (const void *)&wide : &x, bytes);
    }
    for (uint32_t i = 0; i < 2 * rows && !status; i++)
        ((uint32_t *)a[INDEX].host)[i] = (uint32_t)cw_shuffle_at(rows, 3, i / 2);
    if (!status)
        status = verify_send(v, &a[IN]);
    if (!status)
        status = verify_send(v, &a[INDEX]);
    job.in = a[IN].there, job.out = a[OUT].there, job.index = a[INDEX].there;
    if (!status)
        status = cw_gather_sum(v->context, &job, a[ROOM].there, 256, NULL);
    if (!status)
        status = cw_wait(v->context, NULL);
    if (!status)
        status = verify_fetch(v, &a[OUT]);
    for (size_t t = 0; t < all && !status && !wrong; t++) {
        const size_t from = cw_shuffle_at(rows, 3, t / columns) * columns + t % columns;
        const uint16_t x = doubled[kind][from * 7 / 3 % 4];
        const uint32_t wide = (uint32_t)x << 16;

        if (memcmp((char *)a[OUT].host + t * bytes, kind == 2 ? (const void *)&wide : &x, bytes))
            wrong = "a sum is wrong";
    }
    end(v, status, wrong, a);
}

void verify_shuffle(struct verify *v)
{
    if (!left_out(v, "cw_permute_")) {
        for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
            shuffle_case(v, 200, bytes);
            shuffle_case(v, 2003, bytes);
        }
        shuffle_case(v, 70, 100);
    }
    if (left_out(v, "cw_gather_sum_"))
        return;
    for (int type = CW_F16; type <= CW_F32; type++) {
        sum_case(v, (cw_type)type, 64);
        sum_case(v, (cw_type)type, 33);
    }
}
