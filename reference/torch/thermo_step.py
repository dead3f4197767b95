"""A whole step in PyTorch, eager and compiled, and with Triton kernels: deposit, gravity, dt, gas with halving of dt
and retry, gather, exchange. docs/thermo_step.md has the definition.

The host decides, as in the original: it reads the speed of the fastest cells, and after each attempt whether a cell is
NaN. Words: eager, compile, triton (the original's kernels: sorted deposit, both stages, gather; PyTorch does the rest).
"""

import math

from assay.peer import serve
from thermo_peer import CONDUCTIVITY, MU, Problem, RHO_MIN, compiled, rounded

import thermo_gas
import thermo_gather
import thermo_scatter
import torch

METAL, TRITON, STABLE = 0, 1, 2
MAX_HALVINGS, NO_DT = 10, 11
DT_MAX = 0.015
X_MIN = rounded(1e-4)
PER_TAU = rounded(4 * math.pi * CONDUCTIVITY / 2)  # times dx, for a heat capacity of 1


# ---- gravity ----


def green_of(p, gravity):
    """phi / rho of each mode: -4 pi G / k^2 with k = 2 pi fftfreq; 0 for the mean."""
    gx, gy, gz = p.extents
    x, y = (torch.fft.fftfreq(n, p.dx, dtype=torch.float64) ** 2 for n in (gx, gy))
    z = torch.fft.rfftfreq(gz, p.dx, dtype=torch.float64) ** 2
    square = x[:, None, None] + y[:, None] + z
    square[0, 0, 0] = math.inf
    return (-gravity / (math.pi * square)).float().to(p.device)


def potential(p, green, rho):
    modes = torch.fft.rfftn(rho.view(p.extents))
    return torch.fft.irfftn(modes * green, s=p.extents).reshape(-1)


# ---- dt ----


def fastest(g, rho, mom, e):
    """Largest |u|_2 + c, |u|_1 + 3c and 1/rho of the cells above rho_min."""
    u = thermo_gas.packed(g, rho, mom, e)
    velocity, _, _, sound = thermo_gas.primitives(u)
    counts = (u[0] > RHO_MIN) & thermo_gas.is_admissible(u)
    speeds = torch.stack((thermo_gas.norm(velocity) + sound, velocity.abs().sum(dim=0) + 3 * sound, 1 / u[0]))
    return speeds.masked_fill(~counts, 0).view(3, -1).amax(dim=1)


def limit(length, speed):
    return length / speed if speed > 0 else math.inf


def first_dt(rule, dx, signal, sum_of_signals, per_rho):
    diffusion = limit(0.15 * dx * dx, max(MU, CONDUCTIVITY) * per_rho)
    if rule == STABLE:
        return min(limit(1, 3 * signal / (0.9 * dx) + 1 / diffusion), DT_MAX)
    advection = limit(0.4 * dx, signal if rule == TRITON else sum_of_signals)
    if rule == METAL and sum_of_signals == 0:
        advection = dx
    return min(advection, diffusion, DT_MAX)


# ---- exchange ----


def equilibrium(omega, temperature):
    """The energy of an oscillator, with hbar = k_B = 1."""
    x = omega / temperature.clamp(min=1e-20)
    return torch.where(x < X_MIN, temperature, torch.where(x > 50, omega * torch.exp(-x), omega / torch.expm1(x)))


def exchange(p, inputs, moved, dt):
    """Heat and oscillators relax towards each other. A particle whose heat or oscillator is not finite gets NaN."""
    mass, energy, omega, heat = inputs["mass"], inputs["energy"], inputs["omega"], moved["new_heat"]
    share = -torch.expm1(-dt * PER_TAU * p.dx / mass)
    wanted = share * (equilibrium(omega, heat / mass) - energy)
    gain = torch.minimum(torch.maximum(wanted, -energy), heat)
    lost = ~(torch.isfinite(heat) & torch.isfinite(energy) & torch.isfinite(omega))
    nan = float("nan")
    return {"new_heat": (heat - gain).masked_fill(lost, nan), "new_energy": (energy + gain).masked_fill(lost, nan),
            "new_pos": moved["new_pos"].view(-1, 3).masked_fill(lost[:, None], nan),
            "new_vel": moved["new_vel"].view(-1, 3).masked_fill(lost[:, None], nan)}


# ---- the whole step ----


class Step:
    """The parts of a step for a word. Gravity always uses the FFT library, compiled or not."""

    def __init__(self, job):
        extents, gravity, self.rule = job.params[:3], job.params[3], job.params[4]
        self.p = Problem(extents, rounded(1 / max(extents)), job.device, thermo_gather.quotient_of(job.word))
        self.g = thermo_gas.Gas(extents)
        self.green = green_of(self.p, gravity) if gravity else None
        as_it_is = compiled if job.word == "compile" else lambda function: function
        word = "triton_sorted" if job.word == "triton" else "eager"
        self.scatter = as_it_is(thermo_scatter.scatter_of(word, job.device))
        self.heun = thermo_gas.step_of(job.word, self.g, job.device, False)
        self.gather = thermo_gather.gather_of(job.word, job.device)
        self.fastest, self.exchange = as_it_is(fastest), as_it_is(exchange)

    def attempts(self, start, dt):
        """The gas after its step, the dt that was used, and the number of halvings."""
        halvings = 0
        while True:
            after = self.heun(start, dt)[1]
            if not torch.isnan(after[0]).any().item():
                return after, dt, halvings
            if halvings == MAX_HALVINGS:
                return after, dt, NO_DT
            halvings, dt = halvings + 1, dt / 2

    def __call__(self, inputs):
        device = self.p.device
        deposit = self.scatter(self.p, inputs)
        start = [deposit[name] for name in ("rho", "mom", "e_int")]
        phi = potential(self.p, self.green, start[0]) if self.green is not None else None
        dt = rounded(first_dt(self.rule, self.p.dx, *self.fastest(self.g, *start).tolist()))
        after, dt, halvings = self.attempts(start, dt)
        around = dict(zip(("rho", "mom", "e_int"), after), pos=inputs["pos"], mass=inputs["mass"], phi=phi)
        moved = self.gather(self.p, around, dt, False)
        outputs = dict(zip(("rho", "mom", "e"), start), phi=phi, errors=deposit["errors"],
                       dt=torch.full((1,), dt, device=device),
                       halvings=torch.full((1,), halvings, dtype=torch.int32, device=device))
        outputs.update(zip(("rho_2", "mom_2", "e_2"), after))
        return dict(outputs, **self.exchange(self.p, inputs, moved, torch.full((), dt, device=device)))


def make(job):
    step = Step(job)
    return lambda: step(job.inputs)


if __name__ == "__main__":
    serve(make)
