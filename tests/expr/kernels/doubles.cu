// --threads 64 -D n=16: 0 0 0 any
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ double row[64][16];
    double sum = 0;

    for (int k = 0; k < n; k++)
        row[threadIdx.x][k] = in[k];
    for (int k = 0; k < n; k++)
        sum += row[threadIdx.x][(k + threadIdx.x) % 16];
    out[0] = sum;
}
