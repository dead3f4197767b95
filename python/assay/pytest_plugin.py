"""A pytest plugin with the fixture assay_check, which fails with the verdict, its reason and the command to repeat it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .command import SKIPPED, Outcome, ProgramFailed, What, check


def assay_check(kernel: What, case: str | None = None, **more: Any) -> Outcome:
    """Checks a decorated function, or a file of them, on a case. Keywords: see assay.check."""
    __tracebackhide__ = True
    try:
        outcome = check(kernel, case, **more)
    except ProgramFailed as error:
        pytest.fail(str(error), pytrace=False)
    if outcome.failures:
        pytest.fail("\n".join(str(v) for v in outcome.failures), pytrace=False)
    if outcome.exit_status == SKIPPED:
        pytest.skip("; ".join(sorted({"%s: %s" % (v.verdict, v.reason) for v in outcome.verdicts})) or outcome.text.strip())
    if not outcome.passed:
        pytest.fail(outcome.text, pytrace=False)
    return outcome


@pytest.fixture(name="assay_check")
def fixture() -> Callable[..., Outcome]:
    """The function assay_check."""
    return assay_check
