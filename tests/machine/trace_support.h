/* trace_support.h - programs to trace, and the file that their traces go to. */
#ifndef CW_TESTS_TRACE_SUPPORT_H
#define CW_TESTS_TRACE_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dev/dev.h"
#include "machine/trace/trace.h"

#define SUPPORT static __attribute__((unused))

#define W 7
#define M 5

SUPPORT char folder[] = "trace-test-XXXXXX";
SUPPORT char file[64];

SUPPORT int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/run.cwt", folder);
    return 0;
}

SUPPORT int remove_folder(void **state)
{
    (void)state;
    (void)remove(file);
    return rmdir(folder); /* fails, and with it the test, if anything else was left there */
}

/* ---- programs ------------------------------------------------------------- */

SUPPORT uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* Reads and writes all over memory, collisions and skips included; lanes end at
 * different times. */
SUPPORT void wander(struct cw_model *s, const void *arg)
{
    const unsigned seed = *(const unsigned *)arg;
    const int i = lane_id(s);
    word seen[3] = {0, 0, 0};

    for (int k = 0; k < 40 + 3 * i; k++) {
        const uint64_t r = mix(seed * 1000003u + (unsigned)(i * 1009 + k));
        const int row = (int)(r % W);
        const int col = (int)(r >> 8 & 1023) % (2 * M);

        if (r >> 60 < 7)
            seen[k % 3] = bank_read(s, row, col);
        else if (r >> 60 < 11)
            bank_write(s, row, col, seen[k % 2]);
        else if (r >> 60 < 14)
            bank_write(s, row, col, r);
        else
            lane_skip(s);
        if (k == 20)
            phase_mark(s, 0, 1, W, M, M, seed & 1 ? "odd" : "even");
    }
}

/* Own rows to rows further and further away: nobody collides if w is 64. */
SUPPORT void turn(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);
    const int m = *(const int *)arg;

    for (int k = 0; k < 8 * m; k++) {
        const word x = bank_read(s, i, k % m);

        bank_write(s, (i + 5 * k) % 64, m + k % m, x);
    }
}

SUPPORT struct cw_model *machine(uint32_t w, uint32_t m, int count, unsigned seed)
{
    const struct cw_model_config config = {w, m, count, 3, 2 * w};
    struct cw_model *s;
    uint32_t first;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(cw_model_aux(s, "other", m, &first), CW_OK);
    for (uint32_t r = 0; r < w; r++)
        for (uint32_t c = 0; c < m; c++)
            *cw_model_at(s, r, c) = seed % 3 ? mix(seed + r * m + c) : r * m + c;
    return s;
}

SUPPORT cw_status record(struct cw_model *s, void (*body)(struct cw_model *, const void *),
                         const void *arg)
{
    const struct cw_trace_info info = {"wander", "made up", 77};
    struct cw_trace *t;
    cw_status status;

    assert_int_equal(cw_trace_open(file, &info, s, &t), CW_OK);
    cw_model_trace(s, t);
    status = cw_model_run(s, body, arg);
    assert_int_equal(cw_trace_close(t), CW_OK);
    return status;
}

SUPPORT unsigned char *load(size_t *size)
{
    FILE *f = fopen(file, "rb");
    unsigned char *bytes;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    bytes = (unsigned char *)malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

SUPPORT void seal(unsigned char *bytes, size_t size)
{
    uint32_t sum = cw_trace_checksum(CW_TRACE_CHECKSUM_SEED, bytes, size - 4);

    for (int x = 0; x < 4; x++, sum >>= 8)
        bytes[size - 4 + x] = (unsigned char)sum;
}

#endif
