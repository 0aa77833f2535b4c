/* bench_lengths.cu - speed over the length of rows: cw_sort_rows against CUB's segmented sorts.
 *
 *      bench_lengths [log2 of all keys, 26] [keys|pairs|index|mixes|long|all] [lengths [alone]] > lengths.csv
 *
 * Lengths 2 .. 32768: all powers of two, each plus and minus 1, each times 1.5, and 40 random ones (the same
 * in every run); u32 keys, with u32 values, with an index; rows of one length and rows by offsets.
 * long: 2^16 .. 10^6 keys.  mixes: lengths 0 .. 49, powers of two and their neighbours, a power law with
 * rows of up to 10^6 keys, and 7 long rows among very short ones.  CUB gets offsets, and an index as values;
 * its line is that of the faster of its two segmented sorts.  scripts/lengths.py draws the CSV.
 * lengths: only these, with commas between them.  alone: CUB is not asked.
 *
 * Lines and checks are those of rows_bench.h; a peer that takes above 5 ms is timed three times.
 */
#include <cub/cub.cuh>
#include <cmath>
#include <set>

#include "rows_bench.h"

enum form { KEYS, PAIRS, INDEX };

static const char *const form_names[] = {"keys", "pairs", "index"};

struct lengths_case {
    bench *b;
    std::string name;
    std::vector<uint64_t> offsets;
    uint64_t *on_gpu;
    uint64_t longest;
};

static cw_rows make_job(const lengths_case &c, enum form form, bool by_offsets)
{
    const bench *const b = c.b;
    cw_rows job = {};

    job.type = CW_U32;
    job.rows = c.offsets.size() - 1;
    job.length = c.longest;
    job.offsets = by_offsets ? c.on_gpu : NULL;
    job.items = c.offsets.back();
    job.keys_in = b->keys_in;
    job.keys_out = b->keys_out;
    job.values_in = form == PAIRS ? b->values_in : NULL;
    job.values_out = form == PAIRS ? b->values_out : NULL;
    job.value_bytes = form == PAIRS ? 4 : 0;
    job.index_out = form == INDEX ? b->values_out : NULL;
    return job;
}

/* ---- peers ---------------------------------------------------------------------------------- */

struct cub_memory {
    void *temp;
    size_t bytes;
};

static cub_memory memory = {};
static bool alone = false;

static double time_peer(const bench *b, uint64_t keys, const method &run)
{
    const float first = time_once(b, run);
    std::vector<float> ms(first > 5 ? (first > 50 ? 1 : 3) : 9);

    for (float &t : ms)
        t = time_once(b, run);
    std::sort(ms.begin(), ms.end());
    return keys / ms[ms.size() / 2] / 1e6;
}

static double cub_speed(const bench *b, const lengths_case &c, bool radix, bool pairs)
{
    const uint32_t *const in = (const uint32_t *)b->keys_in;
    uint32_t *const out = (uint32_t *)b->keys_out;
    const int64_t n = (int64_t)c.offsets.back(), rows = (int64_t)c.offsets.size() - 1;
    const uint64_t *const from = c.on_gpu, *const to = c.on_gpu + 1;
    size_t bytes = 0;
    const auto call = [&](void *temp) {
        using namespace cub;
        ok(radix   ? pairs
                         ? DeviceSegmentedRadixSort::SortPairs(temp, bytes, in, out, b->values_in,
                                                               b->values_out, n, rows, from, to)
                         : DeviceSegmentedRadixSort::SortKeys(temp, bytes, in, out, n, rows, from, to)
             : pairs ? DeviceSegmentedSort::SortPairs(temp, bytes, in, out, b->values_in,
                                                      b->values_out, n, rows, from, to)
                   : DeviceSegmentedSort::SortKeys(temp, bytes, in, out, n, rows, from, to),
           "cub");
    };

    call(NULL); /* only says how many bytes */
    if (bytes > memory.bytes) {
        ok(cudaFree(memory.temp), "free");
        ok(cudaMalloc(&memory.temp, bytes), "memory");
        memory.bytes = bytes;
    }
    return time_peer(b, c.offsets.back(), [&] { call(memory.temp); });
}

