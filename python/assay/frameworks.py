"""The frameworks whose arrays a peer computes with and whose events time it: PyTorch, CuPy, cuda-python, or NumPy on the CPU.

Arrays of other frameworks (JAX, Numba, CuTe DSL, ...) are made of these, and taken back, by DLPack or
__cuda_array_interface__.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from typing import Any, Callable

from .job import Unsupported

# The module of each, and the distributions that may bring it.
DISTRIBUTIONS = {
    "torch": ("torch",), "triton": ("triton",), "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy"), "jax": ("jax",),
    "numba": ("numba-cuda", "numba"), "cutlass": ("nvidia-cutlass-dsl",), "cuda": ("cuda-python", "cuda-bindings"),
    "numpy": ("numpy",),
}


def version_of(module: str) -> str | None:
    """The version of an installed framework, without the seconds that loading takes; None: it is not installed."""
    if importlib.util.find_spec(module) is None:
        return None
    for name in DISTRIBUTIONS[module]:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    # Another package of that name, or one of the system without a record.
    return "unknown" if module != "cuda" else None


def installed() -> dict[str, str]:
    """The frameworks of this interpreter, by name."""
    found = {name: version_of(name) for name in DISTRIBUTIONS}
    return {name: version for name, version in found.items() if version is not None}


class Framework:
    """Arrays on one device and, on a GPU, the events that time operations on them."""

    name = ""

    def __init__(self, device: str):
        """Raises ImportError if it is not installed, Unsupported if it cannot use the device."""
        self.is_gpu = device.startswith("cuda")
        self.device: Any = device
        self.version = ""
        self.types: dict[str, Any] = {}

    def type_of(self, kind: str) -> Any:
        """The framework's element type for one of assay's."""
        own = self.types.get(kind)
        if own is None:
            raise Unsupported("%s %s has no %s" % (self.name, self.version, kind))
        return own

    def device_name(self) -> str:
        return "cpu"

    def wait(self) -> None:
        """Waits until the device has done all its work."""

    def empty(self, kind: str, count: int) -> Any:
        raise NotImplementedError

    def view(self, arena: Any, kind: str, count: int, offset: int) -> Any:
        """Elements in the memory shared with the harness."""
        raise NotImplementedError

    def copy(self, target: Any, source: Any) -> None:
        """Copies between device and view, element by element."""
        raise NotImplementedError

    def is_own(self, thing: Any) -> bool:
        raise NotImplementedError

    def adopt(self, thing: Any) -> Any:
        """The same elements as an array of this framework. Later work waits for pending writes to them.

        Nothing is copied: raises TypeError if they are not on its device."""
        raise NotImplementedError

    def elsewhere(self, where: object) -> TypeError:
        """The error for an array that would have to be copied within the time of a step."""
        return TypeError("it returned an array of %s: one of %s is wanted" % (where, self.device))

    def describe(self, array: Any) -> tuple[Any, int]:
        """Returns element type and count."""
        return array.dtype, int(array.size)

    def free(self) -> None:
        """Frees memory that is no longer used."""

    def is_out_of_memory(self, error: BaseException) -> bool:
        return isinstance(error, MemoryError)

    # ---- a clock ----

    def event(self) -> Any:
        raise NotImplementedError

    def record(self, event: Any) -> None:
        raise NotImplementedError

    def await_event(self, event: Any) -> None:
        raise NotImplementedError

    def elapsed_ns(self, before: Any, after: Any) -> float:
        raise NotImplementedError

    def flusher(self, n_bytes: int) -> Callable[[], Any]:
        """Returns a function that overwrites so many bytes of device memory."""
        raise NotImplementedError

    # ---- facts ----

    def forget_peak(self) -> None:
        """Starts to record peaks of memory."""

    def peaks(self) -> dict[str, int]:
        """Peak bytes of device memory since then, as the framework counts and names them; the first one is that of arrays."""
        return {}


class Numpy(Framework):
    name = "numpy"

    def __init__(self, device: str):
        super().__init__(device)
        self.np: Any = importlib.import_module("numpy")
        self.version = self.np.__version__
        if self.is_gpu:
            raise Unsupported("numpy computes on the CPU alone")
        self.types = numpy_types(self.np)

    def empty(self, kind: str, count: int) -> Any:
        return self.np.empty(count, dtype=self.type_of(kind))

    def view(self, arena: Any, kind: str, count: int, offset: int) -> Any:
        if count == 0:
            return self.empty(kind, 0)
        return self.np.frombuffer(arena, dtype=self.type_of(kind), count=count, offset=offset)

    def copy(self, target: Any, source: Any) -> None:
        self.np.copyto(target, source.reshape(-1))

    def is_own(self, thing: Any) -> bool:
        return isinstance(thing, self.np.ndarray)

    def adopt(self, thing: Any) -> Any:
        if not self.is_own(thing) and not hasattr(thing, "__array__") and hasattr(thing, "__dlpack__"):
            return self.np.from_dlpack(thing)
        return self.np.asarray(thing)


def numpy_types(np: Any) -> dict[str, Any]:
    types = {"f16": "float16", "f32": "float32", "f64": "float64"}
    types.update({"%s%d" % (kind[0], bits): "%s%d" % (kind, bits) for kind in ("int", "uint") for bits in (8, 16, 32, 64)})
    found = {ours: np.dtype(name) for ours, name in types.items()}
    try:
        more = importlib.import_module("ml_dtypes")
    except ImportError:
        return found
    names = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
    return {**found, **{ours: np.dtype(getattr(more, name)) for ours, name in names.items()}}


class Torch(Framework):
    name = "torch"

    def __init__(self, device: str):
        super().__init__(device)
        self.torch: Any = importlib.import_module("torch")
        torch = self.torch
        self.version = torch.__version__
        if self.is_gpu and not torch.cuda.is_available():
            raise Unsupported("torch %s has no CUDA device here" % self.version)
        self.device = torch.device(device)
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
        if self.is_gpu:
            torch.cuda.set_device(self.device)
            torch.zeros(1, device=self.device)

    def device_name(self) -> str:
        return str(self.torch.cuda.get_device_name(self.device)) if self.is_gpu else "cpu"

    def wait(self) -> None:
        if self.is_gpu:
            self.torch.cuda.synchronize(self.device)

    def empty(self, kind: str, count: int) -> Any:
        return self.torch.empty(count, dtype=self.type_of(kind), device=self.device)

    def view(self, arena: Any, kind: str, count: int, offset: int) -> Any:
        if count == 0:
            return self.torch.empty(0, dtype=self.type_of(kind))
        return self.torch.frombuffer(arena, dtype=self.type_of(kind), count=count, offset=offset)

    def copy(self, target: Any, source: Any) -> None:
        target.copy_(source.detach().reshape(-1))

    def is_own(self, thing: Any) -> bool:
        return isinstance(thing, self.torch.Tensor)

    def adopt(self, thing: Any) -> Any:
        array = thing
        if not self.is_own(thing) and hasattr(thing, "__dlpack__"):
            array = self.torch.from_dlpack(thing)
        elif not self.is_own(thing):
            array = self.torch.as_tensor(thing, device=self.device if hasattr(thing, "__cuda_array_interface__") else None)
        if (array.device.type, array.device.index or 0) != (self.device.type, self.device.index or 0):
            raise self.elsewhere(array.device)
        return array

    def describe(self, array: Any) -> tuple[Any, int]:
        return array.dtype, int(array.numel())

    def free(self) -> None:
        if self.is_gpu:
            self.torch.cuda.empty_cache()

    def is_out_of_memory(self, error: BaseException) -> bool:
        kind = getattr(self.torch.cuda, "OutOfMemoryError", None)
        return isinstance(error, MemoryError) or (kind is not None and isinstance(error, kind))

    def event(self) -> Any:
        return self.torch.cuda.Event(enable_timing=True)

    def record(self, event: Any) -> None:
        event.record()

    def await_event(self, event: Any) -> None:
        event.synchronize()

    def elapsed_ns(self, before: Any, after: Any) -> float:
        return 1e6 * float(before.elapsed_time(after))

    def flusher(self, n_bytes: int) -> Callable[[], Any]:
        block = self.torch.empty(n_bytes, dtype=self.torch.uint8, device=self.device)
        return lambda: block.zero_()

    def forget_peak(self) -> None:
        if self.is_gpu:
            self.torch.cuda.reset_peak_memory_stats(self.device)

    def peaks(self) -> dict[str, int]:
        return {name: getattr(self.torch.cuda, name)(self.device)
                for name in ("max_memory_allocated", "max_memory_reserved")}


class Cupy(Framework):
    name = "cupy"

    def __init__(self, device: str):
        super().__init__(device)
        self.cupy: Any = importlib.import_module("cupy")
        self.np: Any = importlib.import_module("numpy")
        self.version = self.cupy.__version__
        if not self.is_gpu:
            raise Unsupported("cupy computes on a GPU alone")
        self.index = int(device.partition(":")[2] or 0)
        self.cupy.cuda.Device(self.index).use()
        self.types = numpy_types(self.np)

    def device_name(self) -> str:
        return str(self.cupy.cuda.runtime.getDeviceProperties(self.index)["name"].decode())

    def wait(self) -> None:
        self.cupy.cuda.Device(self.index).synchronize()

    def empty(self, kind: str, count: int) -> Any:
        return self.cupy.empty(count, dtype=self.type_of(kind))

    def view(self, arena: Any, kind: str, count: int, offset: int) -> Any:
        if count == 0:
            return self.np.empty(0, dtype=self.type_of(kind))
        return self.np.frombuffer(arena, dtype=self.type_of(kind), count=count, offset=offset)

    def copy(self, target: Any, source: Any) -> None:
        if isinstance(target, self.np.ndarray):
            self.np.copyto(target, self.cupy.asnumpy(source).reshape(-1))
        else:
            target.set(source)

    def is_own(self, thing: Any) -> bool:
        return isinstance(thing, self.cupy.ndarray)

    def adopt(self, thing: Any) -> Any:
        array = thing
        if not self.is_own(thing):
            if isinstance(thing, self.np.ndarray) or not any(
                    hasattr(thing, name) for name in ("__dlpack__", "__cuda_array_interface__")):
                raise self.elsewhere("the CPU")
            array = self.cupy.from_dlpack(thing) if hasattr(thing, "__dlpack__") else self.cupy.asarray(thing)
        if array.device.id != self.index:
            raise self.elsewhere("cuda:%d" % array.device.id)
        return array

    def free(self) -> None:
        self.cupy.get_default_memory_pool().free_all_blocks()

    def is_out_of_memory(self, error: BaseException) -> bool:
        return isinstance(error, (MemoryError, self.cupy.cuda.memory.OutOfMemoryError))

    def event(self) -> Any:
        return self.cupy.cuda.Event()

    def record(self, event: Any) -> None:
        event.record()

    def await_event(self, event: Any) -> None:
        event.synchronize()

    def elapsed_ns(self, before: Any, after: Any) -> float:
        return 1e6 * float(self.cupy.cuda.get_elapsed_time(before, after))

    def flusher(self, n_bytes: int) -> Callable[[], Any]:
        block = self.cupy.empty(n_bytes, dtype=self.np.uint8)
        return lambda: block.fill(0)


def first_here(device: str) -> str:
    """The framework for a variant that names none: on the CPU the lightest one, on a GPU the first that is installed."""
    names = ("torch", "cupy", "cuda") if device.startswith("cuda") else ("numpy", "torch")
    for name in names:
        if version_of(name) is not None:
            return name
    raise ImportError("none of %s is installed" % ", ".join(names))
