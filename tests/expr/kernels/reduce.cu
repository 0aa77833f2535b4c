// --threads 256 -D n=256: 45 150 45 padding
__global__ void kernel(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const unsigned me = threadIdx.x;

    part[me] = me < n ? in[me] : 0;
    __syncthreads();
    for (unsigned far = 1; far < blockDim.x; far *= 2) {
        const unsigned at = 2 * far * me;

        if (at < blockDim.x)
            part[at] += part[at + far];
        __syncthreads();
    }
    if (me == 0)
        out[blockIdx.x] = part[0];
}
