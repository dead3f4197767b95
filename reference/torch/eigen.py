"""Batched symmetric eigenvalues and eigenvectors in PyTorch, eager and compiled. docs/linear_solve.md
has the definition.

Words: eager, compile.
"""

from assay.peer import Unsupported, serve
from linalg_peer import by_columns, matrices, way_of

import torch

SCALED_BATCH = 10  # in larger batches no matrix is scaled (kernels/eigen/eigen_case.h)


def solve(a):
    """Computes in single precision for every type of input and output."""
    w, v = torch.linalg.eigh(a.float())
    return {"w": w.to(a.dtype).flatten(), "v": by_columns(v.to(a.dtype))}


def make(job):
    n, batch = job.params[:2]
    a = job.inputs["a"]
    if a.is_cuda and 8 < batch <= SCALED_BATCH and a.dtype != torch.float16:
        raise Unsupported("on a GPU it is cuSOLVER, which does not say whether it scales matrices")
    whole = way_of(job.word, solve)
    a = matrices(a, batch, n, n)
    return lambda: whole(a)


if __name__ == "__main__":
    serve(make)
