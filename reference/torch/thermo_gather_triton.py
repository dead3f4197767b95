"""The gather in Triton: one program takes a block of particles, each with the eight nodes of its cell, and also does
gravity, motion and wrapping, as in the original."""

import torch
import triton
import triton.language as tl

from thermo_scatter_triton import BLOCK, EXACT, corner, is_finite, load3, or_nan, store3, wrapped

# One thread a particle, as in Metal: with two particles a thread would take 150 registers.
OPTIONS = dict(EXACT, num_warps=BLOCK // 32)


@triton.jit
def wrapped_length(x, length):
    """The remainder of x divided by length."""
    side = tl.zeros_like(x) + length
    r = x - side * tl.floor(tl.div_rn(x, side))
    return tl.where((r >= 0) & (r < side), r, 0.0)


@triton.jit
def add_node(node, w, rho, mom, energy, mask, r, x, y, z, e):
    """Adds a node's share to the sums."""
    mx, my, mz = load3(mom, node, mask)
    r += w * tl.load(rho + node, mask=mask, other=0.0)
    e += w * tl.load(energy + node, mask=mask, other=0.0)
    return r, x + w * mx, y + w * my, z + w * mz, e


@triton.jit
def slopes(phi, i0, j0, k0, i1, j1, k1, fx, fy, fz, mask, GY: tl.constexpr, GZ: tl.constexpr):
    """dx times the gradient: means of the four edges along each axis."""
    p000 = tl.load(phi + (i0 * GY + j0) * GZ + k0, mask=mask, other=0.0)
    p001 = tl.load(phi + (i0 * GY + j0) * GZ + k1, mask=mask, other=0.0)
    p010 = tl.load(phi + (i0 * GY + j1) * GZ + k0, mask=mask, other=0.0)
    p011 = tl.load(phi + (i0 * GY + j1) * GZ + k1, mask=mask, other=0.0)
    p100 = tl.load(phi + (i1 * GY + j0) * GZ + k0, mask=mask, other=0.0)
    p101 = tl.load(phi + (i1 * GY + j0) * GZ + k1, mask=mask, other=0.0)
    p110 = tl.load(phi + (i1 * GY + j1) * GZ + k0, mask=mask, other=0.0)
    p111 = tl.load(phi + (i1 * GY + j1) * GZ + k1, mask=mask, other=0.0)
    ex = 1.0 - fx
    ey = 1.0 - fy
    ez = 1.0 - fz
    x = ey * ez * (p100 - p000) + ey * fz * (p101 - p001) + fy * ez * (p110 - p010) + fy * fz * (p111 - p011)
    y = ex * ez * (p010 - p000) + ex * fz * (p011 - p001) + fx * ez * (p110 - p100) + fx * fz * (p111 - p101)
    z = ex * ey * (p001 - p000) + ex * fy * (p011 - p010) + fx * ey * (p101 - p100) + fx * fy * (p111 - p110)
    return x, y, z


@triton.jit
def sums(px, py, pz, rho, mom, energy, phi, mask, DX: tl.constexpr, GX: tl.constexpr, GY: tl.constexpr,
         GZ: tl.constexpr, HAS_PHI: tl.constexpr):
    """Weighted means of rho, mom and e at places, and slopes of phi."""
    rx = wrapped(px, DX, GX)
    ry = wrapped(py, DX, GY)
    rz = wrapped(pz, DX, GZ)
    fx = rx - tl.floor(rx)
    fy = ry - tl.floor(ry)
    fz = rz - tl.floor(rz)
    r = tl.zeros_like(rx)
    x = tl.zeros_like(rx)
    y = tl.zeros_like(rx)
    z = tl.zeros_like(rx)
    e = tl.zeros_like(rx)
    for a in tl.static_range(2):
        i, wx = corner(tl.floor(rx).to(tl.int32), fx, GX, a)
        for b in tl.static_range(2):
            j, wy = corner(tl.floor(ry).to(tl.int32), fy, GY, b)
            for c in tl.static_range(2):
                k, wz = corner(tl.floor(rz).to(tl.int32), fz, GZ, c)
                r, x, y, z, e = add_node((i * GY + j) * GZ + k, wx * wy * wz, rho, mom, energy, mask, r, x, y, z, e)
    sx = tl.zeros_like(rx)
    sy = tl.zeros_like(rx)
    sz = tl.zeros_like(rx)
    if HAS_PHI:
        i0, ex = corner(tl.floor(rx).to(tl.int32), fx, GX, 0)
        j0, ey = corner(tl.floor(ry).to(tl.int32), fy, GY, 0)
        k0, ez = corner(tl.floor(rz).to(tl.int32), fz, GZ, 0)
        i1, ex = corner(tl.floor(rx).to(tl.int32), fx, GX, 1)
        j1, ey = corner(tl.floor(ry).to(tl.int32), fy, GY, 1)
        k1, ez = corner(tl.floor(rz).to(tl.int32), fz, GZ, 1)
        sx, sy, sz = slopes(phi, i0, j0, k0, i1, j1, k1, fx, fy, fz, mask, GY, GZ)
    return r, x, y, z, e, sx, sy, sz


@triton.jit
def speed(m, r, slope, dt_per_dx):
    """The speed of the gas, or 0 without gas, plus that from gravity."""
    return tl.where(r > 0, tl.div_rn(m, r), 0.0) - dt_per_dx * slope


@triton.jit
def pic_gather_update_particles(pos, mass, rho, mom, energy, phi, new_pos, new_vel, new_heat, dt, dt_per_dx, lx, ly, lz,
                                n, POISONS: tl.constexpr, HAS_PHI: tl.constexpr, DX: tl.constexpr, GX: tl.constexpr,
                                GY: tl.constexpr, GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    t = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = t < n
    px, py, pz = load3(pos, t, mask)
    m = tl.load(mass + t, mask=mask, other=0.0)
    r, x, y, z, e, sx, sy, sz = sums(px, py, pz, rho, mom, energy, phi, mask, DX, GX, GY, GZ, HAS_PHI)
    u = speed(x, r, sx, dt_per_dx)
    v = speed(y, r, sy, dt_per_dx)
    w = speed(z, r, sz, dt_per_dx)
    heat = m * tl.where(r > 0, tl.div_rn(e, r), 0.0)
    px += u * dt
    py += v * dt
    pz += w * dt
    is_good = is_finite(heat) & is_finite(r) & is_finite(e) & is_finite(px) & is_finite(py) & is_finite(pz) & (m > 0)
    if POISONS:
        is_good = is_good & (r >= 0) & (e >= 0)
    else:
        is_good = is_good & ((r <= 0) | (e >= 0))
    store3(new_pos, t, or_nan(is_good, wrapped_length(px, lx)), or_nan(is_good, wrapped_length(py, ly)),
           or_nan(is_good, wrapped_length(pz, lz)), mask)
    store3(new_vel, t, or_nan(is_good, u), or_nan(is_good, v), or_nan(is_good, w), mask)
    tl.store(new_heat + t, or_nan(is_good, heat), mask=mask)


def gather(p, inputs, dt, poisons):
    """New positions, velocities and heat of the particles; without phi there is no gravity."""
    outputs = {"new_" + name: torch.empty_like(inputs[like])
               for name, like in (("pos", "pos"), ("vel", "pos"), ("heat", "mass"))}
    n, (gx, gy, gz), phi = inputs["mass"].numel(), p.extents, inputs["phi"]
    if n > 0:
        pic_gather_update_particles[(triton.cdiv(n, BLOCK),)](
            *(inputs[name] for name in ("pos", "mass", "rho", "mom", "e_int")),
            phi if phi is not None else inputs["rho"], *outputs.values(), dt, dt / p.dx, *p.lengths_as_numbers, n,
            POISONS=poisons, HAS_PHI=phi is not None, DX=p.dx, GX=gx, GY=gy, GZ=gz, BLOCK_SIZE=BLOCK, **OPTIONS)
    return outputs
