"""The deposit of particles in Triton: in the given order, and sorted by cell first.

Kernels of the sorted form have their names in the original. Places are rounded as IEEE 754 says: Triton's `/` is an
approximation, and it fuses a product with its sum. Either may change a cell.
"""

import torch
import triton
import triton.language as tl

BLOCK = 256

# Options for every launch.
EXACT = {"enable_fp_fusion": False}


@triton.jit
def is_finite(x):
    return tl.abs(x) <= 3.4028234663852886e38


@triton.jit
def or_nan(is_good, x):
    """NaN is written here and is not a global of the module: Triton checks at each launch that globals are equal to their
    earlier values, and NaN never is."""
    return tl.where(is_good, x, float("nan"))


@triton.jit
def wrapped(x, spacing, extent):
    """The remainder of x / spacing divided by extent."""
    side = tl.zeros_like(x) + extent
    g = tl.div_rn(x, tl.zeros_like(x) + spacing)
    r = g - side * tl.floor(tl.div_rn(g, side))
    return tl.where((r >= 0) & (r < side), r, 0.0)


@triton.jit
def corner(base, f, extent, UPPER: tl.constexpr):
    """Node and weight of one end of a cell along an axis."""
    if UPPER:
        node = tl.where(base + 1 == extent, 0, base + 1)
        w = f
    else:
        node = base
        w = 1.0 - f
    return node, w


@triton.jit
def load3(array, i, mask):
    """The components of vectors; those of one vector are stored side by side."""
    x = tl.load(array + 3 * i, mask=mask, other=0.0)
    y = tl.load(array + 3 * i + 1, mask=mask, other=0.0)
    z = tl.load(array + 3 * i + 2, mask=mask, other=0.0)
    return x, y, z


@triton.jit
def store3(array, i, x, y, z, mask):
    tl.store(array + 3 * i, x, mask=mask)
    tl.store(array + 3 * i + 1, y, mask=mask)
    tl.store(array + 3 * i + 2, z, mask=mask)


@triton.jit
def deposit(pos, vel, mass, heat, t, mask, rho, mom, e_int, DX: tl.constexpr, PER_VOLUME: tl.constexpr,
            GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr):
    """Adds particles t to the eight nodes of their cells."""
    x, y, z = load3(pos, t, mask)
    u, v, w = load3(vel, t, mask)
    m = tl.load(mass + t, mask=mask, other=0.0)
    h = tl.load(heat + t, mask=mask, other=0.0)
    is_good = mask & is_finite(x) & is_finite(y) & is_finite(z) & is_finite(u) & is_finite(v) & is_finite(w)
    is_good = is_good & is_finite(m) & is_finite(h)
    rx = wrapped(x, DX, GX)
    ry = wrapped(y, DX, GY)
    rz = wrapped(z, DX, GZ)
    for a in tl.static_range(2):
        i, wx = corner(tl.floor(rx).to(tl.int32), rx - tl.floor(rx), GX, a)
        for b in tl.static_range(2):
            j, wy = corner(tl.floor(ry).to(tl.int32), ry - tl.floor(ry), GY, b)
            for c in tl.static_range(2):
                k, wz = corner(tl.floor(rz).to(tl.int32), rz - tl.floor(rz), GZ, c)
                node = (i * GY + j) * GZ + k
                share = m * PER_VOLUME * (wx * wy * wz)
                tl.atomic_add(rho + node, share, mask=is_good, sem="relaxed")
                tl.atomic_add(mom + 3 * node, share * u, mask=is_good, sem="relaxed")
                tl.atomic_add(mom + 3 * node + 1, share * v, mask=is_good, sem="relaxed")
                tl.atomic_add(mom + 3 * node + 2, share * w, mask=is_good, sem="relaxed")
                tl.atomic_add(e_int + node, h * PER_VOLUME * (wx * wy * wz), mask=is_good, sem="relaxed")
    return is_good


