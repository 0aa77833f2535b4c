/* narrow_probes.cu - requests of 1 and 2 bytes to shared memory, to hold src/machine/banks.c against a
 * GPU's counters:
 *
 *      build/bench/narrow_probes figures >figures.csv
 *      ncu --clock-control none --section SourceCounters --page raw --csv build/bench/narrow_probes >counters.csv
 *      scripts/probes -f figures.csv -c counters.csv
 *
 * 120 launches of one warp: reads and writes, strides, lanes that share words, random bytes, some lanes idle.
 * On an H200 (driver 580.159.04, CUDA 13.0) all 120 agree, wavefronts and ideal.
 */
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

extern "C" {
#include "machine/banks.h"
}

#define PROBES      120u
#define PROBE_BYTES 32768u

template <int BYTES, int WRITES> __global__ void probe(struct cw_lanes_request r, uint32_t *out)
{
    __shared__ __align__(128) unsigned char s[PROBE_BYTES];
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(s) + r.at[threadIdx.x];
    uint32_t x = threadIdx.x;
    uint16_t half = (uint16_t)x;

    if (!(r.lanes >> threadIdx.x & 1))
        return;
    if (WRITES && BYTES == 1)
        asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(x));
    else if (WRITES)
        asm volatile("st.shared.u16 [%0], %1;" ::"r"(at), "h"(half));
    else if (BYTES == 1)
        asm volatile("ld.shared.u8 %0, [%1];" : "=r"(x) : "r"(at));
    else
        asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(at));
    out[threadIdx.x] = x + half;
}

static uint32_t below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % n);
}

/* Probe k, which follows from the probes before it. */
static struct cw_lanes_request request(uint32_t k, uint64_t *state)
{
    static const uint32_t strides[] = {1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 66, 127, 128, 129, 132};
    const uint32_t kind = k / 4;
    struct cw_lanes_request r;

    memset(&r, 0, sizeof r);
    r.bytes = k & 1 ? 2 : 1;
    r.write = k >> 1 & 1;
    r.lanes = UINT32_MAX;
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t x = kind < 15   ? strides[kind] * i
                           : kind < 20 ? below(state, 64u << (kind - 15) * 2)
                           : kind < 25 ? i / 2 * 32 * (kind - 19)
                                       : below(state, 4096);

        r.at[i] = x * r.bytes % PROBE_BYTES;
    }
    if (kind >= 25 || kind % 4 == 3)
        r.lanes = below(state, 65536) << 16 | below(state, 65536) | 1;
    return r;
}

static void launch(const struct cw_lanes_request *r, uint32_t *out)
{
    if (r->bytes == 1 && !r->write)
        probe<1, 0><<<1, 32>>>(*r, out);
    else if (r->bytes == 1)
        probe<1, 1><<<1, 32>>>(*r, out);
    else if (!r->write)
        probe<2, 0><<<1, 32>>>(*r, out);
    else
        probe<2, 1><<<1, 32>>>(*r, out);
}

int main(int argc, char **argv)
{
    const int figures = argc > 1 && !strcmp(argv[1], "figures");
    uint64_t state = 12345;
    uint32_t *out = NULL;

    if (!figures && cudaMalloc(&out, 32 * sizeof *out) != cudaSuccess) {
        fprintf(stderr, "narrow_probes: no GPU\n");
        return 1;
    }
    for (uint32_t k = 0; k < PROBES; k++) {
        const struct cw_lanes_request r = request(k, &state);
        uint32_t ideal;
        const uint32_t takes = cw_bank_wavefronts(&cw_bank_machines[0], &r, &ideal);

        if (figures)
            printf("%s of %u bytes %u,%u,%u\n", r.write ? "write" : "read", r.bytes, k / 4, takes,
                   ideal);
        else
            launch(&r, out);
    }
    if (!figures && cudaDeviceSynchronize() != cudaSuccess) {
        fprintf(stderr, "narrow_probes: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    return 0;
}
