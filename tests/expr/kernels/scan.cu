// --threads 128 -D n=256: 0 0 0 padding
__global__ void kernel(float *out, const float *in, int n)
{
    extern __shared__ float tree[];
    int me = threadIdx.x, far = 1;

    tree[2 * me] = in[2 * me];
    tree[2 * me + 1] = in[2 * me + 1];
    for (int d = n >> 1; d > 0; d >>= 1, far *= 2) {
        __syncthreads();
        if (me >= d)
            continue;
        int left = far * (2 * me + 1) - 1, right = far * (2 * me + 2) - 1;
        tree[right] += tree[left];
    }
    if (me == 0)
        out[0] = tree[n - 1];
}
