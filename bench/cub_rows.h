/* cub_rows.h - the peers of bench_rows: CUB's block radix sort, block merge sort and warp merge sort.
 *
 * One kernel a method and shape (threads x keys a thread), a row a block or, for warp merge sort, a
 * row to some lanes of a warp; u32 and u64 keys, and u32 keys with u32 values.  They get what suits
 * them: keys are loaded striped, in any order of the row, and stored striped (radix) or
 * through CUB's transposing store (merge).  Radix sort takes 4 bits a pass as CUB does by itself;
 * shapes that end in r5 or r6 take more.
 */
#ifndef CUB_ROWS_H
#define CUB_ROWS_H

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <cub/cub.cuh>

typedef cub::NullType none; /* no values */

template <typename VALUE> constexpr bool has_values = !std::is_same<VALUE, none>::value;

template <typename KEY, typename VALUE, int THREADS, int ITEMS, int BITS>
static __global__ void __launch_bounds__(THREADS)
    block_radix(const KEY *in, KEY *out, const VALUE *values_in, VALUE *values_out)
{
    typedef cub::BlockRadixSort<KEY, THREADS, ITEMS, VALUE, BITS> Sort;
    extern __shared__ __align__(16) unsigned char bytes[];
    typename Sort::TempStorage &shared = *(typename Sort::TempStorage *)bytes;
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    if constexpr (has_values<VALUE>) {
        VALUE values[ITEMS];

        cub::LoadDirectStriped<THREADS>(threadIdx.x, values_in + row, values);
        Sort(shared).SortBlockedToStriped(keys, values);
        cub::StoreDirectStriped<THREADS>(threadIdx.x, values_out + row, values);
    } else {
        Sort(shared).SortBlockedToStriped(keys);
    }
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out + row, keys);
}

struct less {
    template <typename KEY> __device__ bool operator()(KEY a, KEY b) const
    {
        return a < b;
    }
};

template <typename KEY, typename VALUE, int THREADS, int ITEMS> struct block_merge_types {
    typedef cub::BlockMergeSort<KEY, THREADS, ITEMS, VALUE> Sort;
    typedef cub::BlockStore<KEY, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    union Shared {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    };
};

template <typename KEY, typename VALUE, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS)
    block_merge(const KEY *in, KEY *out, const VALUE *values_in, VALUE *values_out)
{
    typedef block_merge_types<KEY, VALUE, THREADS, ITEMS> T;
    extern __shared__ __align__(16) unsigned char bytes[];
    typename T::Shared &shared = *(typename T::Shared *)bytes;
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    if constexpr (has_values<VALUE>) {
        typedef cub::BlockStore<VALUE, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
        static_assert(sizeof(VALUE) == sizeof(KEY), "values are stored by way of the keys' memory");
        VALUE values[ITEMS];

        cub::LoadDirectStriped<THREADS>(threadIdx.x, values_in + row, values);
        typename T::Sort(shared.sort).Sort(keys, values, less());
        __syncthreads();
        Store(*(typename Store::TempStorage *)bytes).Store(values_out + row, values);
    } else {
        typename T::Sort(shared.sort).Sort(keys, less());
    }
    __syncthreads();
    typename T::Store(shared.store).Store(out + row, keys);
}

template <typename KEY, typename VALUE, int LANES, int ITEMS> struct warp_merge_types {
    typedef cub::WarpMergeSort<KEY, ITEMS, LANES, VALUE> Sort;
    typedef cub::WarpStore<KEY, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
    union Shared {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    };
};

/* A block of four warps; LANES lanes a row. */
template <typename KEY, typename VALUE, int LANES, int ITEMS>
static __global__ void __launch_bounds__(128)
    warp_merge(const KEY *in, KEY *out, const VALUE *values_in, VALUE *values_out)
{
    typedef warp_merge_types<KEY, VALUE, LANES, ITEMS> T;
    extern __shared__ __align__(16) unsigned char bytes[];
    typename T::Shared &mine = ((typename T::Shared *)bytes)[threadIdx.x / LANES];
    const size_t row = ((size_t)blockIdx.x * (128 / LANES) + threadIdx.x / LANES) * LANES * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<LANES>(threadIdx.x % LANES, in + row, keys);
    if constexpr (has_values<VALUE>) {
        typedef cub::WarpStore<VALUE, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
        static_assert(sizeof(VALUE) == sizeof(KEY), "values are stored by way of the keys' memory");
        VALUE values[ITEMS];

        cub::LoadDirectStriped<LANES>(threadIdx.x % LANES, values_in + row, values);
        typename T::Sort(mine.sort).Sort(keys, values, less());
        __syncwarp();
        Store((typename Store::TempStorage &)mine.store).Store(values_out + row, values);
    } else {
        typename T::Sort(mine.sort).Sort(keys, less());
    }
    __syncwarp();
    typename T::Store(mine.store).Store(out + row, keys);
}

