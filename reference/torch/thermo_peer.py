"""What the peers of the thermo cases share: grid, places of particles, constants of the gas, and the ways to compute.

A division that decides a cell divides by a tensor and is rounded as IEEE 754 says; divided by a number, PyTorch
multiplies by the reciprocal on a GPU. The compiler makes an approximation of `/` there. Compiled places are therefore
divided in double, which rounds to the same quotient.
"""

import importlib
import os

from assay.peer import Unsupported

import torch  # after assay.peer, which must take standard output first


def rounded(value):
    """The value in single precision, in which limits are compared."""
    return torch.tensor(value, dtype=torch.float32).item()


GAMMA = 1.4  # c_v is 1
MU = 1e-4
CONDUCTIVITY = MU * GAMMA / 0.71  # c_p is gamma
RHO_MIN = rounded(1e-3)
E_BELOW = rounded(4e-3 * 2.0**-23)
E_ABOVE = rounded(1e-2)


def divided_in_double(a, b):
    return (a.double() / b.double()).float()


class Problem:
    """A periodic grid on a device; `quotient` is the division of places."""

    def __init__(self, extents, dx, device, quotient=torch.div):
        self.extents = tuple(extents)
        self.cells = extents[0] * extents[1] * extents[2]
        self.dx, self.per_dx, self.per_volume = dx, 1 / dx, 1 / dx**3
        self.device, self.quotient = device, quotient
        self.spacing = torch.tensor(dx, dtype=torch.float32, device=device)
        self.sides = torch.tensor(self.extents, dtype=torch.float32, device=device)
        self.lengths = self.sides * self.spacing
        self.lengths_as_numbers = self.lengths.tolist()


def wrapped(p, x, sides):
    r = x - sides * torch.floor(p.quotient(x, sides))
    return torch.where((r >= 0) & (r < sides), r, torch.zeros_like(r))


def cells_of(p, pos):
    """Cells of particles, and places within the cells."""
    r = wrapped(p, p.quotient(pos, p.spacing), p.sides)
    base = torch.floor(r)
    return base.long(), r - base


def corner(p, base, f, c):
    """Nodes and weights of corner c; bits 2, 1 and 0 say whether it is the upper one along x, y and z."""
    node, w = torch.zeros_like(base[:, 0]), torch.ones_like(f[:, 0])
    for axis, bit in enumerate((c >> 2, c >> 1 & 1, c & 1)):
        node = node * p.extents[axis] + (base[:, axis] + bit) % p.extents[axis]
        w = w * (f[:, axis] if bit else 1 - f[:, axis])
    return node, w


# ---- ways to compute ----


def compiled(function):
    """Compiles the function for this point alone: nothing is left of earlier points. There is no fused multiply-add:
    with it, differences of equal values are not 0, and particles near a node are in another cell."""
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    os.environ["TRITON_DEFAULT_FP_FUSION"] = "0"
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False, fullgraph=True)


def triton_kernels(module, device):
    """A module of Triton kernels."""
    if device.type != "cuda":
        raise Unsupported("Triton kernels run on a GPU")
    try:
        return importlib.import_module(module)
    except ImportError as e:
        raise Unsupported("there is no Triton: %s" % e)


def refuse(word):
    raise Unsupported("the word '%s' is unknown" % word)
