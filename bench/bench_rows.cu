/* bench_rows.cu - rows of one length: cw_sort_rows against CUB's block and warp sorts.
 *
 *      bench_rows [log2 of all keys, 27] > rows.csv
 *
 * All in one run and, for a type, on the same random keys (rows_bench.h: lines and timing; rows_keys.h: checks):
 *
 *      u32, u64, u32+u32    Clearway, by default and conflict-free, then all of cub_rows.h
 *      inputs               conflict-free kernels on sorted, reversed, equal, 0-1 and other keys,
 *                           where a network should take the time of random ones
 *      orders and types     descending, signed, floats, short keys, indices, stable pairs
 *      lengths              short ones and such as are no powers of two, Clearway alone
 *      copy                 of as many u32 keys of each input, the bound of all
 */
#include <set>

#include "rows_bench.h"
#include "cub_rows.h"

enum form { KEYS, PAIRS, INDEX, ARGSORT };

/* Rows by the sixteen, because peers have several a block. */
static cw_rows make_job(const bench *b, cw_type type, uint32_t length, enum form form,
                        unsigned flags)
{
    cw_rows job = {};

    job.type = type;
    job.flags = flags;
    job.length = length;
    job.rows = b->n / length / 16 * 16;
    job.keys_in = b->keys_in;
    job.keys_out = form == ARGSORT ? NULL : b->keys_out;
    job.values_in = form == PAIRS ? b->values_in : NULL;
    job.values_out = form == PAIRS ? b->values_out : NULL;
    job.value_bytes = form == PAIRS ? 4 : 0;
    job.index_out = form == INDEX || form == ARGSORT ? b->values_out : NULL;
    return job;
}

static double run_peer(bench *b, const cw_rows &job, const peer &p, double ours)
{
    const void *const keys_in = job.keys_in, *const values_in = job.values_in;
    void *const keys_out = job.keys_out, *const values_out = job.values_out;
    void *args[] = {(void *)&keys_in, (void *)&keys_out, (void *)&values_in, (void *)&values_out};
    const dim3 grid((unsigned)(job.rows / p.block_rows));

    ok(cudaFuncSetAttribute(p.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p.shared),
       "shared memory");
    return line(b, job, std::to_string(job.length), p.name, p.shape, ours, [&] {
        ok(cudaLaunchKernel(p.kernel, grid, dim3(p.threads), args, p.shared, NULL), p.name);
    });
}

static bool is_peer(const peer &p, cw_type type, enum form form)
{
    return p.key_bytes == cw_type_bytes(type) && (p.value_bytes > 0) == (form == PAIRS) &&
           p.shared <= 232448;
}

static void against_peers(bench *b, const peers &all, cw_type type, enum form form)
{
    std::set<uint32_t> lengths;

    for (uint32_t length = 128; length <= 32768; length *= 2)
        lengths.insert(length);
    for (const peer &p : all) {
        if (is_peer(p, type, form))
            lengths.insert((uint32_t)p.length);
    }
    fill_keys(b, type, 1, RANDOM);
    for (uint32_t length : lengths) {
        const cw_rows job = make_job(b, type, length, form, 0);
        const cw_rows free = make_job(b, type, length, form, CW_CONFLICT_FREE);
        const double ours = clearway(b, job, std::to_string(length), "random", 0);
        const double even = clearway(b, free, std::to_string(length), "random", ours);
        double best = 0;

        for (const peer &p : all) {
            if (is_peer(p, type, form) && p.length == length)
                best = std::max(best, run_peer(b, job, p, ours));
        }
        fprintf(stderr, "%s %5u: clearway %6.1f, conflict-free %6.1f, best of cub %6.1f Gkey/s",
                type_name(job).c_str(), length, ours, even, best);
        fprintf(stderr, best > 0 ? ": %.2f times\n" : "\n", ours / best);
    }
}

