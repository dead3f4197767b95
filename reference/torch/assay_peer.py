"""The side of a peer: answers the harness line by line, computes with PyTorch, times with CUDA events.

A script of a case defines make(job), which returns a function without arguments: one whole step, from
the tensors in job.inputs to a dictionary of outputs by name. It then calls serve(make). The protocol is in
docs/peers.md. Started with the device "none" it says which torch there is, without loading it.
"""

import contextlib
import decimal
import gc
import json
import mmap
import os
import shutil
import stat
import struct
import sys
import tempfile
import time

ARENA_FD = 3

# The harness listens on a socket. Answers leave through a descriptor of their own: what libraries print
# goes to stderr, from the first import on.
ANSWERS = os.dup(1)
if stat.S_ISSOCK(os.fstat(1).st_mode):
    os.dup2(2, 1)


# A pool of compilers would take seconds to start, and disturb what is timed meanwhile.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")


# A record of a traced call, as the harness reads it: start and duration in ns, kind, blocks, threads of a block,
# registers of a thread, what joins a call with its launch, thread or stream, name.
RECORD = struct.Struct("=qq10i200s")
DEVICE = {"kernel": 0, "gpu_memcpy": 1, "gpu_memset": 2}
HOST = {"cpu_op": 3, "operator": 3, "cuda_runtime": 4, "cuda_driver": 4, "runtime": 4, "user_annotation": 5}
KINDS = {**DEVICE, **HOST}
BY_NEED = (5, 4, 3)  # of the host, where not all find room: ranges, then calls of CUDA, then operations

NO_PART = contextlib.nullcontext()


class Unsupported(Exception):
    """The peer does not do this; the text says what."""


class Job:
    """One point: what is to be computed, and the tensors that it starts from."""

    def __init__(self, device):
        self.device = device
        self.case = self.word = ""
        self.params, self.scalars = [], []
        self.buffers = {}  # name: (role, type, count, offset)
        self.arena_bytes = 0
        self.inputs = {}  # name: tensor on the device
        self.named = None  # what makes a range, while a call is recorded

    def wants(self, name):
        """Is it an output that has elements?"""
        return self.buffers.get(name, ("", "", 0, 0))[0] in ("out", "inout") and self.buffers[name][2] > 0

    def part(self, name):
        """A part of a step, for `with`: a range under this name where a call is recorded, and nothing elsewhere."""
        return self.named(name) if self.named else NO_PART


def say(word, **values):
    """Writes an answer; one to a request repeats its number."""
    lines = [word] + ["%s %s" % (name, " ".join(str(value).split())) for name, value in values.items()]
    data = ("\n".join(lines) + "\nend\n").encode("ascii", "replace")
    while data:
        data = data[os.write(ANSWERS, data):]


def requests():
    """Requests: word, number, and the lines between these and the closing one."""
    lines = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line == "end":
            word, number, *rest = lines
            yield word, number.split(" ")[1], rest
            lines = []
        else:
            lines.append(line)


def parse_job(lines, device):
    job = Job(device)
    for line in lines:
        word, *values = line.split(" ")
        if word in ("case", "word"):
            setattr(job, word, values[0])
        elif word == "params":
            job.params = [int(v) for v in values]
        elif word == "scalars":
            job.scalars = [float(v) for v in values]
        elif word == "buffer":
            name, role, kind, count, offset = values
            job.buffers[name] = (role, kind, int(count), int(offset))
        elif word == "arena":
            job.arena_bytes = int(values[0])
    return job


def place_of(event, kind):
    """The thread of a call, the stream of what it started."""
    place = event.get("tid") if kind in HOST.values() else event.get("args", {}).get("stream")
    return place & 0x7FFFFFFF if isinstance(place, int) else 0


def record_of(event):
    """One event of the profiler's file, in microseconds there."""
    kind = KINDS[event["cat"].lower()]
    arguments = event.get("args", {})
    name = str(event["name"])
    if kind == 1:  # "Memcpy DtoD (Device -> Device)"
        name = name.split(" (")[0].replace("Memcpy", "memcpy")
    elif kind == 2:
        name = "memset"
    name = "".join(c if " " <= c <= "~" else "?" for c in name) or "(unnamed)"
    extents = [int(v) for key in ("grid", "block") for v in arguments.get(key, (0, 0, 0))]
    registers = int(arguments.get("registers per thread", 0))
    joins = max(0, int(arguments.get("correlation", 0))) & 0x7FFFFFFF
    times = int(event["ts"] * 1000), int(event["dur"] * 1000)
    return *times, kind, *extents, registers, joins, place_of(event, kind), name.encode()[:199]


