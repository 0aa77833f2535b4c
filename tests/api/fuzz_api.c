/* fuzz_api.c - a libFuzzer target: every call of the public API, held against an obvious reference.
 *
 *      clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address -Iinclude -Isrc -Itests \
 *          tests/api/fuzz_api.c $(find tests/support/fuzz src/api src/base src/cpu -name '*.c') $LIBRARY \
 *          -lm -lpthread -o fuzz_api
 *      ./fuzz_api -max_len=1024 -max_total_time=120 [CORPUS]
 *
 * LIBRARY is a libclearway.a, for what is not listed: the emulator and its kernels, which look at every access by
 * themselves.  The first byte of an input says which call is made and where: host threads mostly, the emulator at times.
 * Arrays have just the bytes that they need, so that the sanitizer sees the next one.
 */
#include "support/fuzz/calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(const struct where *, struct input *) = {
        fuzz_sort,       fuzz_rows,    fuzz_partition, fuzz_permute,
        fuzz_gather_sum, fuzz_shuffle, fuzz_transpose, fuzz_plan};
    static cw_context *cpu, *emulator;
    struct input in = {data, size};
    const uint64_t first = input_bytes(&in, 1);
    struct where on;

    if (!cpu) {
        must(cw_context_create(CW_CPU, &cpu) == CW_OK, "no context");
        must(cw_context_create(CW_EMULATOR, &emulator) == CW_OK, "no emulator");
        must(cw_context_set_threads(cpu, 2) == CW_OK, "no threads");
    }
    on.emulated = first >> 3 == 31;
    on.context = on.emulated ? emulator : cpu;
    on.most = on.emulated ? 700 : 5000;
    must(cw_context_set_seed(on.context, size) == CW_OK,
         "no seed"); /* what fails will fail again */
    calls[first & 7](&on, &in);
    return 0;
}
