"""Batched singular values and vectors in PyTorch, eager and compiled. docs/linear_solve.md has the
definition.

Words: eager, compile.
"""

from assay.peer import Unsupported, serve
from linalg_peer import by_columns, matrices, way_of

import torch

SCALED_BATCH = 11  # in larger batches no matrix is scaled (kernels/svd/svd_case.h)


def decompose(a):
    """Computes in single precision for every type of input and output."""
    u, s, v_transposed = torch.linalg.svd(a.float(), full_matrices=False)
    v = v_transposed.transpose(-2, -1)
    return {
        "s": s.to(a.dtype).flatten(),
        "u": by_columns(u.to(a.dtype)),
        "v": by_columns(v.to(a.dtype)),
    }


def make(job):
    rows, columns, batch = job.params[:3]
    a = job.inputs["a"]
    if a.is_cuda and 9 < batch <= SCALED_BATCH and a.dtype != torch.float16:
        raise Unsupported("on a GPU it is cuSOLVER, which does not say whether it scales matrices")
    whole = way_of(job.word, decompose)
    a = matrices(a, batch, rows, columns)
    return lambda: whole(a)


if __name__ == "__main__":
    serve(make)
