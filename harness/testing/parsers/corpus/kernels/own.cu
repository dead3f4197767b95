// y = a x + y
#define BLOCK 256
__global__ void __launch_bounds__(BLOCK)
    saxpy(const float *__restrict__ x, float *y, float a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
void launch(const float *x, float *y, float a, int n, cudaStream_t stream)
{
    saxpy<<<(n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(x, y, a, n);
}
