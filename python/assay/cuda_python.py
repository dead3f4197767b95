"""Arrays and events of cuda-python, for machines without PyTorch and CuPy."""

from __future__ import annotations

import ctypes
import importlib
import math
from typing import Any, Callable

from .frameworks import Framework
from .job import Unsupported

# By our names: bytes of an element, and how __cuda_array_interface__ calls it; bf16 and fp8 have no name there.
TYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "bf16": "<V2", "f8e4m3": "|V1", "f8e5m2": "|V1"}
TYPES.update({"%s%d" % (kind, 8 * size): "%s%s%d" % ("<" if size > 1 else "|", kind, size)
              for kind in "iu" for size in (1, 2, 4, 8)})


class DeviceArray:
    """Elements in device memory, for users of __cuda_array_interface__ (CuPy, Numba, PyTorch, CuTe DSL)."""

    def __init__(self, pointer: int, typestr: str, count: int, owner: Any):
        self.pointer, self.dtype, self.size, self.owner = pointer, typestr, count, owner

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": (self.size,), "typestr": self.dtype, "data": (self.pointer, False), "version": 3, "stream": 1}


class Memory:
    """Device memory that is freed with the last array on it."""

    def __init__(self, framework: CudaPython, n_bytes: int):
        self.framework = framework
        self.pointer = int(framework.call("cudaMalloc", max(1, n_bytes)))

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            self.framework.runtime.cudaFree(self.pointer)


class Event:
    """An event of a stream, destroyed with its last user."""

    def __init__(self, framework: CudaPython):
        self.framework = framework
        self.own = framework.call("cudaEventCreate")

    def __del__(self) -> None:
        if hasattr(self, "own"):
            self.framework.runtime.cudaEventDestroy(self.own)


class HostView:
    """Elements in the memory shared with the harness."""

    def __init__(self, arena: Any, count: int, offset: int):
        self.size = count
        self.pointer = ctypes.addressof(ctypes.c_char.from_buffer(arena, offset)) if count else 0


class CudaPython(Framework):
    name = "cuda"

    def __init__(self, device: str):
        super().__init__(device)
        self.runtime: Any = importlib.import_module("cuda.bindings.runtime")
        self.version = importlib.import_module("cuda.bindings").__version__
        if not self.is_gpu:
            raise Unsupported("cuda-python computes on a GPU alone")
        self.index = int(device.partition(":")[2] or 0)
        self.types = dict(TYPES)
        self.call("cudaSetDevice", self.index)

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the CUDA runtime and returns its one result. Errors of the runtime are sticky."""
        error, *results = getattr(self.runtime, name)(*arguments)
        if int(error) == int(self.runtime.cudaError_t.cudaErrorMemoryAllocation):
            raise MemoryError("%s: out of memory" % name)
        if int(error) != 0:
            raise RuntimeError("CUDA error: %s: %s" % (name, self.runtime.cudaGetErrorString(error)[1].decode()))
        return results[0] if results else None

    def device_name(self) -> str:
        name = self.call("cudaGetDeviceProperties", self.index).name
        return str(name.split(b"\0")[0].decode() if isinstance(name, bytes) else name)

    def wait(self) -> None:
        self.call("cudaDeviceSynchronize")

    def empty(self, kind: str, count: int) -> Any:
        typestr = self.type_of(kind)
        memory = Memory(self, count * int(typestr[2:]))
        return DeviceArray(memory.pointer, typestr, count, memory)

    def view(self, arena: Any, kind: str, count: int, offset: int) -> Any:
        return HostView(arena, count, offset)

    def copy(self, target: Any, source: Any) -> None:
        array = target if isinstance(source, HostView) else source
        n_bytes = array.size * int(array.dtype[2:])
        if n_bytes:
            self.call("cudaMemcpy", target.pointer, source.pointer, n_bytes,
                      self.runtime.cudaMemcpyKind.cudaMemcpyDefault)

    def is_own(self, thing: Any) -> bool:
        return isinstance(thing, DeviceArray)

    def adopt(self, thing: Any) -> Any:
        if self.is_own(thing):
            return thing
        about = getattr(thing, "__cuda_array_interface__", None)
        if about is None:
            raise TypeError("it has no __cuda_array_interface__, which is all that cuda-python reads")
        if about.get("strides") is not None:
            raise TypeError("its elements do not lie in a row")
        return DeviceArray(about["data"][0], about["typestr"], math.prod(about["shape"]), thing)

    def event(self) -> Event:
        return Event(self)

    def record(self, event: Event) -> None:
        self.call("cudaEventRecord", event.own, 0)

    def await_event(self, event: Event) -> None:
        self.call("cudaEventSynchronize", event.own)

    def elapsed_ns(self, before: Event, after: Event) -> float:
        return 1e6 * float(self.call("cudaEventElapsedTime", before.own, after.own))

    def flusher(self, n_bytes: int) -> Callable[[], Any]:
        memory = Memory(self, n_bytes)
        return lambda: self.call("cudaMemsetAsync", memory.pointer, 0, n_bytes, 0)
