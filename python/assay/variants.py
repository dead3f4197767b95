"""@assay.variant: makes a function a variant of a case. Also the process that serves the variants of a file."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import zlib
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any, Callable, TypeVar

from . import peer
from .frameworks import Framework, first_here
from .job import Job, Unsupported

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_S = 86400  # of a limit: as in harness/peer/peer_variants.c
MODULE = "assay_variants_of_file"  # what a served file is called while it is imported


@dataclass(frozen=True)
class Variant:
    """The declaration of one decorator."""

    case: str
    name: str
    function: Callable[..., Any]
    file: str
    arrays: str | None  # the framework whose arrays it gets; None: of the one that its file imports
    baseline: str | None  # the variant that its speed-up is against
    time_limit_s: float  # for each answer; 0: the harness's own

    def line(self) -> str:
        """The line for it in the answer to `hello`."""
        return "variant %s %s %s %.9g" % (self.case, self.name, self.baseline or "-", self.time_limit_s)


declared: list[Variant] = []  # in the order of their decorators


def variant(case: str, *, name: str | None = None, arrays: str | None = None, baseline: str | None = None,
            time_limit_s: float = 0) -> Callable[[Function], Function]:
    """Makes a function a variant of a case, under the name of the function unless another is given.

    It is called with what its parameters name: buffers of the case (an input: a flat array of the device; an output: such an
    array to write into), axes (a number, extents, a word), `params`, `scalars`, `job`. It returns the outputs that it
    was not given: one array, several in the order of the case, or a dictionary by name. docs/python.md has all of it.
    """

    # Where the decorator stands: a function may be another library's object.
    file = os.path.realpath(sys._getframe(1).f_code.co_filename)

    def declare(function: Function) -> Function:
        own = str(name or getattr(function, "__name__", ""))
        for text in (case, own, *([] if baseline is None else [baseline])):
            if not text.replace("_", "").isalnum() or not text.isascii():
                raise ValueError("'%s': a name has letters, digits and _ alone" % text)
        if not 0 <= time_limit_s <= MOST_S:
            raise ValueError("'%s': time_limit_s is %r: seconds, at most %d" % (own, time_limit_s, MOST_S))
        declared.append(Variant(case, own, function, file, arrays, baseline, time_limit_s))
        return function

    return declare


def of(function: Callable[..., Any]) -> list[Variant]:
    """The declarations of a function's decorators."""
    return [v for v in declared if v.function is function]


# ---- a call ----


def arguments_of(job: Job, function: Callable[..., Any], framework: Framework) -> dict[str, Any]:
    """The arrays by parameter; outputs among them are made."""
    known: dict[str, Any] = {"job": job, "params": job.params, "scalars": job.scalars, **job.axes, **job.inputs}
    outputs = {name: buffer for name, buffer in job.buffers.items() if buffer.role == "out"}
    found: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in job.inputs or (name in known and name not in outputs):
            found[name] = known[name]
        elif name in outputs:
            found[name] = job.written[name] = framework.empty(outputs[name].type, outputs[name].n)
        elif parameter.default is parameter.empty:
            raise TypeError("it takes '%s': there are %s" % (name, ", ".join(sorted({*known, *outputs}))))
    return found


