"""x is added to a residual, whose rows are then divided by their root mean square: in PyTorch, eager and compiled, and
with a Triton kernel. docs/norms.md has the definition.

Words: eager, compile, triton. Forward, eager adds and calls torch.nn.functional.rms_norm if this torch has it.
"""

from assay.peer import serve
from norms_peer import BACKWARD, Norm, function_of, rms_backward, rms_forward, triton_kernels

import torch


def operations(n):
    """The pass as operations that a compiler can fuse. The sum is rounded before it is normalised."""
    residual, weight = n.matrix("residual"), n.vector("weight")
    if n.does == BACKWARD:
        d_sum, d_weight = rms_backward(residual, weight, n.matrix("dy"), n.eps)
        return {"residual": residual, "d_sum": (d_sum + n.matrix("d_out").float()).to(residual.dtype),
                "d_weight": d_weight.to(residual.dtype)}
    total = n.matrix("x") + residual
    return {"residual": total, "y": rms_forward(total, weight, n.eps).to(total.dtype)}


def eager(n):
    function = getattr(torch.nn.functional, "rms_norm", None)
    if n.does == BACKWARD or function is None or n.rows == 0:
        return operations(n)
    total = n.matrix("x") + n.matrix("residual")
    return {"residual": total, "y": function(total, (n.cols,), n.vector("weight"), n.eps)}


def make(job):
    n = Norm(job)
    if job.word == "triton":
        return triton_kernels(job.device).fused(n)
    step = function_of(job.word, eager, operations)
    return lambda: step(n)


if __name__ == "__main__":
    serve(make)
