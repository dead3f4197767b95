"""A softmax of rows in Triton: one program keeps a whole row of any width in one block, padded with -inf."""

import torch
import triton
import triton.language as tl

from assay.peer import Unsupported

WIDEST = 32768


@triton.jit
def softmax_rows(source, target, width, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    place = tl.program_id(axis=0) * width + column
    score = tl.load(source + place, mask=column < width, other=-float("inf")).to(tl.float32)
    most = tl.max(score, axis=0)
    power = tl.exp(score - tl.where(most == -float("inf"), 0.0, most))
    # A row that is completely masked gives 0 over 1.
    total = tl.maximum(tl.sum(power, axis=0), tl.where(most == -float("inf"), 1.0, 0.0))
    tl.store(target + place, tl.div_rn(power, tl.broadcast_to(total, (BLOCK,))), mask=column < width)


def step(x):
    rows, width = x.shape
    if width > WIDEST or rows * width >= 2**31:
        raise Unsupported("a program keeps a row of up to %d columns, and counts elements in 32 bits" % WIDEST)
    block = triton.next_power_of_2(width)
    warps = 4 if block < 2048 else 8 if block < 8192 else 16

    def softmax():
        y = torch.empty_like(x)
        if rows > 0:
            softmax_rows[(rows,)](x.view(-1), y.view(-1), width, BLOCK=block, num_warps=warps)
        return {"y": y}

    return softmax
