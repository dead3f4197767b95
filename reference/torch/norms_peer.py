"""What the peers of the norms share: rows as matrices, and the ways to compute.

Everything is computed in single precision, and rounded once when it is stored, as the cases require.
"""

import importlib

from assay.peer import Unsupported

import torch  # after assay.peer, which must take standard output first

# Places and values of the cases' parameters.
PASS, ROWS, COLS = 1, 2, 3
FORWARD, BACKWARD, FP8 = 0, 1, 2

LARGEST_E4M3 = 448.0
E4M3 = getattr(torch, "float8_e4m3fn", None)  # not in every release


class Norm:
    """One point: its rows, its numbers, and the inputs that it has, as matrices and vectors."""

    def __init__(self, job):
        self.rows, self.cols = job.params[ROWS], job.params[COLS]
        self.eps, self.scale = job.scalars[0], job.scalars[1]
        self.does = job.params[PASS]
        self.inputs = job.inputs
        self.device = job.device

    def matrix(self, name):
        return self.inputs[name].view(self.rows, self.cols)

    def vector(self, name):
        return self.inputs[name]


def compiled(function):
    """Compiles the function for this point alone: nothing is left of earlier points."""
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False, fullgraph=True)


def function_of(word, eager, to_compile):
    if word == "eager":
        return eager
    if word == "compile":
        return compiled(to_compile)
    raise Unsupported("the word '%s' is unknown" % word)


def triton_kernels(device):
    """The module of Triton kernels."""
    if device.type != "cuda":
        raise Unsupported("Triton kernels run on a GPU")
    try:
        return importlib.import_module("norms_triton")
    except ImportError as e:
        raise Unsupported("there is no Triton: %s" % e)


def quantized(y, scale):
    """y, which is in single precision, as E4M3; a value beyond the largest number becomes that number."""
    if E4M3 is None:
        raise Unsupported("torch %s has no fp8" % torch.__version__)
    return (y * (1 / scale)).clamp(-LARGEST_E4M3, LARGEST_E4M3).to(E4M3)


# ---- rows divided by their root mean square, as operations ----


def rms_forward(x, weight, eps):
    """In single precision."""
    x = x.float()
    return x * torch.rsqrt((x * x).mean(dim=1, keepdim=True) + eps) * weight.float()


def rms_backward(x, weight, dy, eps):
    """Gradients of x and of the weight, in single precision."""
    x, dy = x.float(), dy.float()
    r = torch.rsqrt((x * x).mean(dim=1, keepdim=True) + eps)
    z, g = x * r, dy * weight.float()
    return r * (g - z * (g * z).mean(dim=1, keepdim=True)), (dy * z).sum(dim=0)
