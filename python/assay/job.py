"""One point, as a peer gets it: what to compute, and its input arrays."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, ContextManager, NamedTuple, Union

Axis = Union[int, str, tuple[int, ...]]

NO_PART: ContextManager[Any] = contextlib.nullcontext()


class Unsupported(Exception):
    """The peer does not support this; the text is the reason."""


class Buffer(NamedTuple):
    """The address of a buffer in the memory shared with the harness."""

    role: str
    type: str
    n: int  # elements
    offset: int


class Job:
    """One point: what to compute, and its input arrays."""

    def __init__(self, device: Any):
        self.device = device
        self.case = self.word = ""
        self.params: list[int] = []
        self.scalars: list[float] = []
        self.axes: dict[str, Axis] = {}
        self.buffers: dict[str, Buffer] = {}
        self.arena_bytes = 0
        self.inputs: dict[str, Any] = {}  # by name: flat arrays on the device
        self.written: dict[str, Any] = {}  # arrays of outputs that a step writes into; they hold poison before
        self.is_foreign = False  # outputs come from another framework, whose work is on streams of its own
        self.named: Callable[[str], ContextManager[Any]] | None = None  # what makes a range, while a call is recorded

    def wants(self, name: str) -> bool:
        """Is it an output that has elements?"""
        buffer = self.buffers.get(name)
        return buffer is not None and buffer.role in ("out", "inout") and buffer.n > 0

    def part(self, name: str) -> ContextManager[Any]:
        """A part of a step, for `with`: names a range if the call is recorded, else does nothing."""
        return self.named(name) if self.named else NO_PART


def read_axis(kind: str, text: str) -> Axis:
    """Reads the value of an axis: a number, extents, or a word."""
    if kind == "int":
        return int(text)
    return tuple(int(v) for v in text.split("x")) if kind == "grid" else text


def parse_job(lines: list[str], device: Any) -> Job:
    """Reads the request `open`. An unknown line is from a later protocol, and is ignored."""
    job = Job(device)
    for line in lines:
        word, *values = line.split(" ")
        if word in ("case", "word"):
            setattr(job, word, values[0])
        elif word == "params":
            job.params = [int(v) for v in values]
        elif word == "scalars":
            job.scalars = [float(v) for v in values]
        elif word == "axis":
            job.axes[values[0]] = read_axis(values[1], values[2])
        elif word == "buffer":
            name, role, kind, count, offset = values
            job.buffers[name] = Buffer(role, kind, int(count), int(offset))
        elif word == "arena":
            job.arena_bytes = int(values[0])
    return job
