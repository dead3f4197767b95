"""Compares the physics loss in PyTorch with its definition, written out here again in NumPy: residuals, losses and the
gradient at every level, in double. PyTorch's own differentiation is compared with the transposed operators.
    test_torch_physics_loss.py DIRECTORY-OF-THE-PEERS
"""

import itertools
import sys

import numpy as np
import torch

sys.path.insert(0, sys.argv[1])
import physics_loss as peer  # noqa: E402

GRIDS = [(5, 6, 7), (1, 5, 4), (2, 2, 2), (3, 1, 4)]
BOUNDARIES = [(0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 0, 1)]


def matrix(n, h, boundary):
    """D on one axis as a matrix, so that its transpose is simply the transposed matrix."""
    d = np.zeros((n, n))
    for i in range(n):
        up, down = i + 1, i - 1
        if boundary == peer.PERIODIC:
            up, down = up % n, down % n
        else:
            up, down = min(up, n - 1), max(down, 0)
        d[i, up] += 1 / (2 * h)
        d[i, down] -= 1 / (2 * h)
    return d


def apply(operator, f, axis):
    """Applies a matrix to the axis x, y or z of (..., z, y, x)."""
    return np.moveaxis(np.tensordot(operator, f, axes=(1, f.ndim - 1 - axis)), 0, f.ndim - 1 - axis)


class Definition:
    def __init__(self, grid, sigma, u):
        self.grid, self.sigma, self.u = grid, sigma, u
        self.d = [matrix(grid.n[a], grid.h[a], grid.boundary[a]) for a in range(3)]

    def time(self, levels):
        if self.grid.time == peer.CENTRAL:
            return (levels[2] - levels[0]) / (2 * self.grid.dt)
        return (levels[1] - levels[0]) / self.grid.dt

    def residuals(self):
        s, u = self.sigma[1], self.u[1]
        r_s, r_u = self.time(self.sigma), self.time(self.u)
        for a in range(3):
            r_s = r_s + u[a] * apply(self.d[a], s, a) + s * apply(self.d[a], u[a], a)
            r_u = r_u + u[a] * apply(self.d[a], u, a)
        return r_s, r_u

    def gradients(self):
        """Gradients at each level, with respect to sigma and to u."""
        grid, s, u = self.grid, self.sigma[1], self.u[1]
        r_s, r_u = self.residuals()
        a, b = 2 * grid.w_sigma / grid.cells * r_s, 2 * grid.w_u / grid.cells * r_u
        g_s, g_u = np.zeros_like(a), np.zeros_like(b)
        for d in range(3):
            g_s += a * apply(self.d[d], u[d], d) + apply(self.d[d].T, a * u[d], d)
            g_u[d] += a * apply(self.d[d], s, d) + apply(self.d[d].T, a * s, d)
            for c in range(3):
                g_u[d] += b[c] * apply(self.d[d], u[c], d)
                g_u[d] += apply(self.d[c].T, b[d] * u[c], c)
        if grid.time == peer.CENTRAL:
            k = 1 / (2 * grid.dt)
            return [(-k * a, -k * b), (g_s, g_u), (k * a, k * b)]
        k = 1 / grid.dt
        return [(-k * a, -k * b), (g_s + k * a, g_u + k * b)]