/* The faster of CUB's two.  The radix sort has a block for each row: very short ones are not asked. */
static double cub_best(const lengths_case &c, bool pairs, std::string *which)
{
    const uint64_t mean = c.offsets.back() / (c.offsets.size() - 1);
    const double sort = cub_speed(c.b, c, false, pairs);
    const double radix = mean >= 1000 ? cub_speed(c.b, c, true, pairs) : 0;

    *which = radix > sort ? "cub segmented radix" : "cub segmented sort";
    return std::max(sort, radix);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void measure(lengths_case &c, bool equal, const std::string &what)
{
    double best[2] = {0, 0};
    std::string which[2];

    ok(cudaMalloc(&c.on_gpu, c.offsets.size() * 8), "memory");
    ok(cudaMemcpy(c.on_gpu, c.offsets.data(), c.offsets.size() * 8, cudaMemcpyHostToDevice),
       "copy");
    for (int f = KEYS; f <= INDEX; f++) {
        const bool pairs = f != KEYS;
        double ours[2] = {0, 0};

        if (what != "all" && what != "long" && what != "mixes" && what != form_names[f])
            continue;
        for (int by = equal ? 0 : 1; by < 2; by++)
            ours[by] = clearway(c.b, make_job(c, (enum form)f, by), c.name,
                                by ? "offsets" : "one length", 0);
        if (best[pairs] == 0 && !alone)
            best[pairs] = cub_best(c, pairs, &which[pairs]);
        if (!alone)
            print(c.b, c.offsets.back(), type_name(make_job(c, (enum form)f, true)), c.name,
                  which[pairs], "offsets", best[pairs], ours[1] / best[pairs]);
        fprintf(stderr, "%-5s %8s: %7.1f, by offsets %7.1f, cub %7.1f: %.2f, %.2f times\n",
                form_names[f], c.name.c_str(), ours[0], ours[1], best[pairs], ours[0] / best[pairs],
                ours[1] / best[pairs]);
    }
    ok(cudaFree(c.on_gpu), "free");
}

static void one_length(bench *b, uint64_t length, const std::string &what)
{
    lengths_case c = {b, std::to_string(length), {}, NULL, length};

    for (uint64_t at = 0; at + length <= b->n; at += length)
        c.offsets.push_back(at);
    c.offsets.push_back(c.offsets.size() * length);
    measure(c, true, what);
}

template <typename LENGTH> static void mixed(bench *b, const char *name, LENGTH length_of)
{
    lengths_case c = {b, name, {0}, NULL, 0};

    for (;;) {
        const uint64_t length = length_of(c.offsets.size() - 1);

        if (c.offsets.back() + length > b->n || c.offsets.size() > (1u << 26))
            break;
        c.offsets.push_back(c.offsets.back() + length);
        c.longest = std::max(c.longest, length);
    }
    measure(c, false, "mixes");
}

static std::set<uint32_t> all_lengths(void)
{
    std::set<uint32_t> all;

    for (uint32_t x = 2; x <= 32768; x *= 2) {
        all.insert({x, x + 1 <= 32768 ? x + 1 : x, x > 2 ? x - 1 : x, x < 32768 ? x + x / 2 : x});
    }
    for (uint32_t i = 0; i < 40; i++)
        all.insert((uint32_t)exp2(1 + 14 * (double)(mix(i + 77) % 65536) / 65536));
    return all;
}

static std::set<uint32_t> lengths_of(const char *list)
{
    std::set<uint32_t> some;

    for (char *end; *list; list = *end ? end + 1 : end)
        some.insert((uint32_t)strtoul(list, &end, 10));
    return some;
}

static void mixes(bench *b)
{
    mixed(b, "0-49", [](uint64_t r) { return mix(r) % 50; });
    mixed(b, "2^k and neighbours",
          [](uint64_t r) { return (2ull << mix(r) % 14) + mix(r + (1ull << 40)) % 3 - 1; });
    mixed(b, "power law to 10^6", [](uint64_t r) {
        const double u = (double)(mix(r) % (1ull << 40) + 1) / (double)(1ull << 40);

        return (uint64_t)std::min(1e6, 2 / u);
    });
    mixed(b, "7 of 8*10^6 among 10^6 of 3", [](uint64_t r) -> uint64_t {
        return r >= 1000007 ? 1ull << 60 : r % 142858 == 71429 ? 8000000 : 3;
    });
}

int main(int argc, char **argv)
{
    static const uint64_t longs[] = {1u << 16, 100000, 1u << 17, 1u << 20, 1000000};
    char size[] = "26";
    char *args[] = {argv[0], argc > 1 ? argv[1] : size};
    const std::string what = argc > 2 ? argv[2] : "all";
    const std::set<uint32_t> lengths = argc > 3 ? lengths_of(argv[3]) : all_lengths();
    bench b = open_bench("bench_lengths", 2, args);

    alone = argc > 4;
    fill_keys(&b, CW_U32, 1, RANDOM);
    if (what != "long" && what != "mixes") {
        for (uint32_t length : lengths)
            one_length(&b, length, what);
    }
    if (what == "long" || (what == "all" && argc <= 3)) {
        for (uint64_t length : longs)
            one_length(&b, length, what);
    }
    if (what == "mixes" || (what == "all" && argc <= 3))
        mixes(&b);
    cw_context_destroy(b.context);
    return b.failed;
}
