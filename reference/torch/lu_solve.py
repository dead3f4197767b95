"""Batched A x = b in PyTorch, eager and compiled: the two steps of torch.linalg.solve, so that the pivots can be checked
between them. docs/linear_solve.md has the definition.

Words: eager, compile.
"""

from assay.peer import serve
from linalg_peer import matrices, way_of

import torch

THRESHOLD = 4 * 2.0**-24  # times n and the largest number of the matrix


def solve(a, b):
    """x and info, computed in single precision for every type of input and output."""
    n = a.shape[-1]
    wide = a.float()
    lu, pivots, _ = torch.linalg.lu_factor_ex(wide)
    least = THRESHOLD * n * wide.abs().amax(dim=(-2, -1))
    is_small = ~(lu.diagonal(dim1=-2, dim2=-1).abs() > least[:, None])
    column = torch.arange(1, n + 1, device=a.device)
    info = torch.where(is_small, column, n + 1).amin(dim=-1) % (n + 1)
    x = torch.linalg.lu_solve(lu, pivots, b.float()[:, :, None])[:, :, 0]
    x = x.masked_fill((info != 0)[:, None], float("nan"))
    return {"x": x.to(b.dtype).flatten(), "info": info.int()}


def make(job):
    n, batch = job.params[:2]
    whole = way_of(job.word, solve)
    a, b = matrices(job.inputs["a"], batch, n, n), job.inputs["b"].view(batch, n)
    return lambda: whole(a, b)


if __name__ == "__main__":
    serve(make)
