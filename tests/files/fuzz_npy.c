/* fuzz_npy.c - a libFuzzer target: any bytes as the beginning of a .npy file.
 *
 *      clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -Iinclude -Isrc tests/files/fuzz_npy.c src/files/npy.c src/files/npy_record.c \
 *          src/api/types.c src/base/status.c -o fuzz_npy
 *      ./fuzz_npy -max_len=512 -max_total_time=120 [CORPUS]
 *
 * What is refused is refused with a status and a text; what is taken describes an array that makes
 * sense, and the head that is made of it is read as the same.  Of every other input the magic and
 * the length are made right first, so that the fuzzer gets past them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy.h"

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_npy: %s\n", what);
        abort();
    }
}

static void check(const uint8_t *bytes, size_t size)
{
    unsigned char made[CW_NPY_ROOM];
    struct cw_npy a, b;
    struct cw_npy_field field;
    const cw_status status = cw_npy_parse(bytes, size, &a);

    if (status) {
        must(status == CW_ERR_FORMAT || status == CW_ERR_TYPE, "refused with another status");
        must(cw_last_error()[0] != 0, "refused without a word");
        return;
    }
    must(a.dims == 1 || a.dims == 2, "dimensions");
    must(a.dims == 2 || a.rows == 1, "rows of one dimension");
    must(cw_type_bytes(a.type) > 0 && a.type != CW_BF16, "type");
    must(a.data_at >= 10 && a.data_at <= size, "the items begin behind what was read");
    must(a.data_bytes == a.rows * a.length * cw_type_bytes(a.type), "bytes of items");
    must(!a.rows || a.data_bytes / a.rows / cw_type_bytes(a.type) == a.length, "overflow");
    must(cw_npy_find_field(&a, "a", &field) ||
             field.at + cw_type_bytes(field.type.type) <= a.length,
         "a field outside its record");
    must(cw_npy_parse(made, cw_npy_make(&a, made), &b) == CW_OK, "its own head is refused");
    must(a.type == b.type && a.kind == b.kind && a.swapped == b.swapped && a.dims == b.dims &&
             a.rows == b.rows && a.length == b.length && a.data_bytes == b.data_bytes,
         "its own head is read as another");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *framed;

    check(data, size);
    if (size < 1)
        return 0;
    framed = (uint8_t *)malloc(size + 12);
    if (!framed)
        return 0;
    memcpy(framed, CW_NPY_MAGIC, 6);
    framed[6] = (uint8_t)(1 + data[0] % 3);
    framed[7] = 0;
    if (framed[6] == 1) {
        framed[8] = (uint8_t)((size - 1) & 255);
        framed[9] = (uint8_t)((size - 1) >> 8);
        memcpy(framed + 10, data + 1, size - 1);
        check(framed, size + 9);
    } else {
        framed[8] = (uint8_t)((size - 1) & 255);
        framed[9] = (uint8_t)((size - 1) >> 8);
        framed[10] = framed[11] = 0;
        memcpy(framed + 12, data + 1, size - 1);
        check(framed, size + 11);
    }
    free(framed);
    return 0;
}
