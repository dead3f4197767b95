"""The physics loss of the C API (kernels/physics_loss/phys_loss.h) as a function that PyTorch can differentiate.

    library = PhysLoss("assay_kernels_cuda.so")     # cuda_phys_loss_fused, on PyTorch's stream
    library = PhysLoss("libphys_loss_cpu.so")       # cpu_phys_loss_*, for tensors of the CPU
    loss = library(spec, sigma, u)                  # tuples of the levels t0, t1 and, with central time, t2
    loss.backward()

Losses and all gradients come from one call in the forward pass; the backward pass scales them.
"""

import ctypes

import torch

PERIODIC, ZERO_GRADIENT = 0, 1
FIRST_ORDER, CENTRAL = 0, 1
VJP_FIELD = 1
LEVELS_T1, LEVELS_ALL = 0, 1
FUSED_DEFAULT = 0


class GridSpec(ctypes.Structure):
    """phys_grid_spec"""

    _fields_ = [("nx", ctypes.c_int64), ("ny", ctypes.c_int64), ("nz", ctypes.c_int64),
                ("hx", ctypes.c_double), ("hy", ctypes.c_double), ("hz", ctypes.c_double),
                ("dt", ctypes.c_double), ("boundary", ctypes.c_int * 3), ("time", ctypes.c_int),
                ("vjp", ctypes.c_int), ("levels", ctypes.c_int)]


class Weights(ctypes.Structure):
    """phys_weights"""

    _fields_ = [("w_sigma", ctypes.c_double), ("w_u", ctypes.c_double)]


class Buf(ctypes.Structure):
    """phys_buf"""

    _fields_ = [("sigma", ctypes.c_void_p * 3), ("u", ctypes.c_void_p * 3),
                ("d_sigma", ctypes.c_void_p * 3), ("d_u", ctypes.c_void_p * 3),
                ("r_sigma", ctypes.c_void_p), ("r_u", ctypes.c_void_p),
                ("loss_sigma", ctypes.c_void_p), ("loss_u", ctypes.c_void_p),
                ("scratch", ctypes.c_void_p)]


class Spec:
    """Spacings, step, modes and weights; the extents are those of the fields."""

    def __init__(self, h, dt, boundary, time, w_sigma=1.0, w_u=1.0):
        self.h, self.dt, self.boundary, self.time = h, dt, boundary, time
        self.w_sigma, self.w_u = w_sigma, w_u

    def n_levels(self):
        return 3 if self.time == CENTRAL else 2

    def grid(self, shape, levels):
        nz, ny, nx = shape
        return GridSpec(nx, ny, nz, *self.h, self.dt, (ctypes.c_int * 3)(*self.boundary), self.time,
                        VJP_FIELD, levels)


def check(spec, sigma, u):
    """What the C side cannot see: types, devices, strides, shapes."""
    if len(sigma) != spec.n_levels() or len(u) != spec.n_levels():
        raise ValueError("sigma and u must have %d levels each" % spec.n_levels())
    shape, device = sigma[0].shape, sigma[0].device
    for s, v in zip(sigma, u):
        if s.dim() != 3 or s.shape != shape or v.shape != (3, *shape):
            raise ValueError("sigma must be (nz, ny, nx) and u (3, nz, ny, nx), the same at all levels")
        if s.dtype != torch.float32 or v.dtype != torch.float32:
            raise TypeError("the fields must be float32")
        if s.device != device or v.device != device:
            raise ValueError("the fields must be on one device")


def pointers(tensors):
    return (ctypes.c_void_p * 3)(*[None if t is None else t.data_ptr() for t in tensors])


def empty_like(tensors, wanted):
    """A tensor for each of the levels t0, t1 and t2 that is wanted, else None."""
    return [torch.empty_like(t) if t is not None and is_wanted else None for t, is_wanted in zip(tensors, wanted)]


class PhysLoss:
    """A library with the C API. It holds no state: the same object serves all grids."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def __call__(self, spec, sigma, u):
        check(spec, sigma, u)
        return Function.apply(self, spec, *sigma, *u)

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error != 0:
            raise RuntimeError("%s returned error %d" % (name, error))

    def compute(self, spec, grid, buf, device):
        weights = Weights(spec.w_sigma, spec.w_u)
        references = ctypes.byref(grid), ctypes.byref(weights), ctypes.byref(buf)
        if device.type != "cuda":
            self.call("cpu_phys_loss_forward", *references)
            self.call("cpu_phys_loss_backward", *references)
            return
        with torch.cuda.device(device):
            stream = ctypes.c_void_p(torch.cuda.current_stream(device).cuda_stream)
            self.call("cuda_phys_loss_fused", *references, ctypes.c_int(FUSED_DEFAULT), stream)


class Function(torch.autograd.Function):
    """A function of the levels of sigma, then those of u: the sum of both losses, in double."""

    @staticmethod
    def forward(ctx, library, spec, *fields):
        n = spec.n_levels()
        # From here on the caller's strides do not matter; these tensors live until the call is queued.
        fields = [f.contiguous() for f in fields]
        none = [None] * (3 - n)
        sigma, u = fields[:n] + none, fields[n:] + none
        needed = ctx.needs_input_grad[2:]
        is_all = any(needed[i] for i in range(2 * n) if i % n != 1)
        wanted = (is_all, True, is_all)
        d_sigma, d_u = empty_like(sigma, wanted), empty_like(u, wanted)
        losses = torch.empty(2, dtype=torch.float64, device=fields[0].device)
        buf = Buf(sigma=pointers(sigma), u=pointers(u), d_sigma=pointers(d_sigma), d_u=pointers(d_u),
                  loss_sigma=losses[0:].data_ptr(), loss_u=losses[1:].data_ptr())
        grid = spec.grid(fields[0].shape, LEVELS_ALL if is_all else LEVELS_T1)
        library.compute(spec, grid, buf, losses.device)
        ctx.save_for_backward(*[g for g in d_sigma[:n] + d_u[:n] if g is not None])
        ctx.places = [i for i, g in enumerate(d_sigma[:n] + d_u[:n]) if g is not None]
        return losses.sum()

    @staticmethod
    @torch.autograd.function.once_differentiable  # a second derivative is refused, not treated as zero
    def backward(ctx, scale):
        gradients = [None] * len(ctx.needs_input_grad)
        for place, gradient in zip(ctx.places, ctx.saved_tensors):
            if ctx.needs_input_grad[2 + place]:
                gradients[2 + place] = gradient * scale.to(gradient.dtype)
        return tuple(gradients)
