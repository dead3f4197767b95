"""Rows divided by their root mean square in PyTorch, eager and compiled, and with a Triton kernel. docs/norms.md has the
definition.

Words: eager, compile, triton. Forward, eager is torch.nn.functional.rms_norm if this torch has it.
"""

from assay.peer import serve
from norms_peer import BACKWARD, FP8, Norm, function_of, quantized, rms_backward, rms_forward, triton_kernels

import torch


def operations(n):
    """The pass as operations that a compiler can fuse."""
    x, weight = n.matrix("x"), n.vector("weight")
    if n.does == BACKWARD:
        dx, d_weight = rms_backward(x, weight, n.matrix("dy"), n.eps)
        return {"dx": dx.to(x.dtype), "d_weight": d_weight.to(x.dtype)}
    y = rms_forward(x, weight, n.eps)
    return {"y": quantized(y, n.scale) if n.does == FP8 else y.to(x.dtype)}


def eager(n):
    """What a user's program calls: forward, PyTorch's own function."""
    function = getattr(torch.nn.functional, "rms_norm", None)
    if n.does in (BACKWARD, FP8) or function is None or n.rows == 0:
        return operations(n)
    return {"y": function(n.matrix("x"), (n.cols,), n.vector("weight"), n.eps)}


def make(job):
    n = Norm(job)
    if job.word == "triton":
        return triton_kernels(job.device).rms(n)
    step = function_of(job.word, eager, operations)
    return lambda: step(n)


if __name__ == "__main__":
    serve(make)
