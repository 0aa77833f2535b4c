// --block 32x8 -D SIDE=32 -D n=64: 64 1056 64 tile[SIDE][SIDE + 1]
#define STEP 8
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;

    for (int j = 0; j < SIDE; j += STEP)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x]; // by rows
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += STEP)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j]; /* by columns */
}
