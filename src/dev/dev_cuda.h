/* dev_cuda.h - the kernels' vocabulary on a GPU.
 *
 * The words, each with the same meaning on the emulator (dev_emu.h):
 *
 *   KERNEL(name, type, threads, blocks) { .. }     a kernel, whose argument is `arg`, a pointer to
 *                             constant memory of that type; at most that many threads a block, and
 *                             as many blocks as a multiprocessor should hold
 *   DEV                       marks a function that a kernel calls; it is DEV_INLINE, made part
 *                             of every place that calls it; DEV_APART is for one that is not
 *   rarely(p)                 whether p, which is seldom so
 *   THREAD_ID BLOCK_ID BLOCK_DIM GRID_DIM LANE_ID WARP_ID     where this thread is
 *   sh_ld4 sh_ld8 sh_ld16     read shared memory at a byte offset: u32, u64, vec16
 *   sh_ld8_all sh_ld16_all    the same, by all lanes and whole even where some lanes have no use
 *                             for it or none for part of it: a compiler moves the others into the
 *                             branch that uses them, and makes them narrower
 *   sh_st4 sh_st8 sh_st16     write it
 *   sh_ld4_if(p, at, x)       a u32 there, or x if p is 0, when nothing is asked for: no branch
 *   sh_add4                   add to a u32 there, return what was there
 *   sh_inc4                   add 1 to a u32 there, return nothing: cheaper, as lanes that ask for
 *                             the same word share it
 *   sh_ld4x2 sh_st4x2         a u64 as two words that lie `apart` bytes apart, the low one first:
 *                             two requests
 *   sh_skip                   ask for nothing: let a request of other lanes pass.  Where a branch
 *                             asks less often than the other one, it keeps lanes at one step on the
 *                             emulator, as the end of the branch does on a GPU
 *   gm_ld1 gm_ld2 gm_ld4 gm_ld8 gm_ld16     read global memory through a pointer: u32, u32,
 *                             u32, u64, vec16; gm_st1 .. write it
 *   gm_add4 gm_add8           add there, return what was there
 *   GM_ANY(store)             a gm_st that others may make at the same place in the same launch:
 *                             any of them may win, since the caller's data are wrong or nobody
 *                             reads it; GM_ANY_IF(p, store): only if p holds
 *   gm_or4 gm_max4 gm_min4    combine with a u32 there, return what was there
 *   gm_soon(p)                bring its line nearer: it will be read, but not yet
 *   gm_ld4_relaxed gm_ld8_relaxed gm_ld16_relaxed gm_st4_relaxed ..     read and write words that
 *                             other blocks write and read in the same launch.  Each word of 4 or 8
 *                             bytes is whole (of 16 bytes: each 4); nothing else is ordered
 *   gm_st4_release gm_st8_release     write a word: whoever reads it by gm_ld4_acquire finds all
 *                                     that
 *                             was written before, by this thread or before a barrier of its block
 *   gm_ld4_acquire gm_ld8_acquire     read a word, and what was written before its release
 *   gm_add4_release           add to a u32 there in the sense of gm_st4_release, return nothing
 *   gm_fence()                writes before it are seen before writes after it: fence and relaxed
 *                             store or atomic are a release; relaxed load or atomic and fence are
 *                             an acquire
 *   SPIN_UNTIL(p)             evaluate p until it holds: the only way to wait for another block.
 *                             Only a word of another block may make it hold; blocks of a launch
 *                             that is not cooperative may wait only for blocks that have begun
 *                             (tickets)
 *   gm_wait4(p, mask, value)  acquire the u32 there until its bits of the mask are these; returns
 *                             it
 *   grid_sync(p, n)           a barrier for all threads of a cooperative launch; p points to a u32
 *                             that was 0 before the launch, the k-th barrier has n = k * GRID_DIM
 *   shfl4 shfl_xor4 shfl_up4  the value of another lane; shfl8 .. for u64
 *   ballot(p) match_any4(x)   masks of lanes; all_of(p), any_of(p).  Like shuffles, they order no
 *                             memory: what a lane wrote is another's to read after warp_sync
 *   same_bit(x, k, &one)      lanes whose bit k of x is this lane's; one: lanes that have it set
 *   warp_sync block_sync      barriers, for all lanes of the warp or block
 *   warp_sync_mask(mask)      one for the lanes of a mask, which the caller is one of: they come to
 *                             it at one place with the same mask
 *   bit_count(x) low_bit(x)   ones of a u32; the number of its lowest one, if it has any
 *   and3(x, y, z)             x & y & z, by one instruction
 *   rotate4(x, k)             x by k bits to the right, k below 32
 *   high4(a, b)               the upper 32 bits of a * b
 *   mad4(a, b, c)             a * b + c, modulo 2^32, by a multiply-add instruction
 *   min2x2(x, y) max2x2(x, y) the smaller, larger of each half: two numbers of 16 bits
 *   bytes4(x, y, pick)        four bytes of x (numbers 0 .. 3) and y (4 .. 7), by the hexadecimal
 *                             digits of pick, the lowest first
 *   warp_min4(x) warp_max4(x) over all lanes
 *   forget(x)                 the compiler is to forget how x (4 bytes) was made, so that what
 *                             follows from it is made again, and not kept in registers
 *   UNROLL UNROLL4 ROLL       before a loop: whose indices must become constants, since they
 *                             number registers; which may do four rounds at a time; which must
 *                             stay a loop, to keep the code short
 *
 * Every sh_ word is one request of shared memory for the warp: keep one a line, so that
 * a source line names it.  Nothing else touches shared memory.
 */
