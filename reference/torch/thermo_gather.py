"""Velocity and heat that particles get from the gas, with gravity and motion: in PyTorch, eager and compiled, and with a
Triton kernel. docs/thermo.md has the definition.

Words: eager, compile, triton.
"""

from assay.peer import serve
from thermo_peer import Problem, cells_of, compiled, corner, divided_in_double, refuse, triton_kernels, wrapped

import torch

POISON = 1  # of the parameter negative_rho


def corners(p, pos):
    """Nodes and weights of the eight corners, and the places in the cells."""
    base, f = cells_of(p, pos)
    return [corner(p, base, f, c) for c in range(8)], f


def slopes(around, f):
    """Differences of phi across the cell along each axis, edge by edge, so that a potential that is large everywhere
    loses no digits."""
    sides = torch.stack((1 - f, f))
    total = []
    for axis, upper in enumerate((4, 2, 1)):
        one, two = (other for other in range(3) if other != axis)
        total.append(0)
        for c in (c for c in range(8) if not c & upper):
            w = sides[c >> (2 - one) & 1, :, one] * sides[c >> (2 - two) & 1, :, two]
            total[axis] = total[axis] + w * (around[c | upper] - around[c])
    return torch.stack(total, dim=1)


def gather(p, inputs, dt, poisons):
    """New positions, velocities and heat, all NaN for a particle without an answer. Without phi there is no gravity."""
    pos, mass, phi = inputs["pos"].view(-1, 3), inputs["mass"], inputs["phi"]
    nodes = torch.cat((inputs["rho"][:, None], inputs["mom"].view(-1, 3), inputs["e_int"][:, None]), dim=1)
    around, f = corners(p, pos)
    mean = sum(w[:, None] * nodes[node] for node, w in around)
    rho, e = mean[:, 0], mean[:, 4]
    is_gas = rho > 0
    vel = (mean[:, 1:4] / rho[:, None]).masked_fill(~is_gas[:, None], 0)
    if phi is not None:
        vel = vel - dt / p.spacing * slopes([phi[node] for node, _ in around], f)
    heat = mass * (e / rho).masked_fill(~is_gas, 0)
    moved = pos + dt * vel
    is_good = torch.isfinite(torch.cat((moved, mean[:, ::4], heat[:, None]), dim=1)).all(dim=1) & (mass > 0)
    is_good = is_good & ((rho >= 0) & (e >= 0) if poisons else ~is_gas | (e >= 0))
    nan = float("nan")
    return {"new_pos": wrapped(p, moved, p.lengths).masked_fill(~is_good[:, None], nan),
            "new_vel": vel.masked_fill(~is_good[:, None], nan), "new_heat": heat.masked_fill(~is_good, nan)}


# ---- a job ----


def gather_of(word, device):
    """A function of a problem, inputs, dt as a number, and whether rho below 0 is an error."""
    if word == "triton":
        return triton_kernels("thermo_gather_triton", device).gather
    if word not in ("eager", "compile"):
        refuse(word)
    whole = compiled(gather) if word == "compile" else gather

    def step(p, inputs, dt, poisons):
        length = torch.full((), dt, dtype=torch.float32, device=device)  # a plain number would be compiled into the program
        return whole(p, inputs, length, poisons)

    return step


def quotient_of(word):
    return divided_in_double if word == "compile" else torch.div


def make(job):
    p = Problem(job.params[:3], job.scalars[0], job.device, quotient_of(job.word))
    step = gather_of(job.word, job.device)
    return lambda: step(p, job.inputs, job.scalars[1], job.params[3] == POISON)


if __name__ == "__main__":
    serve(make)
