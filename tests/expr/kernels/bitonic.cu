// --threads 128 -D n=256: 0 0 0 swizzle
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ unsigned key[256];

    for (unsigned size = 2; size <= 256; size <<= 1)
        for (unsigned far = size / 2; far > 0; far >>= 1) {
            const unsigned at = 2 * threadIdx.x - (threadIdx.x & (far - 1));

            __syncthreads();
            unsigned a = key[at], b = key[at + far];
            key[at] = b;
            key[at + far] = a;
        }
}
