"""The physics loss in PyTorch, forward and gradient: eager, and compiled. docs/physics_loss.md has the mathematics.

Written in the usual way of PyTorch: tensors of whole fields, and the gradient with respect to fields by autograd.
Words: eager, compile.
"""

from assay.peer import Unsupported, serve

import torch  # after assay.peer, which must take standard output first

PERIODIC, ZERO_GRADIENT = 0, 1
FIRST_ORDER, CENTRAL = 0, 1
RESIDUAL, FIELD = 0, 1

# The tensor's dimensions are (..., z, y, x); axes are numbered x, y, z.
DIMENSION = (-1, -2, -3)


class Grid:
    """Extents, spacings and modes, from a job's parameters or given one by one."""

    def __init__(self, n, h, dt, boundary, time, w_sigma, w_u):
        self.n, self.h, self.dt, self.boundary, self.time = n, h, dt, boundary, time
        self.cells = n[0] * n[1] * n[2]
        self.w_sigma, self.w_u = w_sigma, w_u

    def scalar(self, flat):
        return flat.view(self.n[2], self.n[1], self.n[0])

    def vector(self, flat):
        return flat.view(3, self.n[2], self.n[1], self.n[0])


def neighbour(f, axis, step, boundary):
    dim = DIMENSION[axis]
    if boundary == PERIODIC:
        return torch.roll(f, -step, dim)
    n = f.shape[dim]
    if step > 0:
        return torch.cat((f.narrow(dim, 1, n - 1), f.narrow(dim, n - 1, 1)), dim)
    return torch.cat((f.narrow(dim, 0, 1), f.narrow(dim, 0, n - 1)), dim)


def difference(grid, f, axis):
    mode = grid.boundary[axis]
    return (neighbour(f, axis, 1, mode) - neighbour(f, axis, -1, mode)) * (0.5 / grid.h[axis])


def time_difference(grid, levels):
    if grid.time == CENTRAL:
        return (levels[2] - levels[0]) * (0.5 / grid.dt)
    return (levels[1] - levels[0]) * (1.0 / grid.dt)


def residuals(grid, sigma, u):
    """R of sigma and of u, from their levels t0, t1, t2."""
    s, v = sigma[1], u[1]
    r_sigma, r_u = time_difference(grid, sigma), time_difference(grid, u)
    divergence = 0
    for axis in range(3):
        gradient = difference(grid, v, axis)
        r_sigma = r_sigma + v[axis] * difference(grid, s, axis)
        r_u = r_u + v[axis] * gradient
        divergence = divergence + gradient[axis]
    return r_sigma + s * divergence, r_u


def losses(grid, r_sigma, r_u):
    """Weighted mean squares, summed in double."""
    double = torch.float64
    return (grid.w_sigma / grid.cells * torch.sum(r_sigma * r_sigma, dtype=double),
            grid.w_u / grid.cells * torch.sum(r_u * r_u, dtype=double))


def forward(grid, sigma, u):
    r_sigma, r_u = residuals(grid, sigma, u)
    return losses(grid, r_sigma, r_u) + (r_sigma, r_u)


def field_losses(grid, sigma, u):
    """The losses alone, for a gradient: residuals that nobody reads need not be written."""
    return losses(grid, *residuals(grid, sigma, u))


def field_gradient(field_losses, grid, sigma, u, wanted):
    """Losses, and the gradient of their sum with respect to the levels wanted."""
    leaves = [t[level] for level in wanted for t in (sigma, u)]
    loss_sigma, loss_u = field_losses(grid, sigma, u)
    return loss_sigma, loss_u, torch.autograd.grad(loss_sigma + loss_u, leaves)


# ---- the peer ----

LEVEL_NAMES = ("d_%s_t0", "d_%s", "d_%s_t2")


def grid_of(job):
    p, s = job.params, job.scalars
    return Grid(n=p[0:3], h=s[0:3], dt=s[3], boundary=p[3:6], time=p[6], w_sigma=s[4], w_u=s[5])


def compiled(function):
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    torch._dynamo.reset()  # compiles for this point alone: nothing is left of earlier points
    return torch.compile(function, dynamic=False, fullgraph=True)


def fields_of(job, grid, needs_gradient):
    """The three levels of sigma and of u; a level without elements is None."""
    sigma, u = [None] * 3, [None] * 3
    for level in range(3):
        for name, view, to in (("sigma_t%d", grid.scalar, sigma), ("u_t%d", grid.vector, u)):
            flat = job.inputs[name % level]
            if flat.numel() > 0:
                to[level] = view(flat)
                to[level].requires_grad_(level in needs_gradient)
    return sigma, u


def make(job):
    grid, vjp = grid_of(job), job.params[7]
    if vjp not in (RESIDUAL, FIELD):
        raise Unsupported("vjp %d is unknown" % vjp)
    if job.word not in ("eager", "compile"):
        raise Unsupported("the word '%s' is unknown" % job.word)
    compile = compiled if job.word == "compile" else lambda function: function
    levels = [level for level in range(3) if job.wants(LEVEL_NAMES[level] % "sigma")]
    if not levels:
        return forward_step(job, grid, compile)
    return field_step(job, grid, compile, levels) if vjp == FIELD else residual_step(job, grid, compile)


def forward_step(job, grid, compile):
    sigma, u = fields_of(job, grid, ())
    whole = compile(forward)

    def step():
        with torch.no_grad():
            loss_sigma, loss_u, r_sigma, r_u = whole(grid, sigma, u)
        return {"loss_sigma": loss_sigma, "loss_u": loss_u, "r_sigma": r_sigma, "r_u": r_u}

    return step


def field_step(job, grid, compile, levels):
    sigma, u = fields_of(job, grid, levels)
    whole = compile(field_losses)

    def step():
        loss_sigma, loss_u, gradients = field_gradient(whole, grid, sigma, u, levels)
        outputs = {"loss_sigma": loss_sigma, "loss_u": loss_u}
        for i, level in enumerate(levels):
            outputs[LEVEL_NAMES[level] % "sigma"] = gradients[2 * i]
            outputs[LEVEL_NAMES[level] % "u"] = gradients[2 * i + 1]
        return outputs

    return step


def residual_step(job, grid, compile):
    """The gradient with respect to the residuals, which are given or computed from the fields."""
    f_sigma, f_u = 2 * grid.w_sigma / grid.cells, 2 * grid.w_u / grid.cells
    given = job.buffers["r_sigma"][0] == "in"
    sigma, u = fields_of(job, grid, ())

    def from_given(r_sigma, r_u):
        return {"d_sigma": f_sigma * r_sigma, "d_u": f_u * r_u}

    def from_fields(sigma, u):
        loss_sigma, loss_u, r_sigma, r_u = forward(grid, sigma, u)
        return {"loss_sigma": loss_sigma, "loss_u": loss_u, **from_given(r_sigma, r_u)}

    whole = compile(from_given if given else from_fields)
    arguments = (job.inputs["r_sigma"], job.inputs["r_u"]) if given else (sigma, u)

    def step():
        with torch.no_grad():
            return whole(*arguments)

    return step


if __name__ == "__main__":
    serve(make)
