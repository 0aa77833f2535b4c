// --threads 256 -D n=256: 44 44 44 none
typedef float T;
#define WIDE (1 << 8)
__global__ void kernel(T *out, const T *in, int n)
{
    __shared__ T part[WIDE];
    unsigned far = blockDim.x >> 1;

    part[threadIdx.x] = in[threadIdx.x];
    while (far) {
        __syncthreads();
        if (threadIdx.x < far && far < n) {
            part[threadIdx.x] += part[threadIdx.x + far];
        }
        far >>= 1;
    }
}
