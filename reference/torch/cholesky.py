"""Batched Cholesky factors in PyTorch, eager and compiled. docs/linear_solve.md has the definition.

Words: eager, compile.
"""

from assay.peer import serve
from linalg_peer import by_columns, matrices, way_of

import torch


def factor(a):
    """L and info, computed in single precision for every type of input and output."""
    lower, info = torch.linalg.cholesky_ex(a.float())
    lower = lower.masked_fill((info != 0)[:, None, None], float("nan"))
    return {"l": by_columns(lower.to(a.dtype)), "info": info.int()}


def make(job):
    n, batch = job.params[:2]
    whole = way_of(job.word, factor)
    a = matrices(job.inputs["a"], batch, n, n)
    return lambda: whole(a)


if __name__ == "__main__":
    serve(make)
