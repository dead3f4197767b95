"""Runs the program `assay` from Python: checks and times the variants of a file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from . import variants
from .results import read

Value = Union[int, str, tuple[int, ...]]  # the extents of a grid are a tuple, as a function gets them
AxisValue = Union[Value, Iterable[Value]]
What = Union[str, "os.PathLike[str]", Callable[..., Any]]

SKIPPED = 77


@dataclass(frozen=True)
class Verdict:
    """The result at one point."""

    key: str
    verdict: str
    reason: str
    outcome: str  # passed, failed, skipped, ...: as in the view `verdicts`
    replay: str | None  # the command line that repeats it, of one that failed

    def __str__(self) -> str:
        text = "%s: %s" % (self.key, self.verdict)
        text += ": %s" % self.reason if self.reason else ""
        return text + ("\n    %s" % self.replay if self.replay else "")


@dataclass(frozen=True)
class Outcome:
    """The result of a run."""

    exit_status: int
    verdicts: list[Verdict]
    times: list[dict[str, Any]] = field(default_factory=list)  # rows of the view `deciding`
    comparisons: list[dict[str, Any]] = field(default_factory=list)  # rows of the view `speedup`
    text: str = ""  # what the program said

    @property
    def passed(self) -> bool:
        """Did at least one check run, and did all pass?"""
        return self.exit_status == 0

    @property
    def failures(self) -> list[Verdict]:
        return [v for v in self.verdicts if v.outcome == "failed"]

    def __str__(self) -> str:
        return "\n".join(str(v) for v in self.failures or self.verdicts) or self.text


class ProgramFailed(RuntimeError):
    """The program failed; its sentence is the text."""


def program() -> str:
    """The path of `assay`: $ASSAY_PROGRAM, else the one installed with this package, else the one in PATH."""
    own = os.environ.get("ASSAY_PROGRAM")
    packaged = Path(__file__).parent / "bin" / "assay"
    found = own or (str(packaged) if packaged.exists() else shutil.which("assay"))
    if not found:
        raise ProgramFailed("there is no program assay: not in the package, not in PATH (ASSAY_PROGRAM can name it)")
    return found


def environment() -> dict[str, str]:
    """Peers are run by this Python, unless $ASSAY_PYTHON names another one."""
    return {"ASSAY_PYTHON": sys.executable, **os.environ}


def main() -> None:
    """The console script `assay`."""
    path = program()
    os.execve(path, [path, *sys.argv[1:]], environment())


def words_of(what: What, case: str | None) -> list[str]:
    """The options that name the variants of a file, or those of one function."""
    if not callable(what):
        return ["--script", os.fspath(what)] + ([case] if case else [])
    found = [v for v in variants.of(what) if case in (None, v.case)]
    if not found:
        which = "" if case is None else " of '%s'" % case
        raise ValueError("%s is no variant%s: decorate it with @assay.variant(CASE)" % (getattr(what, "__name__", what), which))
    words = ["--script", found[0].file]
    for own in found:
        words += [own.case, "--variant", own.name]
    return words


def text_of(value: Value) -> str:
    """Writes a value as an option has it."""
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def axis_words(axes: Mapping[str, AxisValue] | None) -> list[str]:
    words = []
    for name, values in (axes or {}).items():
        listed = [values] if isinstance(values, (int, str, tuple)) else list(values)
        words += ["--axis", "%s=%s" % (name, ",".join(map(text_of, listed)))]
    return words


def runs_of(database: str) -> dict[str, int]:
    """The number of each run in the file, by its uuid, which is the same in every file."""
    if not os.path.exists(database) or os.path.getsize(database) == 0:
        return {}
    return {row["uuid"]: row["run_id"] for row in read(database).rows("run")}


def read_verdicts(path: str, database: str, run_id: int) -> list[Verdict]:
    report = subprocess.run([path, "report", "--db", database, "--run", str(run_id), "--format", "json"], env=environment(),
                            text=True, capture_output=True, check=False)
    if report.returncode:
        raise ProgramFailed(report.stderr.strip())
    return [Verdict(p["key"], p["verdict"] or "", p["reason"] or "", p["outcome"], p["replay"])
            for p in json.loads(report.stdout)["points"]]


def run(command: str, what: What, case: str | None = None, *, axes: Mapping[str, AxisValue] | None = None,
        device: str | None = None, seed: int | str | None = None, tier: str | None = None, db: str | None = None,
        options: Iterable[str] = ()) -> Outcome:
    """Runs the program on the variants of a file, or of one decorated function."""
    path = program()
    words = [command, *words_of(what, case), *axis_words(axes)]
    for name, value in (("device", device), ("seed", seed), ("tier", tier)):
        words += ["--%s" % name, str(value)] if value is not None else []
    with tempfile.TemporaryDirectory(prefix="assay_") as folder:
        database = db or os.path.join(folder, "results.db")
        before = runs_of(database)
        done = subprocess.run([path, *words, *options, "--db", database], env=environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        new = [run_id for uuid, run_id in runs_of(database).items() if uuid not in before]
        if not new:
            if done.returncode == SKIPPED:
                return Outcome(SKIPPED, [], text=done.stdout)
            raise ProgramFailed(done.stdout.strip())
        results, run_id = read(database), max(new)
        own = {name: [row for row in results.rows(name) if row["run_id"] == run_id] for name in ("deciding", "speedup")}
        return Outcome(done.returncode, read_verdicts(path, database, run_id), own["deciding"], own["speedup"], done.stdout)


def check(what: What, case: str | None = None, **more: Any) -> Outcome:
    """Checks the variants of a file, or of one decorated function, as `assay check` does. Keywords: see `run`."""
    return run("check", what, case, **more)


def bench(what: What, case: str | None = None, **more: Any) -> Outcome:
    """Checks them and times those that pass, as `assay bench` does. Peers are timed only on a GPU."""
    return run("bench", what, case, **more)
