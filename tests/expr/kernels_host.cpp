/* kernels_host.cpp - a kernel of kernels/, compiled for the host, says which bytes of shared memory each thread asks for.
 *
 *      g++ -O0 -fsanitize=thread -DKERNEL='"x.cu"' -DCALL='kernel(out, in, 8)' -c kernels_host.cpp -o kernel.o
 *      g++ -DBLOCK=32,8,1 -c kernels_host.cpp -o host.o; g++ kernel.o host.o
 *
 * The compiler calls __tsan_read4 and the like at every access; those functions are here, and not ThreadSanitizer's.  A
 * request is a place of the program, its k-th use by a thread, and a warp.  Printed are lines
 * bytes write request,lane,address.
 */
struct index3 {
    unsigned x, y, z;
};
extern index3 threadIdx, blockDim, blockIdx, gridDim;
extern float in[65536], out[65536];
void run();

#ifdef KERNEL
#define __global__
#define __syncthreads() ((void)0)
#define __shared__      static __attribute__((section("shared"), aligned(128)))
#include KERNEL
void run()
{
    CALL;
}
#else
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

index3 threadIdx, blockDim = {BLOCK}, blockIdx, gridDim = {1, 1, 1};
float in[65536], out[65536];
extern "C" char __start_shared[], __stop_shared[];

struct access {
    unsigned long place;
    unsigned bytes, write, thread;
    unsigned long at;
};
static std::vector<access> all;
static unsigned thread;

static void note(void *p, unsigned bytes, unsigned write, void *place)
{
    if ((char *)p >= __start_shared && (char *)p < __stop_shared)
        all.push_back({(unsigned long)place, bytes, write, thread,
                       (unsigned long)((char *)p - __start_shared)});
}

#define HOOKS(bytes)                                    \
    extern "C" void __tsan_read##bytes(void *p)         \
    {                                                   \
        note(p, bytes, 0, __builtin_return_address(0)); \
    }                                                   \
    extern "C" void __tsan_write##bytes(void *p)        \
    {                                                   \
        note(p, bytes, 1, __builtin_return_address(0)); \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
extern "C" void __tsan_init()
{
}
extern "C" void __tsan_func_entry(void *)
{
}
extern "C" void __tsan_func_exit()
{
}

int main()
{
    std::map<std::pair<unsigned long, unsigned>, unsigned> uses; /* of a place by a thread */
    std::map<std::vector<unsigned long>, unsigned> requests;

    for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
        for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++, thread++)
                run();
    for (const access &a : all) {
        const std::vector<unsigned long> key = {a.place, uses[{a.place, a.thread}]++,
                                                a.thread / 32};
        const unsigned request = requests.emplace(key, (unsigned)requests.size()).first->second;

        printf("%u %u %u,%u,%lu\n", a.bytes, a.write, request, a.thread % 32, a.at);
    }
}
#endif
