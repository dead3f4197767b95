"""Tests ci/mutate on one small kernel: of four planted mutants two are found, one has a reason, one changes nothing.

    mutate_test.py TREE BUILD
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

TREE, BUILD = sys.argv[1:3]
sys.path.insert(0, os.path.join(TREE, "ci"))
from mutation import operators  # noqa: E402

PLANTED = """# The bound, the summand, and the same bound written in another way.
case axpy
file kernels/axpy/axpy.cu
before if (i < n)
after if (i <= n)

case axpy
file kernels/axpy/axpy.cu
before y[tail] = fmaf(a, x[tail], y[tail]);
after y[tail] = a * x[tail];

case axpy
file kernels/axpy/axpy.cu
before if (i < n / 4) {
after if (4 * i + 3 < n) {
"""
SAME = """
case axpy
file kernels/axpy/axpy.cu
before if (i < n)
after if (((i < n)))
"""
REASON = PLANTED[PLANTED.rindex("case axpy"):] + "why i < n / 4 in whole numbers is 4 i + 4 <= n\n"

SOURCE = """__shared__ float slot[32]; // a[i] < b + c
static box<float> boxes[4];
template <typename T> __device__ void f(int64_t n, float *x)
{
    if (n < 4 && x[n] > 0.5f)
        x[n] -= __shfl_xor_sync(0xffffffffu, x[n], 1) * 2.0f;
    __syncthreads();
    __threadfence();
    if (n == 0)
        atomicAdd(counter, n - 1);
    n = n < 4 ? n : 4;
    float y[2];
    y[0] = y[1] > 0 ? y[1] : n > 4 ? 2 : 3;
    const int64_t row = blockIdx.x % 8, to = blockIdx.x * 8;
    const int64_t part = blockIdx.x / 2;
    for (int k = 0; k < SIZE; k++)
        y[1] = k;
    const int64_t warp = static_cast<int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
}
"""
CHANGED = [  # operator, a line after the change
    ("index", "if (n < 4 && x[n + 1] > 0.5f)"),
    ("comparison", "if (n <= 4 && x[n] > 0.5f)"),
    ("comparison", "if (n < 4 && x[n] >= 0.5f)"),
    ("term", "if (n < 4)"),
    ("term", "x[n] -= __shfl_xor_sync(0xffffffffu, x[n], 1);"),
    ("term", ";"),
    ("barrier", ";"),
    ("fence", ";"),
    ("atomic", "[](auto *p, auto v) { const auto old = *p; *p = old + v; return old; }(counter, n - 1);"),
    ("mask", "x[n] -= __shfl_xor_sync((0xffffffffu) & 0x7fffffffu, x[n], 1) * 2.0f;"),
    ("operand", "if (n < 4 || x[n] > 0.5f)"),
    ("operand", "atomicAdd(counter, 1 - n);"),
    ("constant", "if (n == -1)"),
    ("constant", "const int64_t part = blockIdx.x / 1;"),
    ("constant", "if (n < 4 && x[n] > 0.5625f)"),
    ("comparison", "y[0] = y[1] <= 0 ? y[1] : n > 4 ? 2 : 3;"),
    ("comparison", "y[0] = y[1] > 0 ? y[1] : n >= 4 ? 2 : 3;"),
    ("comparison", "for (int k = 0; k + 1 < SIZE; k++)"),
    ("type", "const int16_t row = blockIdx.x % 8, to = blockIdx.x * 8;"),
    ("type", "template <typename T> __device__ void f(int16_t n, float *x)"),
]

n_failed = 0


def holds(sentence, is_true, shown=""):
    global n_failed
    print(f"{'ok     ' if is_true else 'FAILED '} {sentence}")
    if not is_true:
        n_failed += 1
        print(shown)


def mutate(folder, *more):
    words = [os.path.join(TREE, "ci/mutate"), "axpy", "--build", BUILD, "--planted", os.path.join(folder, "planted.txt"),
             "--output", os.path.join(folder, "mutants.csv"), *more]
    done = subprocess.run([sys.executable, "-B", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


numbers = operators.block_numbers([SOURCE, "int64_t n = blockIdx.x; int64_t k = blockIdx.x * 2;"])
of_block = [operators.place(SOURCE, m)[3] for m in operators.mutants(SOURCE, numbers)]
made = [(m.operator, operators.place(SOURCE, m)[3]) for m in operators.mutants(SOURCE)]
for wanted in CHANGED:
    holds(f"{wanted[0]}: {wanted[1]}", wanted in made, made)
holds("no template, comment or size of an array is touched",
      not any("slot[33]" in after or "boxes[5]" in after or "n <= 4 ?" in after or "<=typename" in after or "a[i" in after for _, after in made), made)

holds("a block's number by itself keeps its type", not any("int16_t part" in after or "int16_t warp" in after for _, after in made), made)
holds("so does one that is handed on", "n" in numbers and "to" not in numbers and not any("f(int16_t n" in after for after in of_block), of_block)
holds("where a floating-point number lies at a boundary, no choice is tried", not any("y[1] >= 0" in after for _, after in made), made)

with tempfile.TemporaryDirectory() as folder:
    for name, text in (("planted.txt", PLANTED + SAME), ("reasons.txt", REASON), ("none.txt", "")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    reasons, none = (os.path.join(folder, name) for name in ("reasons.txt", "none.txt"))
    with open(os.path.join(TREE, "kernels/axpy/axpy.cu"), encoding="utf-8") as file:
        kernel = file.read()
    code, said = mutate(folder, "--reasons", reasons)
    holds("two are found, one has its reason, and one is the same code at other columns: exit status 0",
          code == 0 and re.search(r"\| axpy \| 3 \| 2 \| 1 \| 0 \|.*\| 1 \|$", said, re.M), said)
    with open(os.path.join(folder, "mutants.csv"), newline="", encoding="utf-8") as file:
        verdicts = [row["verdict"] for row in csv.DictReader(file)]
    holds("their verdicts are kept", verdicts == ["OUT_OF_BOUNDS", "WRONG_VALUE", "", ""], verdicts)
    code, said = mutate(folder, "--reasons", none)
    holds("without the reason: exit status 1", code == 1 and "survived: axpy kernels/axpy/axpy.cu" in said, said)
    holds("what the output holds is not judged again", "4 mutants, 4 of them in" in said, said)
    with open(os.path.join(TREE, "kernels/axpy/axpy.cu"), encoding="utf-8") as file:
        holds("the tree is as it was", file.read() == kernel)
sys.exit(1 if n_failed else 0)