#ifndef CW_DEV_CUDA_H
#define CW_DEV_CUDA_H

#include <stdint.h>

#include "dev/shapes.h"

#define DEV_INLINE static __device__ __forceinline__
#define DEV_APART  static __device__ __noinline__
#define rarely(p)  __builtin_expect(!!(p), 0)
#define DEV        DEV_INLINE

typedef struct __align__(16) vec16
{
    uint32_t x, y, z, w;
}
vec16;

extern __shared__ __align__(16) unsigned char cw_shared[];

#define THREAD_ID ((uint32_t)threadIdx.x)
#define BLOCK_ID  ((uint32_t)blockIdx.x)
#define BLOCK_DIM ((uint32_t)blockDim.x)
#define GRID_DIM  ((uint32_t)gridDim.x)
#define LANE_ID   ((uint32_t)threadIdx.x & 31u)
#define WARP_ID   ((uint32_t)threadIdx.x >> 5)

#define sh_ld4(at)     (*(const volatile uint32_t *)(cw_shared + (at)))
#define sh_ld8(at)     (*(const uint64_t *)(cw_shared + (at)))
#define sh_ld16(at)    (*(const vec16 *)(cw_shared + (at)))
#define sh_st4(at, v)  ((void)(*(volatile uint32_t *)(cw_shared + (at)) = (v)))
#define sh_st8(at, v)  ((void)(*(uint64_t *)(cw_shared + (at)) = (v)))
#define sh_st16(at, v) ((void)(*(vec16 *)(cw_shared + (at)) = (v)))
#define sh_add4(at, v) atomicAdd((uint32_t *)(cw_shared + (at)), (v))
#define sh_inc4(at)    ((void)atomicAdd((uint32_t *)(cw_shared + (at)), 1u))
#define sh_skip()      ((void)0)
#define sh_ld8_all(at) (*(const volatile uint64_t *)(cw_shared + (at)))

static __device__ __forceinline__ vec16 sh_ld16_all(uint32_t at)
{
    vec16 x;

    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "r"((uint32_t)__cvta_generic_to_shared(cw_shared + at))
                 : "memory");
    return x;
}

static __device__ __forceinline__ uint32_t sh_ld4_if(uint32_t p, uint32_t at, uint32_t x)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p ld.shared.u32 %0, [%2]; }"
                 : "+r"(x)
                 : "r"(p), "r"((uint32_t)__cvta_generic_to_shared(cw_shared + at)));
    return x;
}

static __device__ __forceinline__ uint64_t sh_ld4x2(uint32_t at, uint32_t apart)
{
    const uint32_t low = sh_ld4(at);
    const uint32_t high = sh_ld4(at + apart);

    return (uint64_t)high << 32 | low;
}

