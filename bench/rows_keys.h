/* rows_keys.h - keys for the benchmarks of rows, and a check of what came out, both on the GPU.
 *
 * The check is of a cw_rows, whoever sorted it: keys are in order, equal keys with an index keep
 * theirs, and no row lost or gained an item.  The last is by a sum that does not depend on the
 * order, of a hash of every key with its value or place; so a value at a wrong key is found, too.
 */
#ifndef ROWS_KEYS_H
#define ROWS_KEYS_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "clearway.h"

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

static void ok(cw_status status, const char *what)
{
    if (status != CW_OK) {
        fprintf(stderr, "%s: %s: %s\n", what, cw_status_name(status), cw_last_error());
        exit(1);
    }
}

/* -- keys ------------------------------------------------------------------------------------- */

/* ALTERNATING: places with their bits reversed, so that every merge of two halves takes from both in
 * turn, and a merge sort's lanes start at strides of powers of two. */
enum pattern { RANDOM, SORTED, REVERSED, EQUAL, ZERO_ONE, ALTERNATING, PATTERNS };
static const char *const pattern_name[] = {"random", "sorted", "reversed",
                                           "equal",  "0-1",    "alternating"};

static inline __device__ __host__ uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* `clear` is a bit of the exponent for floats, so that there are no NaNs, and else 0. */
template <typename KEY>
static __global__ void fill(KEY *keys, uint32_t *values, uint64_t n, uint32_t length, int pattern,
                            KEY clear)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint32_t column = (uint32_t)(i % length);
        const uint64_t r = mix(i + 0x9e3779b97f4a7c15ull);
        KEY x = (KEY)((KEY)r & (KEY)~clear);

        if (pattern == SORTED)
            x = (KEY)(column << 12);
        if (pattern == REVERSED)
            x = (KEY) ~(KEY)(column << 12);
        if (pattern == EQUAL)
            x = 42;
        if (pattern == ZERO_ONE)
            x = r & 1;
        if (pattern == ALTERNATING)
            x = (KEY)__brev(column);
        keys[i] = x;
        values[i] = (uint32_t)(r >> 32) + (uint32_t)i;
    }
}

static int is_float(cw_type type)
{
    return type == CW_F16 || type == CW_BF16 || type == CW_F32 || type == CW_F64;
}

struct batch {
    void *keys;
    uint32_t *values;
    uint64_t n;
};

template <typename KEY>
static void fill_as(const batch &to, cw_type type, uint32_t length, int pattern)
{
    const KEY clear = is_float(type) ? (KEY)((KEY)1 << (8 * sizeof(KEY) - 2)) : 0;

    fill<<<4096, 256>>>((KEY *)to.keys, to.values, to.n, length, pattern, clear);
}

/* Patterns other than RANDOM are of rows of this length. */
static void fill_batch(const batch &to, cw_type type, uint32_t length, int pattern)
{
    switch (cw_type_bytes(type)) {
    case 1:
        fill_as<uint8_t>(to, type, length, pattern);
        break;
    case 2:
        fill_as<uint16_t>(to, type, length, pattern);
        break;
    case 4:
        fill_as<uint32_t>(to, type, length, pattern);
        break;
    default:
        fill_as<uint64_t>(to, type, length, pattern);
    }
    ok(cudaGetLastError(), "fill");
}

/* -- checks ----------------------------------------------------------------------------------- */

/* Unsigned and ascending: x ^ always, and where x has `sign`, ^ negative too. */
struct order {
    uint64_t sign, always, negative;
};

static order order_of(const cw_rows &job)
{
    const uint64_t top = 1ull << (8 * cw_type_bytes(job.type) - 1), all = top | (top - 1);
    order o = {0, 0, 0};

    if (is_float(job.type))
        o = {top, top, all ^ top};
    else if (job.type >= CW_I8 && job.type <= CW_I64)
        o = {0, top, 0};
    if (job.flags & CW_DESCENDING)
        o.always ^= all;
    return o;
}

static __device__ uint64_t ordered(uint64_t x, const order &o)
{
    return x ^ o.always ^ (x & o.sign ? o.negative : 0);
}

/* One warp a row: keys out of order, equal keys whose indices are, and rows that lost or gained an
 * item: a sum over keys with their values or places, which the order does not change. */
template <typename KEY>
static __global__ void count_faults(cw_rows job, order o, unsigned long long *count)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / 32;
    const uint32_t *const values_in = (const uint32_t *)job.values_in;
    const uint32_t *const values_out = (const uint32_t *)job.values_out;

    for (uint64_t r = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; r < job.rows;
         r += step) {
        const uint64_t *const offsets = (const uint64_t *)job.offsets;
        const uint64_t start = offsets ? offsets[r] : r * job.length;
        const uint64_t length = (offsets ? offsets[r + 1] : start + job.length) - start;
        const KEY *const in = (const KEY *)job.keys_in + start;
        const KEY *const out = job.keys_out ? (const KEY *)job.keys_out + start : NULL;
        const uint32_t *const index =
            job.index_out ? (const uint32_t *)job.index_out + start : NULL;
        unsigned long long sum = 0;
        unsigned bad = 0;

        for (uint64_t i = lane; i < length; i += 32) {
            const uint64_t next = i + 1 < length ? i + 1 : i;
            const uint64_t p = index ? index[i] % length : 0, q = index ? index[next] % length : 0;
            const uint64_t x = out ? out[i] : in[p], y = out ? out[next] : in[q];
            const uint64_t a = values_in ? values_in[start + i] : index ? i : 0;
            const uint64_t b = values_out ? values_out[start + i] : index ? index[i] : 0;

            sum += mix(in[i] + (a + 1) * 0x9e3779b97f4a7c15ull);
            sum -= mix(x + (b + 1) * 0x9e3779b97f4a7c15ull);
            bad += ordered(x, o) > ordered(y, o) || (index && x == y && p > q);
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        bad += lane == 0 && sum != 0;
        if (bad)
            atomicAdd(count, bad);
    }
}

/* `count` is one word of the GPU. */
static unsigned long long faults(const cw_rows &job, unsigned long long *count)
{
    const order o = order_of(job);
    unsigned long long bad = 0;

    ok(cudaMemset(count, 0, sizeof *count), "memset");
    switch (cw_type_bytes(job.type)) {
    case 1:
        count_faults<uint8_t><<<2048, 256>>>(job, o, count);
        break;
    case 2:
        count_faults<uint16_t><<<2048, 256>>>(job, o, count);
        break;
    case 4:
        count_faults<uint32_t><<<2048, 256>>>(job, o, count);
        break;
    default:
        count_faults<uint64_t><<<2048, 256>>>(job, o, count);
    }
    ok(cudaMemcpy(&bad, count, sizeof bad, cudaMemcpyDeviceToHost), "check");
    return bad;
}

#endif
