"""gelu and silu by PyTorch's operators, forward, backward and to fp8: eager, and compiled. docs/activations.md has the
mathematics.

Words: eager, compile.
"""

from assay.peer import Unsupported, serve
from ops_peer import as_told, refuse_narrow_on_cpu

import torch
import torch.nn.functional as F

Y, Y_F8, D_X = range(3)  # of the parameter output
ERF, TANH, SILU = range(3)  # of the parameter function
LARGEST = 448.0  # of E4M3


def forward_of(function):
    if function == SILU:
        return F.silu
    approximate = "tanh" if function == TANH else "none"
    return lambda x: F.gelu(x, approximate=approximate)


def backward_of(function):
    if function == SILU:
        return torch.ops.aten.silu_backward
    approximate = "tanh" if function == TANH else "none"
    return lambda d_y, x: torch.ops.aten.gelu_backward(d_y, x, approximate=approximate)


def make(job):
    _, output, function = job.params[:3]
    x, d_y, scale = job.inputs["x"], job.inputs["d_y"], job.scalars[0]
    refuse_narrow_on_cpu(job, x)
    if output == D_X:
        backward = as_told(job.word, backward_of(function))
        return lambda: {"d_x": backward(d_y, x)}
    if function == ERF and job.device.type == "cpu":
        raise Unsupported("torch on the CPU has an erf that is off by 1.5e-7, which is past the bound")
    forward = forward_of(function)
    if output == Y:
        plain = as_told(job.word, forward)
        return lambda: {"y": plain(x)}
    if not hasattr(torch, "float8_e4m3fn"):
        raise Unsupported("torch %s has no float8_e4m3fn" % torch.__version__)

    def narrowed(x):  # a conversion past the largest value is NaN
        return (forward(x.float()) * scale).clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn)

    whole = as_told(job.word, narrowed)
    return lambda: {"y": whole(x)}


if __name__ == "__main__":
    serve(make)
