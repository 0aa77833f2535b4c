// --block 32x4 -D n=32: 0 0 0 padding
__global__ void kernel(float *out, const float *in, int n)
{
    extern __shared__ float memory[];
    float *tile = &memory[1024];

    tile[threadIdx.x * 32 + threadIdx.y] = in[threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.y; k < n; k += 4)
        out[k] = tile[k * 32 + threadIdx.x];
}