/* -- the list --------------------------------------------------------------------------------- */

struct peer {
    const char *name;
    std::string shape;
    size_t key_bytes, value_bytes, length;
    const void *kernel;
    unsigned threads, block_rows;
    size_t shared;
};

typedef std::vector<peer> peers;

static std::string shape_of(int threads, int items)
{
    return std::to_string(threads) + "x" + std::to_string(items);
}

template <typename VALUE> static size_t value_bytes()
{
    return has_values<VALUE> ? sizeof(VALUE) : 0;
}

template <typename KEY, typename VALUE, int THREADS, int ITEMS, int BITS>
static void add_radix(peers *all)
{
    typedef cub::BlockRadixSort<KEY, THREADS, ITEMS, VALUE, BITS> Sort;
    const std::string bits = BITS == 4 ? "" : "r" + std::to_string(BITS);

    all->push_back({"cub block radix", shape_of(THREADS, ITEMS) + bits, sizeof(KEY),
                    value_bytes<VALUE>(), THREADS * ITEMS,
                    (const void *)block_radix<KEY, VALUE, THREADS, ITEMS, BITS>, THREADS, 1,
                    sizeof(typename Sort::TempStorage)});
}

template <typename KEY, typename VALUE, int THREADS, int ITEMS> static void add_block(peers *all)
{
    typedef block_merge_types<KEY, VALUE, THREADS, ITEMS> T;

    add_radix<KEY, VALUE, THREADS, ITEMS, 4>(all);
    all->push_back({"cub block merge", shape_of(THREADS, ITEMS), sizeof(KEY), value_bytes<VALUE>(),
                    THREADS * ITEMS, (const void *)block_merge<KEY, VALUE, THREADS, ITEMS>, THREADS,
                    1, sizeof(typename T::Shared)});
}

template <typename KEY, typename VALUE, int LANES, int ITEMS> static void add_warp(peers *all)
{
    typedef warp_merge_types<KEY, VALUE, LANES, ITEMS> T;

    all->push_back({"cub warp merge", shape_of(LANES, ITEMS), sizeof(KEY), value_bytes<VALUE>(),
                    LANES * ITEMS, (const void *)warp_merge<KEY, VALUE, LANES, ITEMS>, 128,
                    128 / LANES, 128 / LANES * sizeof(typename T::Shared)});
}

static void add_u32(peers *all)
{
    add_warp<uint32_t, none, 8, 16>(all), add_warp<uint32_t, none, 16, 8>(all);
    add_warp<uint32_t, none, 32, 4>(all);
    add_block<uint32_t, none, 32, 4>(all), add_block<uint32_t, none, 64, 2>(all);
    add_warp<uint32_t, none, 8, 32>(all), add_warp<uint32_t, none, 16, 16>(all);
    add_warp<uint32_t, none, 32, 8>(all);
    add_block<uint32_t, none, 32, 8>(all), add_block<uint32_t, none, 64, 4>(all);
    add_warp<uint32_t, none, 16, 32>(all), add_warp<uint32_t, none, 32, 16>(all);
    add_block<uint32_t, none, 32, 16>(all), add_block<uint32_t, none, 64, 8>(all);
    add_block<uint32_t, none, 128, 4>(all);
    add_warp<uint32_t, none, 32, 32>(all), add_block<uint32_t, none, 64, 16>(all);
    add_block<uint32_t, none, 128, 8>(all), add_block<uint32_t, none, 256, 4>(all);
    add_block<uint32_t, none, 128, 16>(all), add_block<uint32_t, none, 256, 8>(all);
    add_block<uint32_t, none, 512, 4>(all);
    add_block<uint32_t, none, 128, 32>(all), add_block<uint32_t, none, 256, 16>(all);
    add_block<uint32_t, none, 512, 8>(all);
    add_block<uint32_t, none, 256, 32>(all), add_block<uint32_t, none, 512, 16>(all);
    add_block<uint32_t, none, 1024, 8>(all);
    add_block<uint32_t, none, 512, 32>(all), add_block<uint32_t, none, 1024, 16>(all);
    add_block<uint32_t, none, 1024, 32>(all), add_block<uint32_t, none, 512, 64>(all);
    add_radix<uint32_t, none, 64, 16, 5>(all), add_radix<uint32_t, none, 64, 16, 6>(all);
    add_radix<uint32_t, none, 128, 32, 5>(all), add_radix<uint32_t, none, 128, 32, 6>(all);
    add_radix<uint32_t, none, 512, 32, 5>(all), add_radix<uint32_t, none, 512, 32, 6>(all);
}

