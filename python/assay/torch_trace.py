"""Converts a recording of PyTorch's profiler to records for the harness (docs/peers.md)."""

from __future__ import annotations

import decimal
import json
import struct
from typing import IO, Any

from .job import Unsupported

# A record of a traced call, as the harness reads it: start and duration in ns, kind, blocks, threads of a block,
# registers of a thread, what joins a call with its launch, thread or stream, name.
RECORD = struct.Struct("=qq10i200s")
DEVICE = {"kernel": 0, "gpu_memcpy": 1, "gpu_memset": 2}
HOST = {"cpu_op": 3, "operator": 3, "cuda_runtime": 4, "cuda_driver": 4, "runtime": 4, "user_annotation": 5}
KINDS = {**DEVICE, **HOST}
BY_NEED = (5, 4, 3)  # of the host, where not all find room: ranges, then calls of CUDA, then operations

Record = tuple[Any, ...]


def place_of(event: dict[str, Any], kind: int) -> int:
    """The number of a call's thread, or of the stream of what it started."""
    place = event.get("tid") if kind in HOST.values() else event.get("args", {}).get("stream")
    return place & 0x7FFFFFFF if isinstance(place, int) else 0


def record_of(event: dict[str, Any]) -> Record:
    """One event of the profiler's file, which counts in microseconds."""
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


def keep(records: list[Record], most: int) -> tuple[list[Record], int]:
    """As many records as there is room for, those of the device first; and how many were left out."""
    kept = [r for r in records if r[2] in DEVICE.values()]
    if len(kept) > most:
        raise Unsupported("%d launches and copies of a call are more than the %d kept" % (len(kept), most))
    for kind in BY_NEED:
        more = [r for r in records if r[2] == kind]
        if len(kept) + len(more) > most:
            break
        kept += more
    return sorted(kept), len(records) - len(kept)


def read_records(file: IO[str]) -> list[Record]:
    """Records of host and device from a file of the profiler. Its times have more digits than a float can hold."""
    data = json.load(file, parse_float=decimal.Decimal)
    events = data["traceEvents"] if isinstance(data, dict) else data  # a list: built without what watches the device
    return sorted(record_of(e) for e in events
                  if e.get("ph") == "X" and str(e.get("cat")).lower() in KINDS and "dur" in e)
