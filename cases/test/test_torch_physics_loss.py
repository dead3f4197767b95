"""The physics loss in PyTorch against its definition, written out here once more in NumPy: residuals, losses and the
gradient at every level, in double. What PyTorch's own differentiation gives is held against the transposed operators.
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
    """D on one axis, as a matrix; its transpose is then a transpose."""
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
    """To the axis x, y or z of (..., z, y, x)."""
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
        """By level: of sigma, of u."""
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
    _, _, gradients = peer.field_gradient(peer.forward, grid, t_sigma, t_u, levels)
    for level, (g_sigma, g_u) in enumerate(definition.gradients()):
        hold(at + "d_sigma at t%d" % level, gradients[2 * level], g_sigma)
        hold(at + "d_u at t%d" % level, gradients[2 * level + 1], g_u)


def main():
    random = np.random.default_rng(1)
    n_checked = 0
    for n, boundary, time in itertools.product(GRIDS, BOUNDARIES, (peer.FIRST_ORDER, peer.CENTRAL)):
        check(n, boundary, time, random)
        n_checked += 1
    print("%d configurations agree" % n_checked)
    return 0 if n_checked == len(GRIDS) * len(BOUNDARIES) * 2 else 1


if __name__ == "__main__":
    sys.exit(main())
