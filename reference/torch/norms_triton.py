"""The norms in Triton. Forward, one program takes a row, which is one block. Backward, a fixed number of programs take rows
in turn and sum their columns; a second kernel adds these sums."""

from assay.peer import Unsupported
from norms_peer import BACKWARD, E4M3, FP8

import torch
import triton
import triton.language as tl

PROGRAMS = 528  # backward: four on each multiprocessor of an H200
TILE_ROWS, TILE_COLS = 32, 64
LARGEST_E4M3 = tl.constexpr(448.0)


@triton.jit
def row_of(x, at, c, mask):
    return tl.load(x + (at + c), mask=mask, other=0.0).to(tl.float32)


@triton.jit
def statistics(x, mask, cols, eps, CENTRES: tl.constexpr):
    """x, minus its mean if CENTRES, and the reciprocal of the root of its mean square."""
    d = x
    if CENTRES:
        d = tl.where(mask, x - tl.sum(x, axis=0) / cols, 0.0)
    return d, 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / cols + eps)


@triton.jit
def norm_forward(x, residual, weight, bias, y, total, cols, eps, per_scale, CENTRES: tl.constexpr, ADDS: tl.constexpr,
                 CLAMPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(axis=0) * cols
    c = tl.arange(0, BLOCK)
    mask = c < cols
    value = row_of(x, at, c, mask)
    if ADDS:
        value = (value + row_of(residual, at, c, mask)).to(total.dtype.element_ty).to(tl.float32)
        tl.store(total + (at + c), value, mask=mask)
    d, r = statistics(value, mask, cols, eps, CENTRES)
    out = d * r * row_of(weight, 0, c, mask)
    if CENTRES:
        out = out + row_of(bias, 0, c, mask)
    if CLAMPS:
        out = out * per_scale
        out = tl.where(out > LARGEST_E4M3, LARGEST_E4M3, tl.where(out < -LARGEST_E4M3, -LARGEST_E4M3, out))
    tl.store(y + (at + c), out, mask=mask)


@triton.jit
def norm_backward(x, weight, dy, d_out, dx, weights, biases, rows, cols, eps, CENTRES: tl.constexpr,
                  ADDS: tl.constexpr, STEP: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    mask = c < cols
    w = row_of(weight, 0, c, mask)
    to_weight = tl.full((BLOCK,), 0.0, tl.float32)
    to_bias = tl.full((BLOCK,), 0.0, tl.float32)
    for row in range(tl.program_id(axis=0), rows, STEP):
        at = row * cols
        d, r = statistics(row_of(x, at, c, mask), mask, cols, eps, CENTRES)
        slope = row_of(dy, at, c, mask)
        z = d * r
        g = slope * w
        out = g - z * (tl.sum(g * z, axis=0) / cols)
        if CENTRES:
            out = out - tl.sum(g, axis=0) / cols
            to_bias = to_bias + slope
        out = out * r
        if ADDS:
            out = out + row_of(d_out, at, c, mask)
        tl.store(dx + (at + c), out, mask=mask)
        to_weight = to_weight + slope * z
    tl.store(weights + (tl.program_id(axis=0) * cols + c), to_weight, mask=mask)
    if CENTRES:
        tl.store(biases + (tl.program_id(axis=0) * cols + c), to_bias, mask=mask)


@triton.jit
def sum_columns(partial, total, n, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    c = tl.program_id(axis=0) * COLS + tl.arange(0, COLS)
    k = tl.arange(0, ROWS)
    tile = tl.full((ROWS, COLS), 0.0, tl.float32)
    for first in range(0, n, ROWS):
        mask = (first + k < n)[:, None] & (c < cols)[None, :]
        tile = tile + tl.load(partial + ((first + k)[:, None] * cols + c[None, :]), mask=mask, other=0.0)
    tl.store(total + c, tl.sum(tile, axis=0), mask=c < cols)


# ---- launches ----


def options(n):
    """The block that holds a row, and its number of warps."""
    if n.rows * n.cols >= 2**31:
        raise Unsupported("places are counted in 32 bits")
    block = triton.next_power_of_2(n.cols)
    return {"BLOCK": block, "num_warps": min(max(block // 256, 1), 16)}


def totals(n, partial, like):
    total = torch.empty(n.cols, dtype=like.dtype, device=like.device)
    sum_columns[(triton.cdiv(n.cols, TILE_COLS),)](partial, total, partial.shape[0], n.cols, ROWS=TILE_ROWS,
                                                   COLS=TILE_COLS)
    return total


def forward(n, centres, adds):
    x, weight = n.matrix("x"), n.vector("weight")
    kind = E4M3 if n.does == FP8 else x.dtype
    y, total = torch.empty(x.shape, dtype=kind, device=x.device), torch.empty_like(x) if adds else x
    if n.rows > 0:
        norm_forward[(n.rows,)](x, n.matrix("residual") if adds else x, weight, n.vector("bias") if centres else weight,
                                y, total, n.cols, n.eps, 1 / n.scale, CENTRES=centres, ADDS=adds, CLAMPS=n.does == FP8,
                                **options(n))
    return {"y": y, "residual": total} if adds else {"y": y}


def backward(n, centres, adds):
    x, weight = n.matrix("residual" if adds else "x"), n.vector("weight")
    dx, programs = torch.empty_like(x), min(n.rows, PROGRAMS)
    partial = [torch.empty((programs, n.cols), dtype=torch.float32, device=x.device) for _ in range(2 if centres else 1)]
    if n.rows > 0:
        norm_backward[(programs,)](x, weight, n.matrix("dy"), n.matrix("d_out") if adds else x, dx, partial[0],
                                   partial[-1], n.rows, n.cols, n.eps, CENTRES=centres, ADDS=adds, STEP=programs,
                                   **options(n))
    names = ("d_weight", "d_bias")
    return dict(zip(names, (totals(n, p, x) for p in partial)), **{"d_sum" if adds else "dx": dx, "residual": x})


def step(n, centres, adds):
    if n.does == FP8 and E4M3 is None:
        raise Unsupported("torch %s has no fp8" % torch.__version__)
    return lambda: (backward if n.does == BACKWARD else forward)(n, centres, adds)


def rms(n):
    return step(n, centres=False, adds=False)


def layer(n):
    return step(n, centres=True, adds=False)


def fused(n):
    return step(n, centres=False, adds=True)
