#!/usr/bin/env bash
# assay new: from a file of kernels in an empty folder to a case that passes and that finds a planted bug.
#   test_cli_new.sh BUILD_TREE
set -u
assay=$1/assay
build=$(realpath "$1")
. "$(dirname "$0")/cli.sh"

make=()
command -v ninja >/dev/null && make=(-G Ninja)
ends 0 "" cmake --install "$build" --prefix "$folder/installed"
assay=$folder/installed/bin/assay

# Configures and builds the project in the current folder.
builds() { # options of cmake
    ends 0 "" cmake -S . -B build "${make[@]}" -DCMAKE_PREFIX_PATH="$folder/installed" "$@"
    ends 0 "" cmake --build build
}

# writes FILE "text": writes the reference's body into a case, and its name into the definition.
writes() {
    printf '%s\n' "$2" >body
    sed -i -e '/^    (void)args;$/{r body' -e 'd}' -e "s/\.reference = NULL,.*/.reference = ${1%.c}_reference,/" "$1"
}

echo "# a row softmax in single precision"
mkdir softmax && cd softmax || exit 1
cat >softmax.cu <<'END'
#include <cuda_runtime.h>

#define BLOCK 256

/* The sum, or the greatest, of one value a thread. */
static __device__ float over_block(float mine, float *part, bool greatest)
{
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = part[threadIdx.x + half];
            part[threadIdx.x] = greatest ? fmaxf(part[threadIdx.x], other) : part[threadIdx.x] + other;
        }
        __syncthreads();
    }
    mine = part[0];
    __syncthreads();
    return mine;
}

__global__ void softmax_kernel(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    extern __shared__ float part[];
    const float *from = x + (size_t)blockIdx.x * cols;
    float most = -INFINITY, sum = 0;

    for (int i = threadIdx.x; i < cols; i += BLOCK)
        most = fmaxf(most, from[i]);
    most = over_block(most, part, true);
    for (int i = threadIdx.x; i < cols; i += BLOCK)
        sum += expf(from[i] - most);
    sum = over_block(sum, part, false);
    for (int i = threadIdx.x; i < cols; i += BLOCK)
        y[(size_t)blockIdx.x * cols + i] = expf(from[i] - most) / sum;
}

void softmax(const float *x, float *y, int N, int C, cudaStream_t stream)
{
    softmax_kernel<<<N, BLOCK, BLOCK * sizeof(float), stream>>>(x, y, N, C);
}
END
cp softmax.cu before.cu
ends 0 "softmax_kernel(const float *__restrict__ x, float *__restrict__ y, int rows, int cols): a variant" \
    "$assay" new softmax --from softmax.cu
holds "    says what launches" grep -q "softmax(.*cudaStream_t stream): a host function" said
holds "the kernels are as they were" cmp -s before.cu softmax.cu
holds "it writes two files" is "$(echo ./*)" "./CMakeLists.txt ./before.cu ./said ./softmax.c ./softmax.cu"
holds "the launch is the file's" is "$(sed -n 's/^ *\(\.grid = .*\)\|^ *\(\.shared = .*\)/\1\2/p' softmax.c)" \
    '.grid = "rows", .block = "256", /* as the file launches it */
.shared = "256 * 4",'
cp softmax.c first.c
ends 4 "softmax.c is there already, and is left as it is" "$assay" new softmax --from softmax.cu
holds "nothing is overwritten" cmp -s first.c softmax.c
builds
ends 4 "case 'softmax': reference: is missing, and without one nothing can be judged: write softmax_reference in softmax.c" \
    build/softmax check --device host
holds "    in one sentence" is "$(wc -l <said)" 1
ends 8 "check_softmax_host (Failed)" ctest --test-dir build -R check_softmax_host
writes softmax.c '    const int64_t  rows = args->param[ROWS], cols = args->param[COLS];
    const float   *x    = args->in[X];
    assay_expected e    = args->expect[Y];

    for (int64_t r = 0; r < rows; r++) {
        double sum = 0;

        for (int64_t i = r * cols; i < (r + 1) * cols; i++)
            sum += exp(x[i]);
        for (int64_t i = r * cols; i < (r + 1) * cols; i++)
            e.value[i] = e.magnitude[i] = exp(x[i]) / sum;
    }
    args->expect[Y].terms = (double)cols + 8;'