static __device__ __forceinline__ void sh_st4x2(uint32_t at, uint32_t apart, uint64_t x)
{
    sh_st4(at, (uint32_t)x);
    sh_st4(at + apart, (uint32_t)(x >> 32));
}

#define gm_ld1(p)     ((uint32_t) * (const uint8_t *)(p))
#define gm_ld2(p)     ((uint32_t) * (const uint16_t *)(p))
#define gm_ld4(p)     (*(const uint32_t *)(p))
#define gm_ld8(p)     (*(const uint64_t *)(p))
#define gm_ld16(p)    (*(const vec16 *)(p))
#define gm_st1(p, v)  ((void)(*(uint8_t *)(p) = (uint8_t)(v)))
#define gm_st2(p, v)  ((void)(*(uint16_t *)(p) = (uint16_t)(v)))
#define gm_st4(p, v)  ((void)(*(uint32_t *)(p) = (v)))
#define gm_st8(p, v)  ((void)(*(uint64_t *)(p) = (v)))
#define gm_st16(p, v) ((void)(*(vec16 *)(p) = (v)))
#define gm_soon(p)    asm volatile("prefetch.global.L2 [%0];" ::"l"(p))
#define gm_add4(p, v) atomicAdd((uint32_t *)(p), (v))
#define gm_add8(p, v) atomicAdd((unsigned long long *)(p), (unsigned long long)(v))

#define gm_or4(p, v)  atomicOr((uint32_t *)(p), (uint32_t)(v))
#define gm_max4(p, v) atomicMax((uint32_t *)(p), (uint32_t)(v))
#define gm_min4(p, v) atomicMin((uint32_t *)(p), (uint32_t)(v))
#define gm_fence()    __threadfence()
#define GM_ANY(store) store

#define GM_ANY_IF(p, store) store

#define SPIN_UNTIL(p) \
    while (!(p)) {    \
    }

#define DEV_STRONG_LOAD(name, type, how, constraint)           \
    static __device__ __forceinline__ type name(const void *p) \
    {                                                          \
        type x;                                                \
                                                               \
        asm volatile("ld." how " %0, [%1];"                    \
                     : "=" constraint(x)                       \
                     : "l"(__cvta_generic_to_global(p))        \
                     : "memory");                              \
        return x;                                              \
    }
DEV_STRONG_LOAD(gm_ld4_relaxed, uint32_t, "relaxed.gpu.global.u32", "r")
DEV_STRONG_LOAD(gm_ld8_relaxed, uint64_t, "relaxed.gpu.global.u64", "l")
DEV_STRONG_LOAD(gm_ld4_acquire, uint32_t, "acquire.gpu.global.u32", "r")
DEV_STRONG_LOAD(gm_ld8_acquire, uint64_t, "acquire.gpu.global.u64", "l")

#define DEV_STRONG_STORE(name, type, how, constraint)                                   \
    static __device__ __forceinline__ void name(void *p, type x)                        \
    {                                                                                   \
        asm volatile(how " [%0], %1;" ::"l"(__cvta_generic_to_global(p)), constraint(x) \
                     : "memory");                                                       \
    }
DEV_STRONG_STORE(gm_st4_relaxed, uint32_t, "st.relaxed.gpu.global.u32", "r")
DEV_STRONG_STORE(gm_st8_relaxed, uint64_t, "st.relaxed.gpu.global.u64", "l")
DEV_STRONG_STORE(gm_st4_release, uint32_t, "st.release.gpu.global.u32", "r")
DEV_STRONG_STORE(gm_st8_release, uint64_t, "st.release.gpu.global.u64", "l")
DEV_STRONG_STORE(gm_add4_release, uint32_t, "red.release.gpu.global.add.u32", "r")

static __device__ __forceinline__ vec16 gm_ld16_relaxed(const void *p)
{
    vec16 x;

    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return x;
}

static __device__ __forceinline__ void gm_st16_relaxed(void *p, vec16 x)
{
    asm volatile(
        "st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(p)),
        "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
        : "memory");
}

static __device__ __forceinline__ uint32_t gm_wait4(const void *p, uint32_t mask, uint32_t value)
{
    uint32_t x = gm_ld4_acquire(p);

    while ((x & mask) != value)
        x = gm_ld4_acquire(p);
    return x;
}

