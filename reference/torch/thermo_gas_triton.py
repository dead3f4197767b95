"""A step of the gas in Triton: one program takes a block of cells, each with the states of its seven cells, and k1 is
stored, as in the original.

Quotients and roots are rounded as IEEE 754 says, and there is no fused multiply-add, so that differences of equal values
are 0.
"""

import torch
import triton
import triton.language as tl

import thermo_peer
from thermo_scatter_triton import BLOCK, EXACT, is_finite, load3, or_nan, store3

GAMMA = tl.constexpr(thermo_peer.GAMMA)
RHO_MIN = tl.constexpr(thermo_peer.RHO_MIN)
E_BELOW = tl.constexpr(thermo_peer.E_BELOW)
E_ABOVE = tl.constexpr(thermo_peer.E_ABOVE)

# One thread a cell, as in Metal: with two cells a thread would take 180 registers.
OPTIONS = dict(EXACT, num_warps=BLOCK // 32)


@triton.jit
def norm(x, y, z):
    return tl.sqrt_rn(x * x + y * y + z * z)


@triton.jit
def is_admissible(r, x, y, z, e):
    is_number = is_finite(r) & is_finite(x) & is_finite(y) & is_finite(z) & is_finite(e)
    is_normal = (r > RHO_MIN) & (e >= 0)
    is_low = (tl.abs(r) <= RHO_MIN) & (norm(x, y, z) <= RHO_MIN) & (e >= -E_BELOW) & (e <= E_ABOVE)
    return is_number & (is_normal | is_low)


@triton.jit
def load_state(rho, mom, energy, i, mask):
    x, y, z = load3(mom, i, mask)
    return tl.load(rho + i, mask=mask, other=0.0), x, y, z, tl.load(energy + i, mask=mask, other=0.0)


@triton.jit
def store_state(rho, mom, energy, i, r, x, y, z, e, mask):
    tl.store(rho + i, r, mask=mask)
    store3(mom, i, x, y, z, mask)
    tl.store(energy + i, e, mask=mask)


@triton.jit
def load_cell(rho, mom, energy, i, mask):
    """A state with its velocity, pressure, temperature and fastest signal; the signal of an inadmissible cell is -1."""
    r, x, y, z, e = load_state(rho, mom, energy, i, mask)
    density = tl.maximum(r, RHO_MIN)
    warmth = tl.maximum(e, 0.0)
    u = tl.div_rn(x, density)
    v = tl.div_rn(y, density)
    w = tl.div_rn(z, density)
    p = (GAMMA - 1) * warmth
    signal = norm(u, v, w) + tl.sqrt_rn(tl.div_rn(GAMMA * p, density))
    signal = tl.where(is_admissible(r, x, y, z, e), signal, -1.0)
    return r, x, y, z, e, u, v, w, p, tl.div_rn(warmth, density), signal


@triton.jit
def net(out_low, out_high, s_low, s_high, low, here, high):
    """Twice the difference of a value's fluxes through two faces; the cell's own flux cancels."""
    return (out_high - out_low) - s_high * (high - here) + s_low * (here - low)


@triton.jit
def along(rho, mom, energy, below, above, mask, r, x, y, z, e, t, s, AXIS: tl.constexpr):
    """The share of one direction in each value, in div u and in lap T; and are the neighbours admissible?"""
    r0, x0, y0, z0, e0, u0, v0, w0, p0, t0, s0 = load_cell(rho, mom, energy, below, mask)
    r1, x1, y1, z1, e1, u1, v1, w1, p1, t1, s1 = load_cell(rho, mom, energy, above, mask)
    if AXIS == 0:
        n0, n1, m0, m1 = u0, u1, x0, x1
    elif AXIS == 1:
        n0, n1, m0, m1 = v0, v1, y0, y1
    else:
        n0, n1, m0, m1 = w0, w1, z0, z1
    s_low = tl.maximum(s0, s)
    s_high = tl.maximum(s, s1)
    d_r = net(m0, m1, s_low, s_high, r0, r, r1)
    d_x = net(x0 * n0, x1 * n1, s_low, s_high, x0, x, x1)
    d_y = net(y0 * n0, y1 * n1, s_low, s_high, y0, y, y1)
    d_z = net(z0 * n0, z1 * n1, s_low, s_high, z0, z, z1)
    d_e = net(e0 * n0, e1 * n1, s_low, s_high, e0, e, e1)
    if AXIS == 0:
        d_x += p1 - p0
    elif AXIS == 1:
        d_y += p1 - p0
    else:
        d_z += p1 - p0
    return d_r, d_x, d_y, d_z, d_e, n1 - n0, t1 + t0 - 2 * t, (s0 >= 0) & (s1 >= 0)


@triton.jit
def previous(i, extent):
    return tl.where(i == 0, extent - 1, i - 1)


@triton.jit
def following(i, extent):
    return tl.where(i + 1 == extent, 0, i + 1)


@triton.jit
def slope(rho, mom, energy, cell, mask, per_2dx, heat, GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr):
    """k of the cells, and which of them have an admissible stencil."""
    k = cell % GZ
    j = cell // GZ % GY
    i = cell // (GY * GZ)
    r, x, y, z, e, u, v, w, p, t, s = load_cell(rho, mom, energy, cell, mask)
    ra, xa, ya, za, ea, va, ta, is_a = along(
        rho, mom, energy, (previous(i, GX) * GY + j) * GZ + k, (following(i, GX) * GY + j) * GZ + k, mask,
        r, x, y, z, e, t, s, 0)
    rb, xb, yb, zb, eb, vb, tb, is_b = along(
        rho, mom, energy, (i * GY + previous(j, GY)) * GZ + k, (i * GY + following(j, GY)) * GZ + k, mask,
        r, x, y, z, e, t, s, 1)
    rc, xc, yc, zc, ec, vc, tc, is_c = along(
        rho, mom, energy, (i * GY + j) * GZ + previous(k, GZ), (i * GY + j) * GZ + following(k, GZ), mask,
        r, x, y, z, e, t, s, 2)
    k_e = heat * (ta + tb + tc) - per_2dx * (ea + eb + ec + p * (va + vb + vc))
    return (-per_2dx * (ra + rb + rc), -per_2dx * (xa + xb + xc), -per_2dx * (ya + yb + yc),
            -per_2dx * (za + zb + zc), k_e, (s >= 0) & is_a & is_b & is_c)


@triton.jit
def judge(is_whole, r, x, y, z, e):
    """NaN where the stencil or the result is inadmissible."""
    is_good = is_whole & is_admissible(r, x, y, z, e)
    return or_nan(is_good, r), or_nan(is_good, x), or_nan(is_good, y), or_nan(is_good, z), or_nan(is_good, e)


@triton.jit
def gas_rk2_stage1(rho, mom, energy, rho_k, mom_k, energy_k, rho_1, mom_1, energy_1, dt, per_2dx, heat, n,
                   GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    """k1, and U1 = U0 + dt k1."""
    cell = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = cell < n
    r, x, y, z, e = load_state(rho, mom, energy, cell, mask)
    kr, kx, ky, kz, ke, is_whole = slope(rho, mom, energy, cell, mask, per_2dx, heat, GX, GY, GZ)
    store_state(rho_k, mom_k, energy_k, cell, kr, kx, ky, kz, ke, mask)
    r, x, y, z, e = judge(is_whole, r + dt * kr, x + dt * kx, y + dt * ky, z + dt * kz, e + dt * ke)
    store_state(rho_1, mom_1, energy_1, cell, r, x, y, z, e, mask)


@triton.jit
def gas_rk2_stage2(rho, mom, energy, rho_k, mom_k, energy_k, rho_1, mom_1, energy_1, rho_2, mom_2, energy_2, half_dt,
                   per_2dx, heat, n, GX: tl.constexpr, GY: tl.constexpr, GZ: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    """U2 = U0 + dt/2 (k1 + k2)."""
    cell = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = cell < n
    r, x, y, z, e = load_state(rho, mom, energy, cell, mask)
    r1, x1, y1, z1, e1 = load_state(rho_k, mom_k, energy_k, cell, mask)
    r2, x2, y2, z2, e2, is_whole = slope(rho_1, mom_1, energy_1, cell, mask, per_2dx, heat, GX, GY, GZ)
    r, x, y, z, e = judge(is_whole, r + half_dt * (r1 + r2), x + half_dt * (x1 + x2), y + half_dt * (y1 + y2),
                          z + half_dt * (z1 + z2), e + half_dt * (e1 + e2))
    store_state(rho_2, mom_2, energy_2, cell, r, x, y, z, e, mask)


# ---- both stages ----


def heun(g, rho, mom, energy, dt):
    """Fields of U1 and of U2."""
    start = (rho, mom, energy)
    k1, first, second = ([torch.empty_like(field) for field in start] for _ in range(3))
    if g.cells > 0:
        gx, gy, gz = g.extents
        blocks = (triton.cdiv(g.cells, BLOCK),)
        shape = {"GX": gx, "GY": gy, "GZ": gz, "BLOCK_SIZE": BLOCK}
        gas_rk2_stage1[blocks](*start, *k1, *first, dt, g.per_dx / 2, g.heat, g.cells, **shape, **OPTIONS)
        gas_rk2_stage2[blocks](*start, *k1, *first, *second, dt / 2, g.per_dx / 2, g.heat, g.cells, **shape, **OPTIONS)
    return first, second
