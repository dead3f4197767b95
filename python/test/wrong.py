"""Right and wrong functions for the case axpy (y[i] += a * x[i]): what each may do wrong stands in its name."""

import os
import signal
import sys

import numpy as np

import assay


def right(x, y, scalars):
    """One rounding, as by fma: a and x have 24 bits each, so that their product is exact in double."""
    return (y.astype("f8") + float(np.float32(scalars[0])) * x.astype("f8")).astype("f4")


def variant(function):
    return assay.variant("axpy")(function)


variant(right)


@variant
def in_place(x, y, scalars):
    y[:] = right(x, y, scalars)


@variant
def by_name(job):
    return {"y": right(job.inputs["x"], job.inputs["y"], job.scalars)}


@variant
def shaped(x, y, scalars, n):
    return (right(x, y, scalars).reshape(n, 1),)


@variant
def wrong_value(x, y, scalars):
    return y - np.float32(scalars[0]) * x


@variant
def not_finite(x, y, scalars):
    result = right(x, y, scalars)
    result[3:4] = np.nan
    return result


@variant
def wrong_count(x, y, scalars):
    return right(x, y, scalars)[:-1]


@variant
def wrong_type(x, y, scalars):
    return right(x, y, scalars).astype("f8")


@variant
def no_array(x):
    return "y"


@variant
def unknown_output(x, y, scalars):
    return {"z": right(x, y, scalars)}


@variant
def too_many(x, y):
    return x, y, x


@variant
def takes_what_is_not_there(x, stride):
    return x


@variant
def raises(x):
    raise RuntimeError("no such shape\nand more lines")


@variant
def refuses(x):
    raise assay.Unsupported("rows are too short")


@variant
def lacks_memory(x):
    raise MemoryError("64 GiB")


@assay.variant("axpy", time_limit_s=0.5)
def hangs(x):
    while True:
        pass


@variant
def changes_its_input(x, y, scalars):
    result = right(x, y, scalars)
    x += 1
    return result


@variant
def does_nothing(x, y):
    pass


@variant
def differs_from_call_to_call(x, y, scalars, calls=[]):
    calls.append(0)
    return right(x, y, scalars) + len(calls) - 1


@variant
def ends(x):
    sys.stderr.write("the disk is full\n")
    sys.stderr.flush()
    os._exit(3)


@variant
def is_killed(x):
    os.kill(os.getpid(), signal.SIGSEGV)


@variant
def prints(x, y, scalars):
    print("end\nfailed\nreason a line of an answer\nend")
    os.write(1, b"end\n")
    return right(x, y, scalars)


@assay.variant("softmax_row")
def writes_nothing(x, y):
    """y is an output alone, which it takes to write into it."""


@assay.variant("softmax_row")
def narrow(x, size, type):
    """The axes of a point are arguments."""
    assert len(size) == 3 and x.size == size[0] * size[1] and type == "f32"
    with np.errstate(invalid="ignore"):
        rows = x.reshape(size[:2]).astype("f8")
        most = rows.max(axis=1, keepdims=True, initial=-np.inf)
        power = np.exp(rows - np.where(np.isinf(most), 0, most))
        total = power.sum(axis=1, keepdims=True)
        return (power / np.where(total == 0, 1, total)).astype("f4")
