"""A step of the gas in PyTorch, eager and compiled, and with Triton kernels. docs/thermo_gas.md has the mathematics.

Written in the usual way of PyTorch: all five values of all cells are one tensor, and neighbours come from torch.roll.
Words: eager, compile, triton.
"""

from assay.peer import serve
from thermo_peer import CONDUCTIVITY, E_ABOVE, E_BELOW, GAMMA, RHO_MIN, compiled, refuse, triton_kernels

import torch

FIELDS = ("rho", "mom", "e")


class Gas:
    """Extents and dx of a grid, from a job's parameters or given one by one."""

    def __init__(self, extents):
        self.extents = tuple(extents)
        self.cells = extents[0] * extents[1] * extents[2]
        self.per_dx = float(max(extents))
        self.heat = CONDUCTIVITY * self.per_dx**2


def packed(g, rho, mom, e):
    """The values of all cells, [5, gx, gy, gz]."""
    return torch.cat((rho.view(1, -1), mom.view(-1, 3).t(), e.view(1, -1))).view(5, *g.extents)


def unpacked(u):
    flat = u.reshape(5, -1)
    return flat[0], flat[1:4].t().reshape(-1), flat[4]


def norm(v):
    return torch.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def is_admissible(u):
    rho, mom, e = u[0], u[1:4], u[4]
    is_low = (rho >= -RHO_MIN) & (norm(mom) <= RHO_MIN) & (e >= -E_BELOW) & (e <= E_ABOVE)
    return torch.isfinite(u).all(dim=0) & torch.where(rho > RHO_MIN, e >= 0, is_low)


def primitives(u):
    """Velocity, pressure, temperature and speed of sound of admissible cells."""
    rho, e = u[0].clamp(min=RHO_MIN), u[4].clamp(min=0)
    p = (GAMMA - 1) * e
    return u[1:4] / rho, p, e / rho, torch.sqrt(GAMMA * p / rho)


def high(f, axis):
    """The values of the next cell along an axis."""
    return torch.roll(f, -1, axis - 3)


def low(f, axis):
    return torch.roll(f, 1, axis - 3)


def fluxes(u, velocity, p, axis):
    """The flux of each value along an axis."""
    moved = u[1:] * velocity[axis]
    parts = [moved[i] + p if i == axis else moved[i] for i in range(4)]
    return torch.stack([u[1 + axis]] + parts)


def slope(g, u):
    """k, and which cells have an admissible stencil."""
    velocity, p, temperature, sound = primitives(u)
    signal, is_there = norm(velocity) + sound, is_admissible(u)
    is_whole, outflow, divergence, laplace = is_there, 0, 0, 0
    for axis in range(3):
        flux = fluxes(u, velocity, p, axis)
        jump = torch.maximum(signal, high(signal, axis)) * (high(u, axis) - u)
        face = 0.5 * (flux + high(flux, axis)) - 0.5 * jump
        outflow = outflow + (face - low(face, axis))
        divergence = divergence + (high(velocity[axis], axis) - low(velocity[axis], axis))
        laplace = laplace + (high(temperature, axis) + low(temperature, axis) - 2 * temperature)
        is_whole = is_whole & high(is_there, axis) & low(is_there, axis)
    k = -g.per_dx * outflow
    heating = g.heat * laplace - p * (0.5 * g.per_dx * divergence)
    return torch.cat((k[:4], (k[4] + heating)[None])), is_whole


def judged(v, is_whole):
    """NaN where the stencil or the result is inadmissible."""
    return v.masked_fill(~(is_whole & is_admissible(v)), float("nan"))


def heun(g, rho, mom, e, dt, keeps_first):
    """Fields of U1, if they are wanted, and of U2."""
    u = packed(g, rho, mom, e)
    k1, is_whole = slope(g, u)
    u1 = judged(u + dt * k1, is_whole)
    k2, is_whole = slope(g, u1)
    u2 = judged(u + 0.5 * dt * (k1 + k2), is_whole)
    return unpacked(u1) if keeps_first else None, unpacked(u2)


# ---- a job ----


def step_of(word, g, device, keeps_first):
    """A function of fields and dt, a number: fields of U1 and of U2."""
    if word == "triton":
        kernels = triton_kernels("thermo_gas_triton", device)
        return lambda fields, dt: kernels.heun(g, *fields, dt)
    if word not in ("eager", "compile"):
        refuse(word)
    whole = compiled(heun) if word == "compile" else heun

    def step(fields, dt):
        length = torch.full((), dt, dtype=torch.float32, device=device)  # a plain number would be compiled into the program
        return whole(g, *fields, length, keeps_first)

    return step


def make(job):
    step = step_of(job.word, Gas(job.params[:3]), job.device, job.wants("rho_1"))
    fields = [job.inputs[name] for name in FIELDS]

    def whole():
        first, second = step(fields, job.scalars[0])
        outputs = {name + "_2": part for name, part in zip(FIELDS, second)}
        if job.wants("rho_1"):
            outputs.update({name + "_1": part for name, part in zip(FIELDS, first)})
        return outputs

    return whole


if __name__ == "__main__":
    serve(make)
