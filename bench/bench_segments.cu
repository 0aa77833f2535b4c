/* bench_segments.cu - rows given by offsets: cw_sort_rows against CUB's segmented sorts.
 *
 *      bench_segments [log2 of all keys, 27] > segments.csv
 *
 * u32 keys; rows of one length, 32 .. 32768, and mixes of lengths 0 .. 1024 and 0 .. 32768, all
 * given by offsets; the same random keys for all, in one run (rows_bench.h: lines, timing,
 * checks).  Clearway twice: told the longest length, and told only that it is at most 32768.
 */
#include <cub/cub.cuh>

#include "rows_bench.h"

static cw_rows make_job(const bench *b, const std::vector<uint64_t> &offsets, uint32_t longest)
{
    cw_rows job = {};
    uint64_t *copy;

    ok(cudaMalloc(&copy, offsets.size() * 8), "memory");
    ok(cudaMemcpy(copy, offsets.data(), offsets.size() * 8, cudaMemcpyHostToDevice), "copy");
    job.type = CW_U32;
    job.rows = offsets.size() - 1;
    job.length = longest;
    job.offsets = copy;
    job.items = b->n;
    job.keys_in = b->keys_in;
    job.keys_out = b->keys_out;
    return job;
}

static double segments(bench *b, const cw_rows &job, const std::string &length, double ours,
                       bool radix)
{
    const uint32_t *const in = (const uint32_t *)job.keys_in;
    uint32_t *const out = (uint32_t *)job.keys_out;
    const int64_t n = (int64_t)job.items, rows = (int64_t)job.rows;
    const uint64_t *const from = (const uint64_t *)job.offsets, *const to = from + 1;
    const char *const name = radix ? "cub segmented radix" : "cub segmented sort";
    size_t bytes = 0;
    void *temp = NULL;
    double speed;
    const auto call = [&] {
        ok(radix ? cub::DeviceSegmentedRadixSort::SortKeys(temp, bytes, in, out, n, rows, from, to)
                 : cub::DeviceSegmentedSort::SortKeys(temp, bytes, in, out, n, rows, from, to),
           name);
    };

    call(); /* only says how many bytes */
    ok(cudaMalloc(&temp, bytes), "memory");
    speed = line(b, job, length, name, "offsets", ours, call);
    ok(cudaFree(temp), "free");
    return speed;
}

static void compare(bench *b, uint32_t longest, bool mixed)
{
    const std::string name = (mixed ? "0-" : "") + std::to_string(longest);
    std::vector<uint64_t> offsets(1, 0);

    while (offsets.back() < b->n) {
        const uint64_t length = mixed ? mix(offsets.size()) % (longest + 1u) : longest;

        offsets.push_back(std::min(b->n, offsets.back() + length));
    }
    const cw_rows job = make_job(b, offsets, longest);
    cw_rows blind = job;
    blind.length = 32768;
    const double ours = clearway(b, job, name, "offsets", 0);
    const double unknown = clearway(b, blind, name, "offsets; longest unknown", ours);
    const double sort = segments(b, job, name, ours, false);
    const double radix = segments(b, job, name, ours, true);
    fprintf(stderr,
            "u32 rows of %s: clearway %.1f (longest unknown %.1f), cub segmented sort %.1f, radix "
            "%.1f: %.2f times segmented sort, %.2f times the better\n",
            name.c_str(), ours, unknown, sort, radix, ours / sort, ours / std::max(sort, radix));
    ok(cudaFree((void *)job.offsets), "free");
}

int main(int argc, char **argv)
{
    static const uint32_t lengths[] = {32,   64,   96,   128,  256,  384,  512,   1024, 1536,
                                       2048, 3000, 3072, 4096, 6144, 8192, 16384, 32768};
    bench b = open_bench("bench_segments", argc, argv);

    fill_keys(&b, CW_U32, 1, RANDOM);
    for (uint32_t length : lengths)
        compare(&b, length, false);
    compare(&b, 1024, true);
    compare(&b, 32768, true);
    cw_context_destroy(b.context);
    return b.failed;
}
