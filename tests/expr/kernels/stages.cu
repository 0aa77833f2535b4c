// --threads 128 -D n=4: 0 0 0 any
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ float ring[2][16][8];
    int stage = 0;

    for (int k = 0; k < n; k++) {
        ring[stage][threadIdx.x / 8][threadIdx.x % 8] = in[k];
        __syncthreads();
        out[k] = ring[stage][threadIdx.x % 16][threadIdx.x / 16];
        stage ^= 1;
    }
}
