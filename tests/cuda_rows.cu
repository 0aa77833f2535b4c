/* cuda_rows.cu - rows of u32 and u64 keys sorted on a GPU equal rows sorted on the host.
 *
 *      cuda_rows [quick]
 *
 * Lengths 2 .. 32768, powers of two and others; one row, some rows, and more than a block;
 * pointers on 16 bytes and off them; in place and not; random, few, equal, sorted, reversed and
 * organ-pipe keys, with the largest key among them (which also fills places).  Words on both sides
 * of the output must stay as they were.  `quick` is short enough for compute-sanitizer.
 */
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>

#include "cuda/sort_rows.h"

#define GUARD  64u
#define CANARY 0xc0ffee11u

static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 32);
}

static uint64_t key_of(int pattern, uint32_t column, uint32_t length)
{
    const uint64_t r = (uint64_t)draw() << 32 | draw();

    switch (pattern) {
    case 0:
        return r;
    case 1:
        return r % 3 == 0 ? ~0ull : r % 5;
    case 2:
        return 7;
    case 3:
        return column * 0x100000003ull;
    case 4:
        return ~(column * 0x100000001ull);
    default:
        return column < length / 2 ? column : length - column;
    }
}

static void ok(cudaError_t status)
{
    if (status != cudaSuccess) {
        printf("cuda_rows: %s\n", cudaGetErrorString(status));
        exit(1);
    }
}

struct trial {
    uint32_t length;
    uint64_t rows;
    uint32_t shift; /* of the buffers, in words off 16 bytes */
    int in_place;
    int pattern;
};

static int sort(const uint32_t *in, uint32_t *out, const struct trial *t)
{
    return cw_cuda_sort_rows_u32(in, out, t->rows, t->length, NULL);
}

static int sort(const uint64_t *in, uint64_t *out, const struct trial *t)
{
    return cw_cuda_sort_rows_u64(in, out, t->rows, t->length, NULL);
}

/* Returns the number of wrong words. */
template <typename KEY> static size_t run(const struct trial *t)
{
    const size_t n = t->rows * t->length;
    const size_t words = n + 2 * GUARD + 4;
    const size_t at = GUARD + t->shift;
    std::vector<KEY> want(words, CANARY), got(words), in(words, CANARY);
    KEY *a, *b;
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        want[at + i] = in[at + i] = (KEY)key_of(t->pattern, (uint32_t)(i % t->length), t->length);
    for (uint64_t r = 0; r < t->rows; r++) {
        const auto row = want.begin() + (ptrdiff_t)(at + r * t->length);

        std::sort(row, row + t->length);
    }
    ok(cudaMalloc(&a, words * sizeof(KEY)));
    ok(cudaMalloc(&b, words * sizeof(KEY)));
    ok(cudaMemcpy(a, in.data(), words * sizeof(KEY), cudaMemcpyHostToDevice));
    std::fill(got.begin(), got.end(), CANARY);
    ok(cudaMemcpy(b, got.data(), words * sizeof(KEY), cudaMemcpyHostToDevice));
    ok((cudaError_t)sort(a + at, (t->in_place ? a : b) + at, t));
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(got.data(), t->in_place ? a : b, words * sizeof(KEY), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < words; i++)
        wrong += got[i] != want[i];
    if (!t->in_place) { /* the input stays */
        ok(cudaMemcpy(got.data(), a, words * sizeof(KEY), cudaMemcpyDeviceToHost));
        wrong += memcmp(got.data(), in.data(), words * sizeof(KEY)) != 0;
    }
    ok(cudaFree(a));
    ok(cudaFree(b));
    return wrong;
}

static std::vector<uint32_t> lengths(int quick)
{
    std::vector<uint32_t> all;

    for (uint32_t p = 2; p <= 32768; p *= 2)
        all.push_back(p);
    if (quick)
        return all;
    for (uint32_t x = 3; x <= 300; x++)
        all.push_back(x);
    for (uint32_t p = 256; p <= 32768; p *= 2) {
        all.push_back(p - 1);
        all.push_back(p - p / 4 + 1);
        if (p < 32768)
            all.push_back(p + 1);
    }
    return all;
}

template <typename KEY> static size_t run_all(uint32_t longest, int quick)
{
    size_t cases = 0, failed = 0;

    for (uint32_t length : lengths(quick)) {
        const uint64_t block = std::max<uint64_t>(1, 4096 / length);
        const uint64_t rows[] = {1, block, 2 * block + 1};

        for (int r = quick ? 2 : 0; r < 3 && length <= longest; r++) {
            for (int variant = 0; variant < (quick ? 2 : 6); variant++) {
                const struct trial t = {length, rows[r], variant % 3 == 1 ? 1u : 0u, variant % 2,
                                        quick ? 0 : (variant + r) % 6};
                const uint64_t seed = state;
                const size_t wrong = run<KEY>(&t);

                cases++;
                failed += wrong != 0;
                if (wrong)
                    printf("u%zu length %u rows %llu shift %u in_place %d pattern %d seed %llu: "
                           "%zu words differ\n",
                           8 * sizeof(KEY), length, (unsigned long long)t.rows, t.shift, t.in_place,
                           t.pattern, (unsigned long long)seed, wrong);
            }
        }
    }
    printf("u%zu: %zu cases, %zu failed\n", 8 * sizeof(KEY), cases, failed);
    return failed;
}

int main(int argc, char **argv)
{
    const int quick = argc > 1 && !strcmp(argv[1], "quick");
    size_t failed = 0;

    failed += run_all<uint32_t>(CW_ROWS_MAX_U32, quick);
    failed += run_all<uint64_t>(CW_ROWS_MAX_U64, quick);
    if (cw_cuda_sort_rows_u32(NULL, NULL, 1, 1, NULL) == 0 ||
        cw_cuda_sort_rows_u32(NULL, NULL, 1, CW_ROWS_MAX_U32 + 1, NULL) == 0 ||
        cw_cuda_sort_rows_u64(NULL, NULL, 1, CW_ROWS_MAX_U64 + 1, NULL) == 0) {
        printf("a length out of range was taken\n");
        failed++;
    }
    printf("cuda_rows: %s\n", failed ? "FAIL" : "PASS");
    return failed != 0;
}
