"""The deposit of particles with PyTorch's index_add_, and with Triton kernels. docs/thermo.md has the definition.

Words: eager; triton (one program for a block of particles, with atomics); triton_sorted (the pipeline of the original:
cells, counts, starts, reordered particles, atomics).
"""

from assay.peer import serve
from thermo_peer import Problem, cells_of, corner, refuse, triton_kernels

import torch


def accepted(inputs):
    """Particles whose deposited values are all finite."""
    is_good = torch.isfinite(inputs["mass"]) & torch.isfinite(inputs["heat"])
    for name in ("pos", "vel"):
        is_good = is_good & torch.isfinite(inputs[name].view(-1, 3)).all(dim=1)
    return is_good


def eager_scatter(p, inputs):
    """Particles that are not accepted deposit zeros at a corner of the grid, so that the host need not count them."""
    is_good = accepted(inputs)
    none = torch.zeros((), device=p.device)
    pos, vel = (torch.where(is_good[:, None], inputs[name].view(-1, 3), none) for name in ("pos", "vel"))
    mass, heat = (torch.where(is_good, inputs[name], none) * p.per_volume for name in ("mass", "heat"))
    base, f = cells_of(p, pos)
    rho, e_int = (torch.zeros(p.cells, device=p.device) for _ in range(2))
    mom = torch.zeros(p.cells, 3, device=p.device)
    for c in range(8):
        node, w = corner(p, base, f, c)
        rho.index_add_(0, node, mass * w)
        mom.index_add_(0, node, (mass * w)[:, None] * vel)
        e_int.index_add_(0, node, heat * w)
    errors = (~is_good).sum().to(torch.int32)
    return {"rho": rho, "mom": mom, "e_int": e_int, "errors": errors}


# ---- a job ----


def scatter_of(word, device):
    """A function of a problem and the inputs."""
    if word == "eager":
        return eager_scatter
    if word not in ("triton", "triton_sorted"):
        refuse(word)
    kernels = triton_kernels("thermo_scatter_triton", device)
    return kernels.scatter if word == "triton" else kernels.sort_and_scatter


def make(job):
    p = Problem(job.params[:3], job.scalars[0], job.device)
    scatter = scatter_of(job.word, job.device)
    return lambda: scatter(p, job.inputs)


if __name__ == "__main__":
    serve(make)
