"""Softmax of rows and its gradient in PyTorch, and the forward pass in Triton. docs/softmax_row.md has the definition.

Computed in single precision for every type. PyTorch's softmax of a completely masked row is NaN, and that NaN still
reaches the gradient if it is masked afterwards. Such rows are therefore masked both before and after the softmax. Words:
eager, compile, triton.
"""

import importlib

from assay.peer import Unsupported, serve

import torch  # after assay.peer, which must take standard output first

MASKED = float("-inf")


def softmax(x):
    """In single precision."""
    is_masked = (x == MASKED).all(-1, keepdim=True)
    y = torch.softmax(x.masked_fill(is_masked, 0), -1, dtype=torch.float32)
    return y.masked_fill(is_masked, 0)


def softmax_of_type(x):
    return softmax(x).to(x.dtype)


def is_on_gpu(job):
    return job.device.type == "cuda"


def triton_kernels():
    try:
        return importlib.import_module("softmax_row_triton")
    except ImportError as e:
        raise Unsupported("there is no Triton: %s" % e)


def compiled(function):
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    torch._dynamo.reset()  # compiles for this point alone: nothing is left of earlier points
    return torch.compile(function, dynamic=False, fullgraph=True)


def chosen(word, function):
    if word not in ("eager", "compile"):
        raise Unsupported("the word '%s' is unknown" % word)
    return compiled(function) if word == "compile" else function


def forward(job, x):
    if job.word == "triton":
        if not is_on_gpu(job):
            raise Unsupported("Triton kernels run on a GPU")
        return triton_kernels().step(x)
    whole = chosen(job.word, softmax_of_type)

    def step():
        with torch.no_grad():
            return {"y": whole(x)}

    return step


def backward(job, x, dy):
    whole = chosen(job.word, softmax)
    x.requires_grad_(True)

    def step():
        return {"dx": torch.autograd.grad(whole(x), x, dy.float())[0]}

    return step


def make(job):
    rows, width = job.params[0:2]
    x = job.inputs["x"].view(rows, width)
    if job.case == "softmax_row_grad":
        return backward(job, x, job.inputs["dy"].view(rows, width))
    return forward(job, x)


if __name__ == "__main__":
    serve(make)
