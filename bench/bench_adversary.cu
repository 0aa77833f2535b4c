/* bench_adversary.cu - what the adversarial inputs of inputs/adversary.h do to CUB's sorts.
 *
 *      bench_adversary [LOG]      arrays of 2^LOG tiles of CUB's merge sort; 13 if not given
 *
 * Prints CSV: the sort, the type, the input, keys, milliseconds (median of 9), Gkey/s, and how much
 * longer than for uniform keys it takes.  Outputs are checked to be sorted.
 */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "inputs/data.h"
}

struct less_than {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "bench_adversary: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <typename T> struct arrays {
    T *in, *out;
    void *temp;
    size_t temp_bytes, n;
};

template <typename T> static void sort_once(const arrays<T> &a, bool merge)
{
    size_t bytes = a.temp_bytes;

    if (merge)
        must(cub::DeviceMergeSort::SortKeysCopy(a.temp, bytes, a.in, a.out, a.n, less_than()));
    else
        must(cub::DeviceRadixSort::SortKeys(a.temp, bytes, a.in, a.out, a.n));
}

template <typename T> static double median_ms(const arrays<T> &a, bool merge)
{
    std::vector<float> ms(9);
    cudaEvent_t begin, end;

    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
    for (int k = -2; k < 9; k++) {
        must(cudaEventRecord(begin));
        sort_once(a, merge);
        must(cudaEventRecord(end));
        must(cudaEventSynchronize(end));
        must(cudaEventElapsedTime(&ms[k < 0 ? 0 : k], begin, end));
    }
    must(cudaEventDestroy(begin));
    must(cudaEventDestroy(end));
    std::sort(ms.begin(), ms.end());
    return ms[4];
}

template <typename T> static void compare(cw_type type, size_t n)
{
    static const enum cw_data kinds[] = {CW_DATA_UNIFORM, CW_DATA_MERGE, CW_DATA_RADIX,
                                         CW_DATA_SORTED};
    std::vector<T> keys(n);
    arrays<T> a = {};
    size_t merge_bytes = 0, radix_bytes = 0;
    double uniform[2] = {0, 0};

    a.n = n;
    must(cudaMalloc(&a.in, n * sizeof(T)));
    must(cudaMalloc(&a.out, n * sizeof(T)));
    must(cub::DeviceMergeSort::SortKeysCopy(nullptr, merge_bytes, a.in, a.out, n, less_than()));
    must(cub::DeviceRadixSort::SortKeys(nullptr, radix_bytes, a.in, a.out, n));
    a.temp_bytes = std::max(merge_bytes, radix_bytes);
    must(cudaMalloc(&a.temp, a.temp_bytes));
    for (enum cw_data kind : kinds) {
        if (cw_data_make(kind, type, n, 1, keys.data())) {
            fprintf(stderr, "bench_adversary: %s\n", cw_last_error());
            exit(1);
        }
        must(cudaMemcpy(a.in, keys.data(), n * sizeof(T), cudaMemcpyHostToDevice));
        for (int merge = 1; merge >= 0; merge--) {
            const double ms = median_ms(a, merge);

            must(cudaMemcpy(keys.data(), a.out, n * sizeof(T), cudaMemcpyDeviceToHost));
            if (!std::is_sorted(keys.begin(), keys.end())) {
                fprintf(stderr, "bench_adversary: not sorted\n");
                exit(1);
            }
            uniform[merge] = kind == CW_DATA_UNIFORM ? ms : uniform[merge];
            printf("%s,%s,%s,%zu,%.3f,%.2f,%.2f\n", merge ? "cub merge" : "cub radix",
                   cw_type_name(type), cw_data_names[kind], n, ms, (double)n / ms / 1e6,
                   ms / uniform[merge]);
            fflush(stdout);
        }
    }
    must(cudaFree(a.in));
    must(cudaFree(a.out));
    must(cudaFree(a.temp));
}

int main(int argc, char **argv)
{
    const int log = argc > 1 ? atoi(argv[1]) : 13;

    if (log < 0 || log > 17) {
        fprintf(stderr, "usage: bench_adversary [LOG, 0 to 17]\n");
        return 2;
    }
    printf("sort,type,input,keys,ms,gkeys_per_second,over_uniform\n");
    compare<uint32_t>(CW_U32, (size_t)(256 * 17) << log);
    compare<uint64_t>(CW_U64, (size_t)(256 * 8) << log);
    return 0;
}
