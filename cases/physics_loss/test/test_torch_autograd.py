"""Compares the C API as a torch.autograd.Function with PyTorch's own differentiation of the same loss.
    test_torch_autograd.py DIRECTORY-OF-THE-PEERS LIBRARY cpu|cuda
"""

import ctypes
import itertools
import os
import re
import sys

import torch

sys.path.insert(0, sys.argv[1])
import phys_autograd  # noqa: E402
import physics_loss  # noqa: E402

GRIDS = [(5, 6, 7), (1, 5, 4), (33, 17, 9)]
BOUNDARIES = [(0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 0, 1)]
H, DT, W_SIGMA, W_U = (0.11, 0.17, 0.13), 0.05, 1.1, 0.8


def make_fields(n, n_levels, device, needs):
    """Waves, so that differences do not cancel; needs[i]: is the gradient at level i needed?"""
    z, y, x = torch.meshgrid(*[torch.arange(k, dtype=torch.float64) for k in reversed(n)], indexing="ij")
    sigma, u = [], []
    for level in range(n_levels):
        waves = [torch.sin(0.7 * (1 + c) * x + 0.5 * y - 0.3 * c * z + level + c) for c in range(4)]
        sigma.append(waves[0].float().to(device).requires_grad_(needs[level]))
        u.append(torch.stack(waves[1:]).float().to(device).requires_grad_(needs[level]))
    return sigma, u


def own_gradients(grid, sigma, u, needs):
    """PyTorch's loss and gradients in double, from the same float32 values."""
    def double(levels):
        return [f.detach().double().requires_grad_(need) for f, need in zip(levels, needs)] + [None] * (3 - len(levels))

    s, v = double(sigma), double(u)
    loss_sigma, loss_u, _, _ = physics_loss.forward(grid, s, v)
    (loss_sigma + loss_u).backward()
    gradients = [f.grad for f in s[:len(sigma)]] + [f.grad for f in v[:len(u)]]
    return (loss_sigma + loss_u).item(), gradients


def hold(what, got, expected):
    error = (got.double() - expected.double()).norm().item()
    if not error <= 1e-6 * expected.double().norm().item():
        raise AssertionError("%s: off by %g of %g" % (what, error, expected.double().norm().item()))


def check(library, device, n, boundary, time, needs):
    n_levels = 3 if time == phys_autograd.CENTRAL else 2
    needs = needs[:n_levels]
    spec = phys_autograd.Spec(H, DT, boundary, time, W_SIGMA, W_U)
    grid = physics_loss.Grid(n, H, DT, boundary, time, W_SIGMA, W_U)
    sigma, u = make_fields(n, n_levels, device, needs)
    at = "n=%s boundary=%s time=%d needs=%s " % (n, boundary, time, needs)

    expected_loss, expected = own_gradients(grid, sigma, u, needs)
    loss = library(spec, sigma, u)
    hold(at + "loss", loss.detach(), torch.tensor(expected_loss, device=device))
    (3 * loss).backward()  # the gradient of later operations must reach the fields
    for place, (field, gradient) in enumerate(zip(sigma + u, expected)):
        if gradient is None:
            if field.grad is not None:
                raise AssertionError("%sa gradient nobody asked for at %d" % (at, place))
        else:
            hold(at + "gradient %d" % place, field.grad, 3 * gradient)


def refuses(action, kind):
    try:
        action()
    except kind:
        return
    raise AssertionError("%s was to be refused with %s" % (action, kind))


def check_refusals(library, device):
    spec = phys_autograd.Spec(H, DT, (0, 0, 0), phys_autograd.FIRST_ORDER)
    sigma, u = make_fields((5, 6, 7), 2, device, (False, True))
    refuses(lambda: library(spec, sigma[:1], u[:1]), ValueError)
    refuses(lambda: library(spec, sigma, [u[0], u[1][:2]]), ValueError)
    refuses(lambda: library(spec, [s.double() for s in sigma], u), TypeError)
    bad = phys_autograd.Spec((0.0, 1.0, 1.0), DT, (0, 0, 0), phys_autograd.FIRST_ORDER)
    refuses(lambda: library(bad, sigma, u), RuntimeError)
    gradient, = torch.autograd.grad(library(spec, sigma, u), sigma[1], create_graph=True)
    refuses(lambda: gradient.sum().backward(), RuntimeError)


SIZES = {"int64_t": 8, "double": 8, "int": 4}


def size_of(declaration):
    """The size in bytes of `type a, *b, c[3]`: a pointer has 8."""
    kind, rest = declaration.replace("const ", "").split(None, 1)
    return sum((8 if "*" in name else SIZES[kind]) * int((re.findall(r"\[(\d)\]", name) or [1])[0])
               for name in rest.split(","))


def check_layout():
    """If the Python structure lacks a member of the header, C reads it from beyond the structure's end."""
    path = os.path.join(sys.argv[1], "..", "..", "kernels", "physics_loss", "phys_loss.h")
    with open(path) as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.DOTALL)
    for name, mirror in (("phys_grid_spec", phys_autograd.GridSpec), ("phys_weights", phys_autograd.Weights),
                         ("phys_buf", phys_autograd.Buf)):
        body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), text, re.DOTALL).group(1)
        size = sum(size_of(" ".join(d.split())) for d in body.split(";") if d.strip())
        size = (size + 7) // 8 * 8
        if size != ctypes.sizeof(mirror):
            raise AssertionError("%s has %d bytes, its mirror %d" % (name, size, ctypes.sizeof(mirror)))


def main():
    check_layout()
    device = torch.device(sys.argv[3])
    if device.type == "cuda" and not torch.cuda.is_available():
        print("skipped: torch %s has no CUDA device here" % torch.__version__)
        return 77
    library = phys_autograd.PhysLoss(sys.argv[2])
    n_checked = 0
    for n, boundary, time in itertools.product(GRIDS, BOUNDARIES, (0, 1)):
        for needs in ((False, True, False), (True, True, True), (True, False, True)):
            check(library, device, n, boundary, time, needs)
            n_checked += 1
    check_refusals(library, device)
    print("%d configurations agree" % n_checked)
    return 0 if n_checked == 72 else 1


if __name__ == "__main__":
    sys.exit(main())
