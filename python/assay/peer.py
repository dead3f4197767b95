"""The peer's side of the protocol: answers requests line by line, computes with a framework, times with CUDA events.

A script of a case defines make(job), which returns a function without arguments: one whole step, from
the arrays in job.inputs to a dictionary of outputs by name. It then calls serve(make). The protocol is in
docs/peers.md. Started with the device "none" it says what there is, without loading it.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import os
import shutil
import stat
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from typing import Any, Callable

from .cuda_python import CudaPython
from .frameworks import Cupy, Framework, Numpy, Torch, installed
from .job import Job, Unsupported, parse_job

__all__ = ["Job", "Unsupported", "serve", "PROTOCOL"]

PROTOCOL = 2
ARENA_FD = 3
FRAMEWORKS: dict[str, type[Framework]] = {"torch": Torch, "cupy": Cupy, "cuda": CudaPython, "numpy": Numpy}

# Behind the last event the device is idle; what goes on for longer is on a stream that the events do not see.
JITTER_S, JITTER_SHARE = 1e-3, 0.05

# The harness listens on a socket. Answers leave through a descriptor of their own: what libraries print
# goes to stderr, from the first import on.
ANSWERS = os.dup(1)
if stat.S_ISSOCK(os.fstat(1).st_mode):
    os.dup2(2, 1)


# A pool of compilers would take seconds to start, and disturb what is timed meanwhile.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

Step = Callable[[], dict[str, Any]]
Make = Callable[[Job], Step]
Answer = tuple[str, dict[str, Any]]
# From case and word to the framework whose arrays are wanted, and what makes the step.
Choose = Callable[[str, str], tuple[str, Make]]


def say(word: str, *lines: str, **values: Any) -> None:
    """Writes an answer, with the number of its request if it has one."""
    told = [word, *lines] + ["%s %s" % (name, " ".join(str(value).split())) for name, value in values.items()]
    data = ("\n".join(told) + "\nend\n").encode("ascii", "replace")
    while data:
        data = data[os.write(ANSWERS, data):]


def requests() -> Iterator[tuple[str, str, list[str]]]:
    """Reads requests: a word, a number, and the lines up to the closing one."""
    lines: list[str] = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line == "end":
            word, number, *rest = lines
            yield word, number.split(" ")[1], rest
            lines = []
        else:
            lines.append(line)


class Peer:
    """One process: a device, and at most one job."""

    def __init__(self, choose: Choose, device: str):
        self.choose, self.device = choose, device
        self.loaded: dict[str, Framework] = {}
        self.framework: Framework = Framework(device)
        self.arena: mmap.mmap | None = None
        self.flush: Callable[[], Any] | None = None
        self.forget()

    def forget(self) -> None:
        self.job = Job(self.device)
        self.inputs: dict[str, Any] = {}
        self.step: Step = dict
        self.arena = self.flush = None

    def load(self, name: str) -> Framework:
        """The framework of that name, on the device."""
        if name not in FRAMEWORKS:
            raise Unsupported("there are no arrays of '%s': %s" % (name, ", ".join(FRAMEWORKS)))
        if name not in self.loaded:
            self.loaded[name] = FRAMEWORKS[name](self.device)
        return self.loaded[name]

    # ---- data ----

    def shared(self, name: str) -> Any:
        """The elements of a buffer in the shared memory."""
        buffer = self.job.buffers[name]
        return self.framework.view(self.arena, buffer.type, buffer.n, buffer.offset)

    def upload(self) -> None:
        for name, array in {**self.inputs, **self.job.written}.items():
            self.framework.copy(array, self.shared(name))

    def download(self, outputs: dict[str, Any]) -> None:
        """Writes back outputs, and inputs as the step left them, since the harness checks both."""
        for name, buffer in self.job.buffers.items():
            if buffer.n == 0:
                continue
            if buffer.role in ("out", "inout"):
                self.framework.copy(self.shared(name), outputs[name])
            elif buffer.role == "in":
                self.framework.copy(self.shared(name), self.inputs[name])

    # ---- requests: each returns the word of its answer and what else that says ----

    def open(self, lines: list[str]) -> Answer:
        self.close([])
        job = parse_job(lines, self.device)
        name, make = self.choose(job.case, job.word)
        self.framework = self.load(name)
        job.device = self.framework.device
        self.job = job
        self.arena = mmap.mmap(ARENA_FD, job.arena_bytes)
        for buffer, (role, kind, n, _) in job.buffers.items():
            if role in ("in", "inout"):
                job.inputs[buffer] = self.framework.empty(kind, n)
        self.inputs = dict(job.inputs)
        self.framework.forget_peak()
        self.step = make(job)
        return "ready", {}

    def run(self, _: list[str]) -> Answer:
        self.upload()
        self.framework.wait()
        began_ns = time.perf_counter_ns()
        outputs = self.step()
        self.framework.wait()
        took_ns = time.perf_counter_ns() - began_ns
        self.download(outputs)
        self.framework.wait()
        return "done", {"took": max(1, took_ns)}

    def time(self, lines: list[str]) -> Answer:
        if not self.framework.is_gpu:
            raise Unsupported("a peer is timed on a GPU alone")
        about = dict(line.split(" ", 1) for line in lines)
        self.upload()
        self.framework.free()  # of what a cold block took to flush
        if about["regime"] == "cold":
            self.flush = self.framework.flusher(2 * int(about["l2"]) + 1)
        self.framework.forget_peak()
        warmup = self.repeat(0.2 * float(about["seconds"]), int(about["most"]))
        times = self.repeat(float(about["seconds"]), int(about["most"]))
        struct.pack_into("=%dd" % len(times), self.buffer(), int(about["at"]), *times)
        values: dict[str, Any] = {"samples": len(times), "warmup": len(warmup)}
        peaks = self.framework.peaks() if self.flush is None else {}  # the flush is none of the step's memory
        if peaks:
            values["peak"] = next(iter(peaks.values()))
            values.update({"fact %s" % name: value for name, value in peaks.items()})
        self.flush = None
        return "timed", values

    def buffer(self) -> mmap.mmap:
        assert self.arena is not None, "asked before 'open'"
        return self.arena

    def repeat(self, seconds: float, most: int) -> list[float]:
        """The nanoseconds of each step in time order: as many as fit into the time, at least 3."""
        _, each_ns = self.sample(3)
        times, _ = self.sample(max(3, min(most, int(seconds * 1e9 / each_ns))))
        return times

    def sample(self, n: int) -> tuple[list[float], float]:
        """n steps without waiting between them, each between two events; and the mean of all, with flushes."""
        framework, flush = self.framework, self.flush
        pairs = [(framework.event(), framework.event()) for _ in range(n)]
        begin, end = framework.event(), framework.event()
        framework.record(begin)
        for before, after in pairs:
            if flush is not None:
                flush()
                if self.job.is_foreign:
                    framework.wait()
            framework.record(before)
            self.step()
            framework.record(after)
        framework.record(end)
        framework.await_event(end)
        ended_s = time.perf_counter()
        framework.wait()
        behind_s = time.perf_counter() - ended_s
        if behind_s > max(JITTER_S, JITTER_SHARE * 1e-9 * framework.elapsed_ns(begin, end)):
            raise Unsupported("the device works on for %.1f ms behind the last event: on a stream that is not timed"
                              % (1e3 * behind_s))
        return [framework.elapsed_ns(*pair) for pair in pairs], framework.elapsed_ns(begin, end) / n

    def trace(self, lines: list[str]) -> Answer:
        from . import torch_trace

        if not self.framework.is_gpu:
            raise Unsupported("operations on the CPU are no launches: a peer is traced on a GPU alone")
        if not isinstance(self.framework, Torch):
            raise Unsupported("the profiler that records a call is PyTorch's: %s has none" % self.framework.name)
        about = dict(line.split(" ", 1) for line in lines)
        self.arena = mmap.mmap(ARENA_FD, int(about["arena"]))
        self.upload()
        torch = self.framework.torch
        if about["call"] == "first":
            # The profiler's own library is loaded, and nothing of the step's.
            self.profile(lambda: {"": torch.zeros(1, device=self.framework.device)})
        records, n_left = torch_trace.keep(self.profile(self.step), int(about["most"]))
        if not any(record[2] in torch_trace.DEVICE.values() for record in records):
            raise Unsupported("the profiler of torch %s recorded nothing of the device" % torch.__version__)
        for i, record in enumerate(records):
            torch_trace.RECORD.pack_into(self.arena, int(about["at"]) + i * torch_trace.RECORD.size, *record)
        return "traced", {"records": len(records), "left": n_left}

    def profile(self, step: Step) -> list[Any]:
        """The records of one step, host and device."""
        from . import torch_trace

        assert isinstance(self.framework, Torch)
        profiler = self.framework.torch.profiler
        watched = [profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA]
        self.framework.wait()
        self.job.named = profiler.record_function
        try:
            with profiler.profile(activities=watched) as recorded:
                step()
                self.framework.wait()
        finally:
            self.job.named = None
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            recorded.export_chrome_trace(file.name)
            with open(file.name, encoding="utf-8", errors="replace") as text:
                return torch_trace.read_records(text)

    def close(self, _: list[str]) -> Answer:
        self.forget()
        if self.framework.is_gpu:
            gc.collect()  # arrays in cycles, which closures and compiled functions make
            self.framework.free()
        return "closed", {}

    def answer(self, word: str, lines: list[str]) -> Answer:
        known = {"open": self.open, "run": self.run, "time": self.time, "trace": self.trace, "close": self.close}
        return known[word](lines)


def explain(error: BaseException, framework: Framework | None = None) -> Answer:
    """The answer for an exception, in one line; the whole traceback goes to stderr."""
    traceback.print_exc()
    text = "%s: %s" % (type(error).__name__, (str(error).strip().splitlines() or [""])[0][:300])
    if isinstance(error, Unsupported):
        return "unsupported", {"reason": error}
    if isinstance(error, MemoryError) or (framework is not None and framework.is_out_of_memory(error)):
        return "skipped", {"reason": text}
    if "CUDA error" in text:  # which stays with the process
        return "failed", {"reason": text, "last": "yes"}
    return "failed", {"reason": text}


def describe(*more: str) -> None:
    """What is installed here, without loading it."""
    names = ["framework %s %s" % found for found in installed().items()]
    say("hello", "protocol %d" % PROTOCOL, *names, "device none", *more)


def begin(choose: Choose, device: str, names: list[str]) -> Peer | None:
    """The peer; or None, after an answer with the reason."""
    peer = Peer(choose, device)
    told = []
    for name in names:
        try:
            framework = peer.load(name)
        except ImportError as error:
            say("skipped", reason="it cannot import %s: %s" % (name, error))
            return None
        except Exception as error:  # whatever a driver says
            word, values = explain(error)
            say("skipped" if word == "unsupported" else word, **values)
            return None
        told.append("framework %s %s" % (name, framework.version))
    say("hello", "protocol %d" % PROTOCOL, *told, device=peer.load(names[0]).device_name())
    return peer


@contextlib.contextmanager
def own_caches() -> Iterator[None]:
    """Compilers cache nothing from earlier processes, so that the first call shows the time of compilation. Not if a
    folder for the cache is set."""
    folder = tempfile.mkdtemp(prefix="assay_peer_")
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        os.environ.setdefault(name, os.path.join(folder, name.split("_")[0].lower()))
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def serve(make: Make, framework: str = "torch") -> None:
    """Answers requests for one script, whose steps use tensors of that framework."""
    device = sys.argv[1] if len(sys.argv) > 1 else "none"
    if device == "none":
        describe()
        return
    with own_caches():
        answer_all(begin(lambda case, word: (framework, make), device, [framework]))


def answer_all(peer: Peer | None) -> None:
    """Answers requests until there are no more; does nothing without a peer."""
    if peer is None:
        return
    for word, number, lines in requests():
        try:
            answer, values = peer.answer(word, lines)
        except Exception as error:  # one point's, not the process's
            answer, values = explain(error, peer.framework)
        say(answer, number=number, **values)
