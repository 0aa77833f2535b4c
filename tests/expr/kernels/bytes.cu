// --threads 256 -D n=4: 0 0 0 any
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ unsigned char table[32][64];

    for (unsigned k = 0; k < n; k++)
        table[threadIdx.x % 32][(threadIdx.x / 32 + k) & 63] = 1;
    __syncthreads();
    out[0] = table[threadIdx.x & 31][threadIdx.x >> 5];
}
