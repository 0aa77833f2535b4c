/* fuzz_plan.c - a libFuzzer target: any bytes as a saved plan, loaded and, if it loads, executed.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
 *          -fno-sanitize-recover=all -Iinclude -Isrc tests/files/fuzz_plan.c src/offline/load.c \
 *          src/offline/save.c src/offline/lay.c src/offline/make.c src/offline/make_passes.c src/offline/map.c \
 *          src/offline/bits.c src/offline/host.c src/cpu/transpose/transpose.c src/cpu/transpose/tiles.c \
 *          src/cpu/transpose/in_place.c src/files/output*.c src/files/bytes.c src/base/threads.c \
 *          src/base/status.c -o fuzz_plan
 *      ./fuzz_plan -max_len=4096 -max_total_time=120 [CORPUS]
 *
 * The checksums are made right first, so that the fuzzer gets past them; the first byte says of
 * some inputs that they are left as they are.  What is refused is refused with a status and a text;
 * what loads must execute a permutation: every item once.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/transpose/transpose.h"
#include "offline/file.h"

#define HEAD (8 * CW_FILE_WORDS)

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_plan: %s\n", what);
        abort();
    }
}

static void mend(unsigned char *file, size_t size)
{
    cw_file_put(file, CW_FILE_MAGIC, 8);
    cw_file_put(file + 8, CW_FILE_VERSION, 8);
    cw_file_put(file + HEAD, cw_file_sum(0, file, HEAD), 8);
    cw_file_put(file + size - 8, cw_file_sum(0, file, size - 8), 8);
}

/* Items that are their own numbers; n is small, as the file is. */
static void execute(const cw_plan *plan)
{
    const size_t n = plan->n, bytes = plan->bytes;
    cw_transpose_job job;
    struct cw_plan_table t;
    unsigned char *in, *out, *room, *table, *seen;

    if (n > 1u << 20 || (n > 256 && bytes < 4)) /* a map of billions needs no file */
        return;
    cw_plan_pieces(plan, &t);
    in = (unsigned char *)calloc(n + 1, bytes);
    out = (unsigned char *)calloc(n + 1, bytes);
    room = (unsigned char *)calloc(n + 1, bytes);
    seen = (unsigned char *)calloc(n + 1, 1);
    table = (unsigned char *)calloc(t.all + 1, 1);
    must(in && out && room && seen && table, "no memory");
    for (int k = 0; k < CW_PIECES; k++) {
        if (t.bytes[k])
            memcpy(table + t.at[k], t.data[k], t.bytes[k]);
    }
    for (size_t i = 0; i < n; i++)
        cw_file_put(in + i * bytes, i, bytes < 4 ? 1 : 4);
    must(!(cw_plan_transposes(plan, in, out, &job)
               ? cw_cpu_transpose(&job, NULL, NULL)
               : cw_plan_host(plan, table, in, out, room, NULL)),
         "not executed");
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = cw_file_get(out + i * bytes, bytes < 4 ? 1 : 4);

        must(x < n && !seen[x], "not a permutation");
        seen[x] = 1;
    }
    free(in);
    free(out);
    free(room);
    free(seen);
    free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *const copy = (unsigned char *)malloc(size + 1);
    cw_plan *plan = NULL;
    FILE *file;
    cw_status status;

    if (!copy || !size) {
        free(copy);
        return 0;
    }
    memcpy(copy, data, size);
    if (data[0] % 16 && size >= HEAD + 16 && size % 8 == 0)
        mend(copy, size);
    file = fmemopen(copy, size, "rb");
    must(file != NULL, "no file");
    status = cw_file_read(file, size, "input", &plan);
    must(status ? !plan && cw_last_error()[0] : plan != NULL, "neither refused nor loaded");
    if (plan)
        execute(plan);
    cw_plan_destroy(plan);
    fclose(file);
    free(copy);
    return 0;
}