@triton.jit
def scatter_atomic(pos, vel, mass, heat, rho, mom, e_int, errors, n, DX: tl.constexpr, PER_VOLUME: tl.constexpr,
                   GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    t = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    is_there = t < n
    is_good = deposit(pos, vel, mass, heat, t, is_there, rho, mom, e_int, DX, PER_VOLUME, GX, GY, GZ)
    one = tl.full((BLOCK_SIZE,), 1, tl.int32)
    tl.atomic_add(errors + (one - 1), one, mask=is_there & (is_good == 0), sem="relaxed")


# ---- sorted by cell: rejected particles come after all cells ----


@triton.jit
def scatter_compute_cell_idx(pos, vel, mass, heat, cell_id, n, DX: tl.constexpr, GX: tl.constexpr, GY: tl.constexpr,
                             GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    t = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = t < n
    x, y, z = load3(pos, t, mask)
    u, v, w = load3(vel, t, mask)
    m = tl.load(mass + t, mask=mask, other=0.0)
    h = tl.load(heat + t, mask=mask, other=0.0)
    is_good = is_finite(x) & is_finite(y) & is_finite(z) & is_finite(u) & is_finite(v) & is_finite(w)
    is_good = is_good & is_finite(m) & is_finite(h)
    i = tl.floor(wrapped(x, DX, GX)).to(tl.int32)
    j = tl.floor(wrapped(y, DX, GY)).to(tl.int32)
    k = tl.floor(wrapped(z, DX, GZ)).to(tl.int32)
    tl.store(cell_id + t, tl.where(is_good, (i * GY + j) * GZ + k, GX * GY * GZ), mask=mask)


@triton.jit
def scatter_count_cells(cell_id, count, n, BLOCK_SIZE: tl.constexpr):
    t = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = t < n
    one = tl.full((BLOCK_SIZE,), 1, tl.int32)
    tl.atomic_add(count + tl.load(cell_id + t, mask=mask, other=0), one, mask=mask, sem="relaxed")


@triton.jit
def scatter_reorder_particles(pos, vel, mass, heat, energy, cell_id, start, cursor, to_pos, to_vel, to_mass, to_heat,
                              to_energy, index, n, BLOCK_SIZE: tl.constexpr):
    t = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = t < n
    cell = tl.load(cell_id + t, mask=mask, other=0)
    one = tl.full((BLOCK_SIZE,), 1, tl.int32)
    d = tl.load(start + cell, mask=mask, other=0) + tl.atomic_add(cursor + cell, one, mask=mask, sem="relaxed")
    x, y, z = load3(pos, t, mask)
    store3(to_pos, d, x, y, z, mask)
    x, y, z = load3(vel, t, mask)
    store3(to_vel, d, x, y, z, mask)
    tl.store(to_mass + d, tl.load(mass + t, mask=mask, other=0.0), mask=mask)
    tl.store(to_heat + d, tl.load(heat + t, mask=mask, other=0.0), mask=mask)
    tl.store(to_energy + d, tl.load(energy + t, mask=mask, other=0.0), mask=mask)
    tl.store(index + d, t, mask=mask)


@triton.jit
def scatter_sorted(pos, vel, mass, heat, start, rho, mom, e_int, DX: tl.constexpr, PER_VOLUME: tl.constexpr,
                   GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    d = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    n_accepted = tl.load(start + GX * GY * GZ)
    deposit(pos, vel, mass, heat, d, d < n_accepted, rho, mom, e_int, DX, PER_VOLUME, GX, GY, GZ)


# ---- both ways ----


def empty_fields(p):
    return {"rho": torch.zeros(p.cells, device=p.device), "mom": torch.zeros(3 * p.cells, device=p.device),
            "e_int": torch.zeros(p.cells, device=p.device)}


def grid_of(p):
    gx, gy, gz = p.extents
    return {"DX": p.dx, "GX": gx, "GY": gy, "GZ": gz, "BLOCK_SIZE": BLOCK}


def scatter(p, inputs):
    fields = empty_fields(p)
    errors = torch.zeros(1, dtype=torch.int32, device=p.device)
    n = inputs["mass"].numel()
    if n > 0:
        scatter_atomic[(triton.cdiv(n, BLOCK),)](
            inputs["pos"], inputs["vel"], inputs["mass"], inputs["heat"], fields["rho"], fields["mom"],
            fields["e_int"], errors, n, PER_VOLUME=p.per_volume, **grid_of(p), **EXACT)
    return dict(fields, errors=errors)


def sort(p, inputs, n):
    """Particles in the order of their cells, with the number of particles and the first particle of each cell."""
    def integers(count):
        return torch.zeros(count, dtype=torch.int32, device=p.device)

    s = {"cell_id": integers(n), "count": integers(p.cells + 1), "sorted_index": integers(n)}
    for name in ("pos", "vel", "mass", "heat", "energy"):
        s["sorted_" + name] = torch.empty_like(inputs[name])
    blocks = (triton.cdiv(n, BLOCK),)
    particles = [inputs[name] for name in ("pos", "vel", "mass", "heat")]
    if n > 0:
        scatter_compute_cell_idx[blocks](*particles, s["cell_id"], n, **grid_of(p), **EXACT)
        scatter_count_cells[blocks](s["cell_id"], s["count"], n, BLOCK_SIZE=BLOCK)
    s["start"] = (torch.cumsum(s["count"], 0) - s["count"]).to(torch.int32)
    if n > 0:
        scatter_reorder_particles[blocks](
            *particles, inputs["energy"], s["cell_id"], s["start"], integers(p.cells + 1), s["sorted_pos"],
            s["sorted_vel"], s["sorted_mass"], s["sorted_heat"], s["sorted_energy"], s["sorted_index"], n,
            BLOCK_SIZE=BLOCK)
    return s


def sort_and_scatter(p, inputs):
    n = inputs["mass"].numel()
    fields = empty_fields(p)
    s = sort(p, inputs, n)
    if n > 0:
        scatter_sorted[(triton.cdiv(n, BLOCK),)](
            s["sorted_pos"], s["sorted_vel"], s["sorted_mass"], s["sorted_heat"], s["start"], fields["rho"],
            fields["mom"], fields["e_int"], PER_VOLUME=p.per_volume, **grid_of(p), **EXACT)
    return dict(fields, errors=s["count"][-1:], **s)
