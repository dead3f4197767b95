"""The deposit's peers against its definition, written out here once more in NumPy: PyTorch's operations as they are,
Triton's kernels by a stand-in for the language, program after program.
    test_torch_thermo_scatter.py DIRECTORY-OF-THE-PEERS
"""

import sys
import types

import numpy as np
import torch

sys.path.insert(0, sys.argv[1])

# ---- a stand-in for Triton: pointers are an array with indices, all else is NumPy ----


class Pointer:
    def __init__(self, array, at=0):
        self.array, self.at = array, at

    def __add__(self, offset):
        return Pointer(self.array, self.at + offset)


class Lanes(np.ndarray):
    """An array with Triton's conversions."""

    def to(self, dtype):
        return self.astype(dtype)


def lanes(x):
    return np.asarray(x).view(Lanes)


def load(pointer, mask=None, other=0):
    at = np.asarray(pointer.at)
    if mask is None:
        return lanes(pointer.array[at])
    value = np.full(at.shape, other, dtype=pointer.array.dtype)
    value[mask] = pointer.array[at[mask]]
    return lanes(value)


def store(pointer, value, mask):
    pointer.array[np.asarray(pointer.at)[mask]] = np.asarray(value)[mask]


def atomic_add(pointer, value, mask, sem):
    """What was there before, lane by lane."""
    assert sem == "relaxed"
    before = np.zeros(mask.shape, dtype=pointer.array.dtype)
    for lane in np.flatnonzero(mask):
        at = np.broadcast_to(pointer.at, mask.shape)[lane]
        before[lane] = pointer.array[at]
        pointer.array[at] += np.asarray(value)[lane]
    return lanes(before)


class Kernel:
    """Called by another kernel it is a function; with a grid it runs all programs."""

    program = 0

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)

    def __getitem__(self, grid):
        def launch(*arguments, enable_fp_fusion=True, **constants):
            given = [Pointer(a.numpy()) if isinstance(a, torch.Tensor) else a for a in arguments]
            # A product with its sum is one operation unless the launch says otherwise: places must not depend on it.
            assert not enable_fp_fusion or "DX" not in constants
            for Kernel.program in range(grid[0]):
                self.function(*given, **constants)

        return launch


def stand_in():
    language = types.ModuleType("triton.language")
    for name, what in {
        "constexpr": object, "int32": np.int32, "float32": np.float32, "load": load, "store": store,
        "atomic_add": atomic_add, "program_id": lambda axis: Kernel.program, "static_range": range,
        "arange": lambda low, high: lanes(np.arange(low, high, dtype=np.int32)),
        "full": lambda shape, value, dtype: lanes(np.full(shape, value, dtype=dtype)),
        "zeros_like": lambda x: lanes(np.zeros(x.shape, dtype=np.float32)),
        "abs": np.abs, "floor": np.floor, "div_rn": np.divide,
        "where": lambda mask, a, b: lanes(np.where(mask, a, np.asarray(b).astype(np.asarray(a).dtype))),
    }.items():
        setattr(language, name, what)
    triton = types.ModuleType("triton")
    triton.jit, triton.language = Kernel, language
    triton.cdiv = lambda n, block: (n + block - 1) // block
    sys.modules["triton"], sys.modules["triton.language"] = triton, language


stand_in()
import thermo_scatter as peer  # noqa: E402
import thermo_scatter_triton as kernels  # noqa: E402

# ---- the definition ----


def wrapped(pos, dx, extents):
    g = pos / np.float32(dx)
    r = g - extents * np.floor(g / extents)
    return np.where((r >= 0) & (r < extents), r, np.float32(0))