/* Lengths that are no powers of two: what CUB sorts without padding and Clearway with. */
static void add_u32_others(peers *all)
{
    add_warp<uint32_t, none, 8, 12>(all), add_warp<uint32_t, none, 32, 3>(all);
    add_warp<uint32_t, none, 16, 24>(all), add_warp<uint32_t, none, 32, 12>(all);
    add_block<uint32_t, none, 64, 6>(all);
    add_block<uint32_t, none, 64, 24>(all), add_block<uint32_t, none, 128, 12>(all);
    add_block<uint32_t, none, 128, 24>(all), add_block<uint32_t, none, 256, 12>(all);
    add_block<uint32_t, none, 256, 15>(all);
    add_block<uint32_t, none, 256, 24>(all), add_block<uint32_t, none, 512, 12>(all);
    add_block<uint32_t, none, 512, 15>(all);
    add_block<uint32_t, none, 512, 24>(all), add_block<uint32_t, none, 1024, 12>(all);
    add_block<uint32_t, none, 1024, 15>(all), add_block<uint32_t, none, 1024, 24>(all);
}

static void add_u64(peers *all)
{
    add_warp<uint64_t, none, 16, 16>(all), add_warp<uint64_t, none, 32, 8>(all);
    add_block<uint64_t, none, 64, 4>(all);
    add_warp<uint64_t, none, 32, 32>(all), add_block<uint64_t, none, 64, 16>(all);
    add_block<uint64_t, none, 128, 8>(all), add_block<uint64_t, none, 256, 4>(all);
    add_block<uint64_t, none, 128, 32>(all), add_block<uint64_t, none, 256, 16>(all);
    add_block<uint64_t, none, 512, 8>(all);
    add_block<uint64_t, none, 512, 32>(all), add_block<uint64_t, none, 1024, 16>(all);
    add_radix<uint64_t, none, 128, 32, 5>(all), add_radix<uint64_t, none, 128, 32, 6>(all);
}

static void add_pairs(peers *all)
{
    add_warp<uint32_t, uint32_t, 16, 16>(all), add_warp<uint32_t, uint32_t, 32, 8>(all);
    add_block<uint32_t, uint32_t, 64, 4>(all);
    add_warp<uint32_t, uint32_t, 32, 32>(all), add_block<uint32_t, uint32_t, 64, 16>(all);
    add_block<uint32_t, uint32_t, 128, 8>(all), add_block<uint32_t, uint32_t, 256, 4>(all);
    add_block<uint32_t, uint32_t, 128, 32>(all), add_block<uint32_t, uint32_t, 256, 16>(all);
    add_block<uint32_t, uint32_t, 512, 8>(all);
    add_block<uint32_t, uint32_t, 512, 32>(all), add_block<uint32_t, uint32_t, 1024, 16>(all);
    add_radix<uint32_t, uint32_t, 64, 16, 5>(all), add_radix<uint32_t, uint32_t, 64, 16, 6>(all);
    add_radix<uint32_t, uint32_t, 128, 32, 5>(all), add_radix<uint32_t, uint32_t, 128, 32, 6>(all);
}

static peers all_peers()
{
    peers all;

    add_u32(&all);
    add_u32_others(&all);
    add_u64(&all);
    add_pairs(&all);
    return all;
}

#endif