class Outputs:
    """Takes what a call returns as the outputs of its case. An error if number, count or element type are wrong."""

    def __init__(self, job: Job, framework: Framework):
        self.job, self.framework = job, framework
        self.wanted = [name for name, buffer in job.buffers.items() if buffer.role in ("out", "inout")]

    def named(self, result: Any) -> dict[str, Any]:
        """What was returned, by output name."""
        if result is None:
            return {}
        if isinstance(result, dict):
            unknown = [str(name) for name in result if name not in self.wanted]
            if unknown:
                raise TypeError("it returned '%s', which is not an output: %s" % (unknown[0], ", ".join(self.wanted)))
            return result
        left = [name for name in self.wanted if name not in self.job.written]
        values = result if isinstance(result, (tuple, list)) else (result,)
        # Outputs that are inputs as well may have been changed in place.
        for names in (left, [name for name in left if self.job.buffers[name].role == "out"]):
            if len(values) == len(names):
                return dict(zip(names, values))
        raise TypeError("it returned %d arrays: the outputs are %s" % (len(values), ", ".join(left) or "given to it"))

    def take(self, result: Any) -> dict[str, Any]:
        named = {**{n: self.job.inputs[n] for n in self.wanted if n in self.job.inputs}, **self.job.written,
                 **self.named(result)}
        missing = [name for name in self.wanted if name not in named]
        if missing:
            raise TypeError("it returned no '%s', and does not take it to write into it" % missing[0])
        return {name: self.fit(name, named[name]) for name in self.wanted}

    def fit(self, name: str, thing: Any) -> Any:
        buffer, framework = self.job.buffers[name], self.framework
        if not framework.is_own(thing):
            self.job.is_foreign = True
        array = framework.adopt(thing)
        found = framework.describe(array)
        wanted = framework.type_of(buffer.type), buffer.n
        if found != wanted:
            raise TypeError("'%s' has %d elements of %s: %d of %s are wanted" % (name, found[1], found[0], *reversed(wanted)))
        return array


def make_step(job: Job, own: Variant, framework: Framework) -> peer.Step:
    """Makes one whole step of it."""
    arguments = arguments_of(job, own.function, framework)
    outputs = Outputs(job, framework)
    return lambda: outputs.take(own.function(**arguments))


# ---- the process ----


def digest_of(content: bytes) -> str:
    """The digest of a file, computed as the harness does (harness/peer/peer_variants.c)."""
    return "%08x-%d" % (zlib.crc32(content), len(content))


def load(file: str, digest: str) -> ModuleType:
    """Imports a file as if it were run, but not under the name __main__, and only if it has not changed since the run began."""
    sys.path.insert(0, os.path.dirname(file))
    spec = importlib.util.spec_from_file_location(MODULE, file)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise ImportError("%s is no Python file" % file)
    content = spec.loader.get_data(file)
    if digest_of(content) != digest:
        raise Unsupported("%s has changed since the run began" % file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    exec(spec.loader.source_to_code(content, file), module.__dict__)
    return module


def variants_of(file: str, digest: str) -> list[Variant]:
    """The variants that a file itself declares; others may come from modules that it imports."""
    load(file, digest)
    found = [v for v in declared if v.file == os.path.realpath(file)]
    if not found:
        raise Unsupported("it declares no @assay.variant")
    return found


def arrays_of(own: Variant, device: str) -> str:
    """The framework of its arrays: the one it asks for, else one that its file imports, else one that is installed."""
    if own.arrays:
        return own.arrays
    for name in ("torch", "cupy"):
        if name in sys.modules and not (name == "cupy" and device == "cpu"):
            return name
    return first_here(device)


def serve_file() -> None:
    """The program assay_variants.py: DEVICE FILE DIGEST. With the device "none" it lists the variants of the file, if any."""
    device, *served = sys.argv[1:]
    if device == "none" and not served:
        peer.describe()
        return
    try:
        found = variants_of(*served)
    except Exception as error:
        word, values = peer.explain(error)
        peer.say("failed" if word == "unsupported" else word, **values)
        return
    if device == "none":
        peer.describe(*(v.line() for v in found))
        return
    by_name = {(v.case, v.name): v for v in found}
    # Before any framework is loaded: what the file itself has imported.
    arrays = {key: arrays_of(v, device) for key, v in by_name.items()}
    with peer.own_caches():
        serving: list[peer.Peer | None] = []

        def choose(case: str, word: str) -> tuple[str, peer.Make]:
            own = by_name.get((case, word))
            if own is None:
                raise Unsupported("the file declares no variant '%s' of %s" % (word, case))
            name = arrays[case, word]

            def make(job: Job) -> peer.Step:
                assert own is not None and serving[0] is not None
                return make_step(job, own, serving[0].load(name))

            return name, make

        serving.append(peer.begin(choose, device, list(dict.fromkeys(arrays.values()))))
        peer.answer_all(serving[0])