def hold(what, got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    error, scale = np.linalg.norm(got - expected), np.linalg.norm(expected)
    if not error <= 1e-12 * scale:
        raise AssertionError("%s: off by %g of %g" % (what, error, scale))


def check(n, boundary, time, random):
    grid = peer.Grid(n, (0.11, 0.17, 0.13), 0.05, boundary, time, 1.1, 0.8)
    shape = (n[2], n[1], n[0])
    n_levels = 3 if time == peer.CENTRAL else 2
    sigma = [random.uniform(-1, 1, shape) for _ in range(n_levels)]
    u = [random.uniform(-1, 1, (3, *shape)) for _ in range(n_levels)]
    definition = Definition(grid, sigma, u)
    t_sigma = [torch.tensor(f, requires_grad=True) for f in sigma] + [None] * (3 - n_levels)
    t_u = [torch.tensor(f, requires_grad=True) for f in u] + [None] * (3 - n_levels)
    at = "n=%s boundary=%s time=%d " % (n, boundary, time)

    loss_sigma, loss_u, r_sigma, r_u = peer.forward(grid, t_sigma, t_u)
    e_sigma, e_u = definition.residuals()
    hold(at + "r_sigma", r_sigma.detach(), e_sigma)
    hold(at + "r_u", r_u.detach(), e_u)
    hold(at + "loss_sigma", loss_sigma.detach(), 1.1 * np.sum(e_sigma ** 2) / grid.cells)
    hold(at + "loss_u", loss_u.detach(), 0.8 * np.sum(e_u ** 2) / grid.cells)

    levels = list(range(n_levels))
    _, _, gradients = peer.field_gradient(peer.field_losses, grid, t_sigma, t_u, levels)
    for level, (g_sigma, g_u) in enumerate(definition.gradients()):
        hold(at + "d_sigma at t%d" % level, gradients[2 * level], g_sigma)
        hold(at + "d_u at t%d" % level, gradients[2 * level + 1], g_u)


class FakeJob:
    """A job without the harness: what make() reads, with the fields of a definition."""

    def __init__(self, definition, vjp, outputs, given):
        g = definition.grid
        self.word = "eager"
        self.params = [*g.n, *g.boundary, g.time, vjp]
        self.scalars = [*g.h, g.dt, g.w_sigma, g.w_u]
        self.outputs = outputs
        self.buffers = {"r_sigma": ("in" if given else "out",), "r_u": ("in" if given else "out",)}
        self.inputs = {}
        for level in range(3):
            for name, levels in (("sigma_t%d", definition.sigma), ("u_t%d", definition.u)):
                values = levels[level] if level < len(levels) else np.zeros(0)
                self.inputs[name % level] = torch.zeros(values.size, dtype=torch.float32)
        if given:
            for name, values in zip(("r_sigma", "r_u"), definition.residuals()):
                self.inputs[name] = torch.tensor(values.ravel(), dtype=torch.float32)

    def fill(self, definition):
        """Fills the same memory again, as the harness does between runs."""
        for level, (s, v) in enumerate(zip(definition.sigma, definition.u)):
            self.inputs["sigma_t%d" % level].copy_(torch.tensor(s.ravel()))
            self.inputs["u_t%d" % level].copy_(torch.tensor(v.ravel()))

    def wants(self, name):
        return name in self.outputs


def hold_single(what, got, expected):
    error = np.linalg.norm(got.detach().double().numpy().ravel() - np.ravel(expected))
    if not error <= 1e-5 * np.linalg.norm(expected):
        raise AssertionError("%s: off by %g of %g" % (what, error, np.linalg.norm(expected)))


def check_steps(n, boundary, time, random):
    """The peer's results for a job, in single precision: every pass, both gradients."""
    grid = peer.Grid(n, (0.11, 0.17, 0.13), 0.05, boundary, time, 1.1, 0.8)
    shape, n_levels = (n[2], n[1], n[0]), 3 if time == peer.CENTRAL else 2
    d = Definition(grid, [random.uniform(-1, 1, shape) for _ in range(n_levels)],
                   [random.uniform(-1, 1, (3, *shape)) for _ in range(n_levels)])
    r, g = d.residuals(), d.gradients()
    losses = {"loss_sigma": 1.1 * np.sum(r[0] ** 2) / grid.cells, "loss_u": 0.8 * np.sum(r[1] ** 2) / grid.cells}
    residual = {"d_sigma": 2 * 1.1 / grid.cells * r[0], "d_u": 2 * 0.8 / grid.cells * r[1]}
    field = {"d_sigma": g[1][0], "d_u": g[1][1]}
    everywhere = dict(field)
    for level in range(0, n_levels, 2):
        everywhere["d_sigma_t%d" % level], everywhere["d_u_t%d" % level] = g[level]
    n_outputs = 0
    for vjp, given, expected in (
            (peer.RESIDUAL, False, {"r_sigma": r[0], "r_u": r[1], **losses}),
            (peer.RESIDUAL, False, {**residual, **losses}), (peer.RESIDUAL, True, residual),
            (peer.FIELD, False, {**field, **losses}), (peer.FIELD, False, {**everywhere, **losses}),
            (peer.FIELD, True, everywhere)):
        job = FakeJob(d, vjp, expected, given)
        step = peer.make(job)
        for _ in range(2):
            job.fill(d)
            got = step()
            for name, value in expected.items():
                hold_single("n=%s boundary=%s time=%d vjp=%d %s" % (n, boundary, time, vjp, name), got[name], value)
                n_outputs += 1
    return n_outputs


def main():
    random = np.random.default_rng(1)
    n_checked = 0
    for n, boundary, time in itertools.product(GRIDS, BOUNDARIES, (peer.FIRST_ORDER, peer.CENTRAL)):
        check(n, boundary, time, random)
        n_checked += 1
    n_outputs = sum(check_steps((5, 6, 7), boundary, time, random) for boundary in BOUNDARIES for time in (0, 1))
    print("%d configurations and %d outputs agree" % (n_checked, n_outputs))
    return 0 if n_checked == len(GRIDS) * len(BOUNDARIES) * 2 and n_outputs > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
