"""The deposit of particles as people write it: with PyTorch's index_add_, and with Triton kernels. docs/thermo.md has the
definition.

Words: eager; triton (a program for a block of particles, atomics); triton_sorted (the pipeline of the original: cells,
counts, starts, reordered particles, atomics).
"""

from assay_peer import Unsupported, serve

import torch  # behind the peer's side, which must have standard output first


class Problem:
    """Grid and particles, from a job's parameters or given one by one."""

    def __init__(self, extents, dx, device):
        self.extents = tuple(extents)
        self.cells = extents[0] * extents[1] * extents[2]
        self.dx, self.per_volume, self.device = dx, 1 / dx**3, device


# ---- eager ----


def places(p, pos):
    """Coordinates in cells, wrapped. Divisors are tensors: by a number PyTorch multiplies with its reciprocal on a GPU,
    which may be another cell."""
    dx = torch.tensor(p.dx, dtype=torch.float32, device=p.device)
    extents = torch.tensor(p.extents, dtype=torch.float32, device=p.device)
    g = pos / dx
    r = g - extents * torch.floor(g / extents)
    return torch.where((r >= 0) & (r < extents), r, torch.zeros_like(r))


def accepted(inputs):
    """Particles of which all that is deposited is finite."""
    is_good = torch.isfinite(inputs["mass"]) & torch.isfinite(inputs["heat"])
    for name in ("pos", "vel"):
        is_good = is_good & torch.isfinite(inputs[name].view(-1, 3)).all(dim=1)
    return is_good


def eager_scatter(p, inputs):
    """What is not accepted deposits zeros at a corner of the grid: nothing waits for how many there are."""
    is_good = accepted(inputs)
    none = torch.zeros((), device=p.device)
    pos, vel = (torch.where(is_good[:, None], inputs[name].view(-1, 3), none) for name in ("pos", "vel"))
    mass, heat = (torch.where(is_good, inputs[name], none) * p.per_volume for name in ("mass", "heat"))
    r = places(p, pos)
    base = torch.floor(r)
    f, base = r - base, base.long()
    rho, e_int = (torch.zeros(p.cells, device=p.device) for _ in range(2))
    mom = torch.zeros(p.cells, 3, device=p.device)
    for corner in range(8):
        node, w = torch.zeros_like(base[:, 0]), torch.ones_like(mass)
        for axis, bit in enumerate((corner >> 2, corner >> 1 & 1, corner & 1)):
            node = node * p.extents[axis] + (base[:, axis] + bit) % p.extents[axis]
            w = w * (f[:, axis] if bit else 1 - f[:, axis])
        rho.index_add_(0, node, mass * w)
        mom.index_add_(0, node, (mass * w)[:, None] * vel)
        e_int.index_add_(0, node, heat * w)
    errors = (~is_good).sum().to(torch.int32)
    return {"rho": rho, "mom": mom, "e_int": e_int, "errors": errors}


# ---- a job ----


def triton_scatter(word, device):
    if device.type != "cuda":
        raise Unsupported("Triton kernels run on a GPU")
    try:
        import thermo_scatter_triton
    except ImportError as e:
        raise Unsupported("there is no Triton: %s" % e)
    return {"triton": thermo_scatter_triton.scatter, "triton_sorted": thermo_scatter_triton.sort_and_scatter}[word]


def make(job):
    p = Problem(job.params[:3], job.scalars[0], job.device)
    if job.word == "eager":
        scatter = eager_scatter
    elif job.word in ("triton", "triton_sorted"):
        scatter = triton_scatter(job.word, job.device)
    else:
        raise Unsupported("the word '%s' is unknown" % job.word)
    return lambda: scatter(p, job.inputs)


if __name__ == "__main__":
    serve(make)
