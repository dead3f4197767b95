"""Attention in Triton, forward: one program takes a tile of queries of a head, and goes through the tiles of keys with a
running maximum. Sums are in fp32; weights are rounded to the type of the values before they are multiplied."""

from assay.peer import Unsupported

import torch
import triton
import triton.language as tl

MINUS_INFINITY = tl.constexpr(float("-inf"))
LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def scores_of(qs, k, bias, rows, j, first, head, heads, scale, n_k, IS_CAUSAL: tl.constexpr, HAS_BIAS: tl.constexpr,
              SIZE: tl.constexpr, KEYS: tl.constexpr):
    """The scores of a tile of keys, in powers of two; -inf if a row does not see a key."""
    keys = j + tl.arange(0, KEYS)
    cols = tl.arange(0, SIZE)
    ks = tl.load(k + ((first + keys)[:, None] * SIZE + cols[None, :]),
                 mask=(keys < n_k)[:, None] & (cols < SIZE)[None, :], other=0.0)
    s = tl.dot(qs, tl.trans(ks), input_precision="ieee") * (scale * LOG2_E)
    if HAS_BIAS:
        b = tl.load(bias + (head // heads * n_k + keys), mask=keys < n_k, other=0.0)
        s = s + b[None, :] * LOG2_E
    is_seen = (rows >= 0)[:, None] & (keys < n_k)[None, :]
    if IS_CAUSAL:
        is_seen = is_seen & (keys[None, :] <= rows[:, None])
    return tl.where(is_seen, s, MINUS_INFINITY)


@triton.jit
def attend_tiles(q, k, v, bias, out, scale, n_blocks, heads, n_q, n_k, IS_CAUSAL: tl.constexpr, HAS_BIAS: tl.constexpr,
                 SIZE: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr):
    head = tl.program_id(axis=0) // n_blocks
    block = tl.program_id(axis=0) % n_blocks
    rows = block * ROWS + tl.arange(0, ROWS)
    cols = tl.arange(0, SIZE)
    is_row = (rows < n_q)[:, None] & (cols < SIZE)[None, :]
    at = (head * n_q + rows)[:, None] * SIZE + cols[None, :]
    qs = tl.load(q + at, mask=is_row, other=0.0)
    top = tl.full([ROWS], MINUS_INFINITY, tl.float32)
    total = tl.full([ROWS], 0.0, tl.float32)
    sums = tl.full([ROWS, SIZE], 0.0, tl.float32)
    last = n_k
    if IS_CAUSAL:
        last = tl.minimum(n_k, block * ROWS + ROWS)
    for j in range(0, last, KEYS):
        s = scores_of(qs, k, bias, rows, j, head * n_k, head, heads, scale, n_k, IS_CAUSAL, HAS_BIAS, SIZE, KEYS)
        keys = j + tl.arange(0, KEYS)
        vs = tl.load(v + ((head * n_k + keys)[:, None] * SIZE + cols[None, :]),
                     mask=(keys < n_k)[:, None] & (cols < SIZE)[None, :], other=0.0)
        higher = tl.maximum(top, tl.max(s, axis=1))
        base = tl.where(higher > MINUS_INFINITY, higher, 0.0)
        weights = tl.exp2(s - base[:, None])
        again = tl.exp2(top - base)
        total = total * again + tl.sum(weights, axis=1)
        sums = sums * again[:, None] + tl.dot(weights.to(vs.dtype), vs, input_precision="ieee")
        top = higher
    divisor = tl.where(total > 0.0, total, 1.0)
    result = tl.div_rn(sums, divisor[:, None] + tl.zeros_like(sums))
    tl.store(out + at, result, mask=is_row)


def attend(q, k, v, bias, is_causal, scale):
    """Attention of [batch][heads][length][size]; bias of keys in fp32, or None."""
    out = torch.empty_like(q)
    batch, heads, n_q, size = q.shape
    if max(q.numel(), k.numel()) >= 2**31:
        raise Unsupported("places are counted in 32 bits")
    rows, keys = (64, 32) if q.dtype == torch.float32 else (128, 64)
    blocks = triton.cdiv(n_q, rows)
    attend_tiles[(batch * heads * blocks,)](
        *(x.reshape(-1) for x in (q, k, v)), q if bias is None else bias.reshape(-1), out.view(-1), scale, blocks, heads,
        n_q, k.shape[2], IS_CAUSAL=is_causal, HAS_BIAS=bias is not None, SIZE=size, ROWS=rows, KEYS=keys, num_warps=8)
    return out