def definition(p, inputs):
    """Sums in double, sums of magnitudes, cells; a particle that is not finite has the cell behind all."""
    pos, vel = (inputs[name].numpy().reshape(-1, 3) for name in ("pos", "vel"))
    mass, heat = (inputs[name].numpy() for name in ("mass", "heat"))
    sums, magnitudes = np.zeros((p.cells, 5)), np.zeros((p.cells, 5))
    cells = np.full(mass.size, p.cells)
    for t in range(mass.size):
        values = np.concatenate(([mass[t]], mass[t] * vel[t].astype(float), [heat[t]]))
        if not (np.isfinite(pos[t]).all() and np.isfinite(values).all() and np.isfinite(vel[t]).all()):
            continue
        r = wrapped(pos[t], p.dx, np.asarray(p.extents, dtype=np.float32)).astype(float)
        base = np.floor(r).astype(int)
        cells[t] = np.ravel_multi_index(base, p.extents)
        for c in np.ndindex(2, 2, 2):
            w = np.prod(np.where(c, r - base, 1 - (r - base)))
            node = np.ravel_multi_index((base + c) % p.extents, p.extents)
            sums[node] += w * values * p.per_volume
            magnitudes[node] += abs(w * values) * p.per_volume
    return sums, magnitudes, cells


# ---- particles ----


def particles(rng, n, extents, dx):
    """Anywhere and somewhat outside, at ends of axes, and some that are no numbers."""
    length = np.asarray(extents) * dx
    pos = rng.uniform(-1.5, 2.5, (n, 3)) * length
    awkward = np.array([0, -1e-9, 1, np.nextafter(np.float32(1), np.float32(0)), -1, 3])
    picked = rng.random((n, 3)) < 0.2
    pos[picked] = (rng.choice(awkward, (n, 3)) * length)[picked]
    pos[rng.random((n, 3)) < 0.01] = np.nan
    mass = rng.uniform(0.5, 1.5, n)
    mass[rng.random(n) < 0.02] = np.inf
    data = {"pos": pos.ravel(), "vel": rng.uniform(-1, 1, 3 * n), "mass": mass, "heat": rng.uniform(0, 1, n),
            "energy": rng.uniform(0, 1, n)}
    return {name: torch.tensor(value.astype(np.float32)) for name, value in data.items()}


def check_fields(name, p, outputs, expected):
    sums, magnitudes, cells = expected
    got = np.column_stack([outputs["rho"].numpy(), outputs["mom"].numpy().reshape(-1, 3), outputs["e_int"].numpy()])
    worst = np.max(abs(got - sums) - 2.0**-24 * 60 * magnitudes, initial=0)
    assert worst <= 0, "%s: off by %g more than rounding" % (name, worst)
    assert int(outputs["errors"]) == np.count_nonzero(cells == p.cells), name
    print("%s: %s, %d particles" % (name, "x".join(map(str, p.extents)), cells.size))


def check_stages(p, outputs, inputs, expected):
    """Each particle once, whole, and in the place of its cell."""
    cells = expected[2]
    count = np.bincount(cells, minlength=p.cells + 1)
    index = outputs["sorted_index"].numpy()
    assert (outputs["cell_id"].numpy() == cells).all()
    assert (outputs["count"].numpy() == count).all()
    assert (outputs["start"].numpy() == np.cumsum(count) - count).all()
    assert (np.sort(index) == np.arange(cells.size)).all() and (cells[index] == np.sort(cells)).all()
    for name, width in (("pos", 3), ("vel", 3), ("mass", 1), ("heat", 1), ("energy", 1)):
        given = inputs[name].numpy().reshape(-1, width)[index]
        assert np.array_equal(outputs["sorted_" + name].numpy().reshape(-1, width), given, equal_nan=True), name


def main():
    rng = np.random.default_rng(1)
    for extents, n in (((4, 5, 6), 700), ((7, 1, 3), 300), ((1, 1, 1), 20), ((8, 8, 8), 0)):
        dx = float(np.float32(1.0 / max(extents)))
        p = peer.Problem(extents, dx, torch.device("cpu"))
        inputs = particles(rng, n, extents, dx)
        expected = definition(p, inputs)
        check_fields("eager", p, peer.eager_scatter(p, inputs), expected)
        check_fields("triton", p, kernels.scatter(p, inputs), expected)
        outputs = kernels.sort_and_scatter(p, inputs)
        check_fields("triton_sorted", p, outputs, expected)
        check_stages(p, outputs, inputs, expected)


with np.errstate(invalid="ignore"):
    main()