def keep(records, most):
    """As many as there is room for, all of the device's first; and how many were left out."""
    kept = [r for r in records if r[2] in DEVICE.values()]
    if len(kept) > most:
        raise Unsupported("%d launches and copies of a call are more than the %d kept" % (len(kept), most))
    for kind in BY_NEED:
        more = [r for r in records if r[2] == kind]
        if len(kept) + len(more) > most:
            break
        kept += more
    return sorted(kept), len(records) - len(kept)


def read_records(file):
    """What host and device did by a file of the profiler. Its times have more digits than a binary number holds."""
    data = json.load(file, parse_float=decimal.Decimal)
    events = data["traceEvents"] if isinstance(data, dict) else data  # a list: built without what watches the device
    return sorted(record_of(e) for e in events
                  if e.get("ph") == "X" and str(e.get("cat")).lower() in KINDS and "dur" in e)


class Peer:
    """One process: a device, and at most one job."""

    def __init__(self, torch, make, device):
        self.torch, self.make = torch, make
        self.device = torch.device(device)
        self.job = self.step = self.arena = self.flush = None
        self.types = {
            "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8, "i16": torch.int16, "u16": torch.int16,
            # Not in every release.
            "f8e4m3": getattr(torch, "float8_e4m3fn", None), "f8e5m2": getattr(torch, "float8_e5m2", None),
            "f32": torch.float32, "f64": torch.float64, "i32": torch.int32, "u32": torch.int32,
            "i64": torch.int64, "u64": torch.int64, "u8": torch.uint8,
        }
        # The arithmetic that the case asks for, on every card.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        if self.is_cuda:
            torch.cuda.set_device(self.device)
            torch.zeros(1, device=self.device)

    @property
    def is_cuda(self):
        return self.device.type == "cuda"

    def name(self):
        return self.torch.cuda.get_device_name(self.device) if self.is_cuda else "cpu"

    def wait(self):
        if self.is_cuda:
            self.torch.cuda.synchronize(self.device)

    # ---- data ----

    def shared(self, name):
        """The elements of a buffer where the harness put them."""
        _, kind, count, offset = self.job.buffers[name]
        if count == 0:
            return self.torch.empty(0, dtype=self.types[kind])
        return self.torch.frombuffer(self.arena, dtype=self.types[kind], count=count, offset=offset)

    def upload(self):
        for name, tensor in self.job.inputs.items():
            tensor.copy_(self.shared(name))

    def download(self, outputs):
        for name, (role, _, count, _) in self.job.buffers.items():
            if role not in ("out", "inout") or count == 0:
                continue
            self.shared(name).copy_(outputs[name].detach().reshape(-1))

    # ---- requests: each returns the word of its answer and what else that says ----

    def open(self, lines):
        self.close([])
        self.job = parse_job(lines, self.device)
        self.arena = mmap.mmap(ARENA_FD, self.job.arena_bytes)
        for name, (role, kind, count, _) in self.job.buffers.items():
            if role in ("in", "inout"):
                self.job.inputs[name] = self.torch.empty(count, dtype=self.types[kind], device=self.device)
        if self.is_cuda:
            self.torch.cuda.reset_peak_memory_stats(self.device)
        self.step = self.make(self.job)
        return "ready", {}

    def run(self, _):
        self.upload()
        self.wait()
        began_ns = time.perf_counter_ns()
        outputs = self.step()
        self.wait()
        took_ns = time.perf_counter_ns() - began_ns
        self.download(outputs)
        self.wait()
        return "done", {"took": max(1, took_ns)}

    def time(self, lines):
        if not self.is_cuda:
            raise Unsupported("a peer is timed on a GPU alone")
        about = dict(line.split(" ", 1) for line in lines)
        self.upload()
        self.torch.cuda.empty_cache()  # of what a cold block took to flush
        if about["regime"] == "cold":
            self.flush = self.torch.empty(2 * int(about["l2"]) + 1, dtype=self.torch.uint8, device=self.device)
        self.torch.cuda.reset_peak_memory_stats(self.device)
        warmup = self.repeat(0.2 * float(about["seconds"]), int(about["most"]))
        times = self.repeat(float(about["seconds"]), int(about["most"]))
        room = self.torch.frombuffer(self.arena, dtype=self.torch.float64, count=len(times), offset=int(about["at"]))
        room.copy_(self.torch.tensor(times, dtype=self.torch.float64))
        values = {"samples": len(times), "warmup": len(warmup)}
        if self.flush is None:  # which is none of the step's memory
            values["peak"] = self.torch.cuda.max_memory_allocated(self.device)
            values["fact max_memory_allocated"] = values["peak"]
            values["fact max_memory_reserved"] = self.torch.cuda.max_memory_reserved(self.device)
        self.flush = None
        return "timed", values

    def repeat(self, seconds, most):
        """Nanoseconds of each step, in time order: as many as fit into the time, at least 3."""
        _, each_ns = self.sample(3)
        times, _ = self.sample(max(3, min(most, int(seconds * 1e9 / each_ns))))
        return times

    def sample(self, n):
        """n steps with nothing waiting between them, each between two events; and the mean of all, with flushes."""
        def event():
            return self.torch.cuda.Event(enable_timing=True)

        pairs = [(event(), event()) for _ in range(n)]
        begin, end = event(), event()
        begin.record()
        for before, after in pairs:
            if self.flush is not None:
                self.flush.zero_()
            before.record()
            self.step()
            after.record()
        end.record()
        self.wait()
        return [1e6 * before.elapsed_time(after) for before, after in pairs], 1e6 * begin.elapsed_time(end) / n

    def trace(self, lines):
        if not self.is_cuda:
            raise Unsupported("operations on the CPU are no launches: a peer is traced on a GPU alone")
        about = dict(line.split(" ", 1) for line in lines)
        self.arena = mmap.mmap(ARENA_FD, int(about["arena"]))
        self.upload()
        if about["call"] == "first":
            # The profiler's own library is loaded, and nothing of the step's.
            self.profile(lambda: self.torch.zeros(1, device=self.device))
        records, n_left = keep(self.profile(self.step), int(about["most"]))
        if not any(record[2] in DEVICE.values() for record in records):
            raise Unsupported("the profiler of torch %s recorded nothing of the device" % self.torch.__version__)
        for i, record in enumerate(records):
            RECORD.pack_into(self.arena, int(about["at"]) + i * RECORD.size, *record)
        return "traced", {"records": len(records), "left": n_left}

    def profile(self, step):
        """The records of one step, host and device."""
        profiler = self.torch.profiler
        watched = [profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA]
        self.wait()
        self.job.named = profiler.record_function
        try:
            with profiler.profile(activities=watched) as recorded:
                step()
                self.wait()
        finally:
            self.job.named = None
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            recorded.export_chrome_trace(file.name)
            with open(file.name, encoding="utf-8", errors="replace") as text:
                return read_records(text)

    def close(self, _):
        self.job = self.step = self.flush = None
        self.arena = None
        if self.is_cuda:
            gc.collect()  # tensors in cycles, which closures and compiled functions make
            self.torch.cuda.empty_cache()
        return "closed", {}

    def answer(self, word, lines):
        requests = {"open": self.open, "run": self.run, "time": self.time, "trace": self.trace, "close": self.close}
        return requests[word](lines)


