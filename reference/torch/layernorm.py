"""Rows minus their mean, divided by their standard deviation, in PyTorch, eager and compiled, and with a Triton kernel.
docs/norms.md has the definition.

Words: eager, compile, triton. Eager is torch.nn.functional.layer_norm. Its backward pass uses autograd and includes the
forward pass, which gives the statistics.
"""

from assay.peer import serve
from norms_peer import BACKWARD, Norm, function_of, triton_kernels

import torch


def centred(x, eps):
    """x minus the means of the rows, and the reciprocals of their standard deviations, in single precision."""
    d = x.float()
    d = d - d.mean(dim=1, keepdim=True)
    return d, torch.rsqrt((d * d).mean(dim=1, keepdim=True) + eps)


def back(n):
    x, dy = n.matrix("x"), n.matrix("dy").float()
    d, r = centred(x, n.eps)
    z, g = d * r, dy * n.vector("weight").float()
    dx = r * (g - g.mean(dim=1, keepdim=True) - z * (g * z).mean(dim=1, keepdim=True))
    return {"dx": dx.to(x.dtype), "d_weight": (dy * z).sum(dim=0).to(x.dtype), "d_bias": dy.sum(dim=0).to(x.dtype)}


def operations(n):
    """The pass as operations that a compiler can fuse."""
    if n.does == BACKWARD:
        return back(n)
    x = n.matrix("x")
    d, r = centred(x, n.eps)
    return {"y": (d * r * n.vector("weight").float() + n.vector("bias").float()).to(x.dtype)}


def eager(n):
    """PyTorch's own function, except for 16-bit types on a CPU, which it does not take or rounds more than once."""
    x = n.matrix("x")
    if n.rows == 0 or (n.device.type == "cpu" and x.dtype != torch.float32):
        return operations(n)
    norm = torch.nn.functional.layer_norm
    if n.does != BACKWARD:
        return {"y": norm(x, (n.cols,), n.vector("weight"), n.vector("bias"), n.eps)}
    leaves = [t.detach().requires_grad_() for t in (x, n.vector("weight"), torch.zeros_like(n.vector("weight")))]
    gradients = torch.autograd.grad(norm(leaves[0], (n.cols,), leaves[1], leaves[2], n.eps), leaves, n.matrix("dy"))
    return dict(zip(("dx", "d_weight", "d_bias"), gradients))


def make(job):
    n = Norm(job)
    if job.word == "triton":
        return triton_kernels(job.device).layer(n)
    step = function_of(job.word, eager, operations)
    return lambda: step(n)


if __name__ == "__main__":
    serve(make)
