"""Batched Q and R in PyTorch, eager and compiled. docs/linear_solve.md has the definition.

Words: eager, compile.
"""

from assay.peer import Unsupported, serve
from linalg_peer import by_columns, matrices, way_of

import torch

SCALED_BATCH = 8  # in larger batches no matrix is scaled (kernels/qr/qr_case.h)


def factor(a):
    """Computes in single precision for every type of input and output."""
    q, r = torch.linalg.qr(a.float())
    return {"q": by_columns(q.to(a.dtype)), "r": by_columns(r.to(a.dtype))}


def make(job):
    rows, columns, batch = job.params[:3]
    a = job.inputs["a"]
    if a.is_cuda and 2 < batch <= SCALED_BATCH and a.dtype != torch.float16:
        raise Unsupported("on a GPU it is cuBLAS's geqrfBatched, which does not scale columns")
    whole = way_of(job.word, factor)
    a = matrices(a, batch, rows, columns)
    return lambda: whole(a)


if __name__ == "__main__":
    serve(make)
