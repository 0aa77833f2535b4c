// --threads 96 -D n=40: 0 0 0 any
__global__ void kernel(float *out, const float *in, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x;

    if (t >= n)
        return;
    if (t < 16) {
        s[t * 2] = 1;
    } else if (t % 3 == 0) {
        s[t * 4] = 2;
    } else {
        s[t] = t & 1 ? s[t + 100] : s[t * 3 + 7];
    }
    for (int k = 0; k < 10; k++) {
        if (k > t)
            break;
        if (k & 1)
            continue;
        s[t * k] = 0;
    }
}