def is_out_of_memory(torch, error):
    kind = getattr(torch.cuda, "OutOfMemoryError", None)
    return isinstance(error, MemoryError) or (kind is not None and isinstance(error, kind))


def explain(torch, error):
    """The answer that says what went wrong, in one line; all of it on stderr."""
    import traceback

    traceback.print_exc()
    text = "%s: %s" % (type(error).__name__, (str(error).strip().splitlines() or [""])[0][:300])
    if isinstance(error, Unsupported):
        return "unsupported", {"reason": error}
    if is_out_of_memory(torch, error):
        return "skipped", {"reason": text}
    if "CUDA error" in text:  # which stays with the process
        return "failed", {"reason": text, "last": "yes"}
    return "failed", {"reason": text}


def describe():
    import importlib.metadata
    import importlib.util

    if importlib.util.find_spec("torch") is None:
        say("skipped", reason="it has no module torch")
    else:
        say("hello", torch=importlib.metadata.version("torch"), device="none")


def begin(make, device):
    """The peer, or None once it is said why there is none."""
    try:
        import torch
    except ImportError as error:
        say("skipped", reason="it cannot import torch: %s" % error)
        return None
    if device.startswith("cuda") and not torch.cuda.is_available():
        say("skipped", reason="torch %s has no CUDA device here" % torch.__version__)
        return None
    try:
        peer = Peer(torch, make, device)
    except Exception as error:  # whatever a driver says
        word, values = explain(torch, error)
        say(word, **values)
        return None
    say("hello", torch=torch.__version__, device=peer.name())
    return peer


def serve(make):
    device = sys.argv[1] if len(sys.argv) > 1 else "none"
    if device == "none":
        describe()
        return
    # What is compiled is compiled by this process, so that its first call says what that takes: nothing lies there
    # already, unless somebody has named a place.
    folder = tempfile.mkdtemp(prefix="assay_peer_")
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        os.environ.setdefault(name, os.path.join(folder, name.split("_")[0].lower()))
    try:
        answer_all(begin(make, device))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answer_all(peer):
    """Requests, until there are no more; nothing without a peer."""
    if peer is None:
        return
    for word, number, lines in requests():
        try:
            answer, values = peer.answer(word, lines)
        except Exception as error:  # one point's, not the process's
            answer, values = explain(peer.torch, error)
        say(answer, number=number, **values)


if __name__ == "__main__":
    serve(None)
