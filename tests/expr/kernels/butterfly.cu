// --threads 64 -D n=128: 0 0 0 any
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ float re[128];
    int half = 1;

    do {
        const int low = threadIdx.x % half, a = 2 * half * (threadIdx.x / half) + low, b = a + half;
        const float u = re[a], v = re[b];

        __syncthreads();
        re[a] = u + v;
        re[b] = u - v;
        half <<= 1;
    } while (half < 128);
}
