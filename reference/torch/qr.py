"""Batched Q and R in PyTorch, eager and compiled. docs/linear_solve.md has the definition.

Words: eager, compile.
"""

from assay_peer import serve
from linalg_peer import by_columns, matrices, way_of

import torch


def factor(a):
    """Single precision inside, whatever comes in and goes out."""
    q, r = torch.linalg.qr(a.float())
    return {"q": by_columns(q.to(a.dtype)), "r": by_columns(r.to(a.dtype))}


def make(job):
    rows, columns, batch = job.params[:3]
    whole = way_of(job.word, factor)
    a = matrices(job.inputs["a"], batch, rows, columns)
    return lambda: whole(a)


if __name__ == "__main__":
    serve(make)
