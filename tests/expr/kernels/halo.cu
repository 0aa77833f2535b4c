// --block 16x16 -D n=16: 90 171 90 any
#define SIDE  16
#define REACH 1
#define ALL   (SIDE + 2 * REACH)
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ float tile[ALL][ALL];

    for (int y = threadIdx.y; y < ALL; y += blockDim.y)
        for (int x = threadIdx.x; x < ALL; x += blockDim.x)
            tile[y][x] = in[y * n + x];
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy <= 2 * REACH; ++dy)
        for (int dx = 0; dx <= 2 * REACH; ++dx)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[threadIdx.y * n + threadIdx.x] = sum;
}