#define shfl4(x, from)     __shfl_sync(0xffffffffu, (uint32_t)(x), (from))
#define shfl8(x, from)     __shfl_sync(0xffffffffu, (unsigned long long)(x), (from))
#define shfl_xor4(x, mask) __shfl_xor_sync(0xffffffffu, (uint32_t)(x), (mask))
#define shfl_xor8(x, mask) __shfl_xor_sync(0xffffffffu, (unsigned long long)(x), (mask))
#define shfl_up4(x, by)    __shfl_up_sync(0xffffffffu, (uint32_t)(x), (by))
#define shfl_up8(x, by)    __shfl_up_sync(0xffffffffu, (unsigned long long)(x), (by))

#define ballot(p)     __ballot_sync(0xffffffffu, (p))
#define all_of(p)     __all_sync(0xffffffffu, (p))
#define any_of(p)     __any_sync(0xffffffffu, (p))
#define match_any4(x) __match_any_sync(0xffffffffu, (uint32_t)(x))
#define warp_sync()   __syncwarp()
#define block_sync()  __syncthreads()

#define warp_sync_mask(mask) __syncwarp(mask)

/* One test of the bit for the vote and for what is made of it: a compiler would make two. */
static __device__ __forceinline__ uint32_t same_bit(uint32_t x, uint32_t k, uint32_t *one)
{
    uint32_t same;

    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .b32 t;\n\t"
                 "and.b32 t, %2, %3;\n\t"
                 "setp.ne.u32 p, t, 0;\n\t"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff;\n\t"
                 "selp.b32 t, 0, 0xffffffff, p;\n\t"
                 "xor.b32 %1, %0, t;\n\t"
                 "}"
                 : "=&r"(*one), "=r"(same)
                 : "r"(x), "r"(1u << k));
    return same;
}

static __device__ __forceinline__ uint32_t and3(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t all;

    asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(all) : "r"(x), "r"(y), "r"(z));
    return all;
}

#define rotate4(x, k) __funnelshift_r((x), (x), (k))
#define bit_count(x)  ((uint32_t)__popc(x))
#define low_bit(x)    ((uint32_t)(__ffs((int)(x)) - 1))
#define high4(a, b)   __umulhi((a), (b))
#define mad4(a, b, c) ((uint32_t)(a) * (uint32_t)(b) + (uint32_t)(c))
#define min2x2(x, y)  __vminu2((x), (y))
#define max2x2(x, y)  __vmaxu2((x), (y))
#define warp_min4(x)  __reduce_min_sync(0xffffffffu, (uint32_t)(x))
#define warp_max4(x)  __reduce_max_sync(0xffffffffu, (uint32_t)(x))
#define forget(x)     asm volatile("" : "+r"(x))
#define UNROLL        _Pragma("unroll")
#define UNROLL4       _Pragma("unroll 4")
#define ROLL          _Pragma("unroll 1")

#define bytes4(x, y, pick) __byte_perm((x), (y), (pick))

/* A kernel may be set up while the one before it on the stream still runs (device.cu).  It waits
 * here until that has ended and all that it wrote can be read. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define DEV_AFTER() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define DEV_AFTER() ((void)0)
#endif

/* NAME_entry gives what a launch takes. */
#define KERNEL(name, type, threads, blocks) \
    DEV_KERNEL_OF(SHAPES_KERNEL(name), type, threads, blocks)
#define DEV_KERNEL_OF(name, type, threads, blocks) DEV_KERNEL(name, type, threads, blocks)
#define DEV_KERNEL(name, type, threads, blocks)                   \
    DEV void name##_body(const type *arg);                        \
    extern "C" __global__ void __launch_bounds__(threads, blocks) \
        name(const __grid_constant__ type a)                      \
    {                                                             \
        DEV_BODY(name##_body(&a));                                \
    }                                                             \
    extern "C" const void *name##_entry(void)                     \
    {                                                             \
        return (const void *)name;                                \
    }                                                             \
    DEV void name##_body(const type *arg)

#if SHAPES_EMPTY
#define DEV_BODY(call) ((void)a)
#else
#define DEV_BODY(call) \
    DEV_AFTER();       \
    call
#endif

#endif