/* What the keys are must not matter. */
static void inputs(bench *b, cw_type type, enum form form, uint32_t from, uint32_t to)
{
    for (uint32_t length = from; length <= to; length *= 2) {
        const cw_rows job = make_job(b, type, length, form, CW_CONFLICT_FREE);
        double random = 0, least = 1e9, most = 0;

        for (int p = RANDOM; p < PATTERNS; p++) {
            fill_keys(b, type, length, p);
            const double speed = clearway(b, job, std::to_string(length), pattern_name[p], random);

            random = p == RANDOM ? speed : random;
            least = std::min(least, speed);
            most = std::max(most, speed);
        }
        fprintf(stderr, "%s %5u: random %.1f, other inputs %.1f to %.1f Gkey/s\n",
                type_name(job).c_str(), length, random, least, most);
    }
}

static void one(bench *b, cw_type type, enum form form, unsigned flags, const char *shape)
{
    static const uint32_t lengths[] = {128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 32768};

    fill_keys(b, type, 1, RANDOM);
    for (uint32_t length : lengths) {
        const cw_rows job = make_job(b, type, length, form, flags);
        const double speed = clearway(b, job, std::to_string(length), shape, 0);

        fprintf(stderr, "%s %5u: %s %.1f Gkey/s\n", type_name(job).c_str(), length, shape, speed);
    }
}

static void orders_and_types(bench *b)
{
    one(b, CW_U32, KEYS, CW_DESCENDING, "descending");
    one(b, CW_I32, KEYS, 0, "random");
    one(b, CW_F32, KEYS, 0, "random");
    one(b, CW_F32, KEYS, CW_DESCENDING, "descending");
    one(b, CW_F64, KEYS, 0, "random");
    one(b, CW_F16, KEYS, 0, "random");
    one(b, CW_U8, KEYS, 0, "random");
    one(b, CW_U32, ARGSORT, 0, "random");
    one(b, CW_I32, INDEX, 0, "random"); /* the work of torch.sort */
    one(b, CW_F16, INDEX, 0, "random");
    one(b, CW_U32, PAIRS, CW_STABLE, "stable");
}

static void lengths_alone(bench *b)
{
    static const uint32_t lengths[] = {2,    3,    4,    8,    16,    24,    32,    48,   64,
                                       100,  200,  500,  1000, 1025,  1500,  2000,  2049, 3000,
                                       4000, 4097, 6000, 8193, 12000, 16385, 24000, 32000};

    fill_keys(b, CW_U32, 1, RANDOM);
    for (uint32_t length : lengths)
        fprintf(
            stderr, "u32 %5u: clearway %.1f Gkey/s\n", length,
            clearway(b, make_job(b, CW_U32, length, KEYS, 0), std::to_string(length), "random", 0));
}

/* What memory does by itself.  Of each input, because random keys can be slower to move, too. */
static void copy(bench *b)
{
    for (int p = RANDOM; p < PATTERNS; p++) {
        fill_keys(b, CW_U32, 256, p);
        const double speed = time_runs(b, b->n, [&] {
            ok(cudaMemcpyAsync(b->keys_out, b->keys_in, b->n * 4, cudaMemcpyDeviceToDevice),
               "copy");
        });

        print(b, b->n, "u32", "any", "copy", pattern_name[p], speed, 1.0);
        fprintf(stderr, "copy of u32, %s: %.1f Gkey/s\n", pattern_name[p], speed);
    }
}

int main(int argc, char **argv)
{
    bench b = open_bench("bench_rows", argc, argv);
    const peers all = all_peers();

    copy(&b);
    against_peers(&b, all, CW_U32, KEYS);
    against_peers(&b, all, CW_U64, KEYS);
    against_peers(&b, all, CW_U32, PAIRS);
    inputs(&b, CW_U32, KEYS, 128, 32768);
    inputs(&b, CW_U64, KEYS, 1024, 16384);
    inputs(&b, CW_U32, PAIRS, 1024, 16384);
    orders_and_types(&b);
    lengths_alone(&b);
    cw_context_destroy(b.context);
    return b.failed;
}