ends 0 "" cmake --build build
ends 4 "case 'softmax': tol.why: is missing; every tolerance needs its reason" build/softmax check --device host
sed -i 's/\.why = NULL/.why = "cols additions, and eight roundings beside them: two differences, exponentials, a quotient"/' softmax.c
ends 0 "" cmake --build build
ends 0 "16 points: 16 passed" build/softmax check --device host --db new.db
holds "the variant PASSes" is "$(ask new.db "SELECT variant, count(*), sum(verdict = 'PASS') FROM latest GROUP BY 1")" \
    "softmax_kernel|16|16"
ends 0 "100% tests passed" ctest --test-dir build -R check_softmax_host
sed -i 's/sum += expf/if (i > 0) sum += expf/' softmax.cu
ends 0 "" cmake --build build
ends 2 "WRONG_VALUE" build/softmax check --device host --axis cols=257

echo "# a kernel on bf16, from another folder, beside the first"
mkdir "../the kernels"
cat >"../the kernels/square.cu" <<'END'
#include <cuda_bf16.h>

namespace mine {
__global__ void square(__nv_bfloat16 *out, const __nv_bfloat16 *in, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const float value = __bfloat162float(in[i]);
        out[i] = __float2bfloat16(alpha * value * value);
    }
}
}
END
cp before.cu softmax.cu
ends 0 'it needs the line assay_case(square KERNELS "../the kernels/square.cu")' \
    "$assay" new square --from "../the kernels/square.cu"
sed -i 's|^assay_suite|assay_case(square KERNELS "../the kernels/square.cu")\n&|' CMakeLists.txt
builds
ends 4 "write square_reference in square.c" build/softmax check square --device host
writes square.c '    for (int64_t i = 0; i < args->count[OUT]; i++) {
        const double in = assay_type_load(ASSAY_BF16, args->in[IN], i);

        args->expect[OUT].value[i] = args->expect[OUT].magnitude[i] = args->scalar[ALPHA] * in * in;
    }'
sed -i 's/\.why = NULL/.why = "two products in fp32, rounded to bf16"/' square.c
ends 0 "" cmake --build build
ends 0 "5 points: 5 passed" build/softmax check square --device host --db new.db
ends 0 "" build/softmax check --device host --db new.db
sed -i 's/if (i < n)/if (i <= n)/' "../the kernels/square.cu"
ends 0 "" cmake --build build
ends 2 "OUT_OF_BOUNDS" build/softmax check square --device host
cd .. || exit 1

echo "# no file to start from, and files without a kernel that can be used"
mkdir wave && cd wave || exit 1
ends 0 "wave_kernel(const float *x, float *y, float a, int n): a variant" "$assay" new wave
builds
ends 4 "write wave_reference in wave.c and set .reference to it" build/wave check
cd .. || exit 1
mkdir none && cd none || exit 1
printf '#define KERNEL(T) __global__ void k_##T(T *x) { }\nKERNEL(float)\n' >macro.cu
ends 0 "a macro makes kernels: those are not seen" "$assay" new none --from macro.cu
builds -DASSAY_CUDA=OFF # the projects above are enough for nvcc, if there is one
ends 4 "write none_reference in none.c" build/none check
cd .. || exit 1

echo "# wrong use"
ends 4 "new takes one name" "$assay" new
ends 4 "new takes one name" "$assay" new a b
ends 4 "'a-b' is none" "$assay" new a-b
ends 4 "'test' means something else to the build" "$assay" new test
ends 4 "cannot read not_here.cu" "$assay" new a --from not_here.cu
ends 4 "does not end in .cu" "$assay" new a --from softmax/softmax.c
ends 4 "there is no option --form here" "$assay" new a --form x.cu
holds "and nothing is written" is "$(echo ./*)" "./installed ./none ./said ./softmax ./the kernels ./wave"
finish
