"""Assay from Python: checks and times your own functions as variants of a case, and reads results as data frames.

    @assay.variant("softmax_row")      a function becomes a variant of a case
    assay.check(FILE or function)      checks it; assay.bench times it
    assay.read("results.db")           data frames by the names of the views

docs/python.md has all of it. Nothing but the standard library is imported here.
"""

from .command import Outcome, ProgramFailed, Verdict, bench, check, program
from .job import Job, Unsupported
from .results import Results, read
from .variants import variant

__all__ = ["Job", "Outcome", "ProgramFailed", "Results", "Unsupported", "Verdict", "bench", "check", "program", "read",
           "variant"]
