"""A stand-in for Triton, with which peers run their Triton kernels on the CPU, one program after another. A pointer is an
array with indices; everything else is NumPy. Operations for which a GPU or Triton's compiler has no answer, or not the
same answer as NumPy, are refused.

To run the script NAME.py of a peer with it, a file NAME.py has    from triton_on_numpy import serve_as; serve_as(NAME)
PYTHONPATH has this folder and that of the peers.
"""

import importlib
import sys
import types

import numpy as np


class Constant(float):
    """A tl.constexpr of a module. At each launch Triton compares it with its value when the kernel was compiled."""

    def __new__(cls, value):
        assert value == value, "Triton holds a global that is NaN for changed at each launch"
        return super().__new__(cls, value)


class Pointer:
    def __init__(self, array, at=0):
        self.array, self.at = array, at

    def __add__(self, offset):
        return Pointer(self.array, self.at + offset)


class Lanes(np.ndarray):
    """An array with Triton's conversions. As in Triton, `a += b` gives a new value."""

    def __array_ufunc__(self, function, method, *operands, **options):
        """Numbers combined with a float array become fp32: with a large integer, old NumPy would compute in double."""
        arrays = [np.asarray(a) for a in operands]
        if any(a.ndim > 0 and a.dtype.kind == "f" for a in arrays):
            arrays = [a if a.ndim > 0 else a.astype(np.float32) for a in arrays]
        return lanes(getattr(function, method)(*arrays, **options))

    def to(self, dtype):
        if np.issubdtype(dtype, np.integer):
            limits = np.iinfo(dtype)
            assert ((self >= limits.min) & (self < limits.max + 1)).all(), "NaN or too large: any integer on a GPU"
        return self.astype(dtype)

    def __floordiv__(self, other):
        return self.without_signs(other, np.floor_divide)

    def __mod__(self, other):
        return self.without_signs(other, np.remainder)

    def without_signs(self, other, operation):
        assert (self >= 0).all() and np.all(np.asarray(other) > 0), "integers are divided as in C"
        return operation(self, other)

    def __iadd__(self, other):
        return self + other

    def __truediv__(self, other):
        raise AssertionError("Triton's / is an approximation: div_rn is meant")


def lanes(x):
    return np.asarray(x).view(Lanes)


def load(pointer, mask=None, other=0):
    at = np.asarray(pointer.at)
    if mask is None:
        return lanes(pointer.array[within(at)])
    value = np.full(at.shape, other, dtype=pointer.array.dtype)
    value[mask] = pointer.array[within(at[mask])]
    return lanes(value)


def store(pointer, value, mask):
    pointer.array[within(np.asarray(pointer.at)[mask])] = np.asarray(value)[mask]


def within(at):
    """Refuses negative indices, which NumPy counts from the end; NumPy itself refuses those past the end."""
    assert np.all(at >= 0), "before an array"
    return at


def atomic_add(pointer, value, mask, sem):
    """Goes lane by lane for integers, since there kernels use the value before the addition."""
    assert sem == "relaxed"
    at, value = np.broadcast_to(pointer.at, mask.shape), np.asarray(value)
    within(at[mask])
    if pointer.array.dtype.kind == "f":
        np.add.at(pointer.array, at[mask], value[mask])
        return None
    before = np.zeros(mask.shape, dtype=pointer.array.dtype)
    for lane in np.flatnonzero(mask):
        before[lane] = pointer.array[at[lane]]
        pointer.array[at[lane]] += value[lane]
    return lanes(before)


class Kernel:
    """A kernel. Called by another kernel, it is a function; called with a grid, it runs all programs."""

    program = 0

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **constants):
        seen = [self.function.__globals__.get(name) for name in self.function.__code__.co_names]
        plain = [what for what in seen if isinstance(what, (int, float)) and not isinstance(what, Constant)]
        assert not plain, "Triton's kernels read no globals but constexpr"
        return self.function(*arguments, **constants)

    def __getitem__(self, grid):
        def launch(*arguments, enable_fp_fusion=True, num_warps=4, **constants):
            assert num_warps in (1, 2, 4, 8, 16, 32)
            given = [Pointer(a.numpy()) if hasattr(a, "numpy") else a for a in arguments]
            # A product with its sum is one operation unless the launch says otherwise: places must not depend on it,
            # and differences of equal values must be 0.
            assert not enable_fp_fusion or "GX" not in constants
            with np.errstate(all="ignore"):
                for Kernel.program in range(grid[0]):
                    self(*given, **constants)

        return launch


def dot(a, b, input_precision):
    """A matrix product with sums in fp32 for every type."""
    assert input_precision == "ieee", "Triton takes TF32 for fp32 unless it is told not to"
    assert a.dtype == b.dtype, "both sides of a product have one type"
    return lanes(np.matmul(np.asarray(a, dtype=np.float32), np.asarray(b, dtype=np.float32)))


def where(mask, a, b):
    return lanes(np.where(mask, a, np.asarray(b).astype(np.asarray(a).dtype)))


def install():
    language = types.ModuleType("triton.language")
    for name, what in {
        "constexpr": Constant, "int32": np.int32, "float32": np.float32, "load": load, "store": store,
        "atomic_add": atomic_add, "program_id": lambda axis: Kernel.program, "static_range": range,
        "arange": lambda low, high: lanes(np.arange(low, high, dtype=np.int32)),
        "full": lambda shape, value, dtype: lanes(np.full(shape, value, dtype=dtype)),
        "zeros_like": lambda x: lanes(np.zeros(x.shape, dtype=np.float32)),
        "dot": dot, "trans": np.transpose, "exp2": np.exp2, "minimum": np.minimum,
        "max": lambda x, axis: lanes(np.max(np.asarray(x), axis=axis)),
        "sum": lambda x, axis: lanes(np.sum(np.asarray(x), axis=axis, dtype=np.float32)),
        "abs": np.abs, "floor": np.floor, "div_rn": np.divide, "sqrt_rn": np.sqrt, "maximum": np.fmax, "where": where,
    }.items():
        setattr(language, name, what)
    triton = types.ModuleType("triton")
    triton.jit, triton.language = Kernel, language
    triton.cdiv = lambda n, block: (n + block - 1) // block
    sys.modules["triton"], sys.modules["triton.language"] = triton, language


def serve_as(name):
    """Serves the peer of a script, on any device."""
    del sys.path[0]  # the folder of the file with the script's name
    import thermo_peer

    install()
    thermo_peer.triton_kernels = lambda module, device: importlib.import_module(module)
    peer = importlib.import_module(name)
    sys.modules["assay.peer"].serve(peer.make)
