"""A user's softmax in Triton, judged and timed beside the kernels of the case softmax_row. Needs a GPU; arrays are tensors of
PyTorch.

    assay bench --script softmax_triton.py --variant mine --variant kept --axis type=f32 --axis size=65536x1024x1
"""

import triton
import triton.language as tl

import assay


@triton.jit
def rows(x, y, width, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    place = tl.program_id(axis=0) * width + column
    score = tl.load(x + place, mask=column < width, other=-float("inf")).to(tl.float32)
    most = tl.max(score, axis=0)
    power = tl.exp(score - tl.where(most == -float("inf"), 0.0, most))  # -inf is masked
    total = tl.sum(power, axis=0)
    tl.store(y + place, power / tl.where(total == 0.0, 1.0, total), mask=column < width)


@assay.variant("softmax_row", name="mine", baseline="kept")
def softmax(x, y, size):
    if not x.is_cuda or size[1] > 32768 or x.numel() >= 2**31:
        raise assay.Unsupported("this kernel needs a GPU, rows of at most 32768 columns, and fewer than 2^31 elements")
    if size[0] > 0:
        rows[(size[0],)](x, y, size[1], BLOCK=triton.next_power_of_2(size[1]))
