"""The agents' part of a step in Triton, in triton semantics: one kernel senses, turns and moves, and one deposits.

Kernels have the names that the article gives them.
"""

import torch
import triton
import triton.language as tl

BLOCK = 256


@triton.jit
def place(v, extent):
    """The cell of a sensor's coordinate: the remainder keeps the sign, and a cell outside moves to the border."""
    cell = (v % extent).to(tl.int32)
    return tl.minimum(tl.maximum(cell, 0), extent - 1)


@triton.jit
def sample(field, y, x, heading, reach, height, width, is_agent):
    row = place(y + reach * tl.sin(heading), height)
    column = place(x + reach * tl.cos(heading), width)
    return tl.load(field + row * width + column, mask=is_agent, other=0.0)


@triton.jit
def agent_sense_and_update_kernel(pos, angle, field, new_pos, new_angle, height, width, n,
                                  REACH: tl.constexpr, SPREAD: tl.constexpr, STEP: tl.constexpr,
                                  BLOCK_SIZE: tl.constexpr):
    i = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    is_agent = i < n
    y = tl.load(pos + 2 * i, mask=is_agent, other=0.0)
    x = tl.load(pos + 2 * i + 1, mask=is_agent, other=0.0)
    heading = tl.load(angle + i, mask=is_agent, other=0.0)

    ahead = sample(field, y, x, heading, REACH, height, width, is_agent)
    left = sample(field, y, x, heading + SPREAD, REACH, height, width, is_agent)
    right = sample(field, y, x, heading - SPREAD, REACH, height, width, is_agent)
    is_left = (left > ahead) & (left > right)
    is_right = (right > ahead) & (right > left)
    heading = tl.where(is_left, heading + SPREAD, tl.where(is_right, heading - SPREAD, heading))

    y += STEP * tl.sin(heading)
    x += STEP * tl.cos(heading)
    tl.store(new_pos + 2 * i, y - tl.floor(y / height) * height, mask=is_agent)
    tl.store(new_pos + 2 * i + 1, x - tl.floor(x / width) * width, mask=is_agent)
    tl.store(new_angle + i, heading, mask=is_agent)


@triton.jit
def pheromone_deposit_kernel(pos, field, height, width, n, DEPOSIT: tl.constexpr,
                             BLOCK_SIZE: tl.constexpr):
    i = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    is_agent = i < n
    y = tl.load(pos + 2 * i, mask=is_agent, other=0.0).to(tl.int32)
    x = tl.load(pos + 2 * i + 1, mask=is_agent, other=0.0).to(tl.int32)
    row = tl.minimum(tl.maximum(y, 0), height - 1)
    column = tl.minimum(tl.maximum(x, 0), width - 1)
    tl.atomic_add(field + row * width + column, tl.where(is_agent, DEPOSIT, 0.0), mask=is_agent)


def move(m, pos, angle, field):
    new_pos, new_angle = torch.empty_like(pos), torch.empty_like(angle)
    if m.agents > 0:
        agent_sense_and_update_kernel[(triton.cdiv(m.agents, BLOCK),)](
            pos, angle, field, new_pos, new_angle, m.height, m.width, m.agents,
            REACH=m.reach, SPREAD=m.spread, STEP=m.step, BLOCK_SIZE=BLOCK)
    return new_pos, new_angle


def deposit(m, pos, field):
    if m.agents > 0:
        pheromone_deposit_kernel[(triton.cdiv(m.agents, BLOCK),)](
            pos, field, m.height, m.width, m.agents, DEPOSIT=m.deposit, BLOCK_SIZE=BLOCK)
