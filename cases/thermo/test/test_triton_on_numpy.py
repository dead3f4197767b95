"""Does the stand-in for Triton refuse what NumPy accepts, but a GPU or Triton's compiler does not? Prints OK if so."""

import numpy as np

import triton_on_numpy

triton_on_numpy.install()

import triton.language as tl

LANES = 4
PLAIN = 3.0
KNOWN = tl.constexpr(3.0)


class Array:
    """A stand-in for a tensor."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)

    def numpy(self):
        return self.values


def lane():
    return tl.arange(0, 4)


def copy(source, target, shift):
    tl.store(target + lane(), tl.load(source + (lane() + shift), mask=lane() < 2), mask=lane() < 2)


def cast(source, target, shift):
    tl.store(target + lane(), tl.load(source + lane(), mask=lane() < 4).to(tl.int32), mask=lane() < 4)


def divide(source, target, shift):
    tl.store(target + lane(), (lane() + shift) % 3 + (lane() + shift) // 3, mask=lane() < 4)


def scale(source, target, shift):
    tl.store(target + lane(), KNOWN * tl.load(source + lane(), mask=lane() < 4), mask=lane() < 4)


def scale_by_plain(source, target, shift):
    tl.store(target + lane(), PLAIN * tl.load(source + lane(), mask=lane() < 4), mask=lane() < 4)


def result(kernel, values, shift=0):
    """Returns the contents of the target, or the message of the refusal."""
    target = Array([0] * LANES)
    try:
        triton_on_numpy.Kernel(kernel)[(1,)](Array(values), target, shift)
    except (AssertionError, IndexError) as error:
        return str(error)
    return target.values.tolist()


def product(a, b, precision):
    try:
        return tl.dot(np.asarray(a), np.asarray(b), input_precision=precision).tolist()
    except AssertionError as error:
        return str(error)


def refused(value):
    try:
        tl.constexpr(value)
    except AssertionError as error:
        return str(error)
    return ""


assert result(copy, [1, 2, 3, 4], 2) == [3, 4, 0, 0]
assert result(copy, [1, 2, 3, 4], -1) == "before an array"
assert "out of bounds" in result(copy, [1, 2, 3, 4], 3)
assert result(cast, [0, -1.5, 2.5, 3]) == [0, -1, 2, 3]
assert "any integer" in result(cast, [0, float("nan"), 2, 3])
assert "any integer" in result(cast, [0, 2.0**31, 2, 3])
assert result(divide, [0] * 4, 3) == [1, 2, 3, 2]
assert "as in C" in result(divide, [0] * 4, -1)
assert result(scale, [1, 2, 3, 4]) == [3, 6, 9, 12]
assert "constexpr" in result(scale_by_plain, [1, 2, 3, 4])
assert "NaN" in refused(float("nan"))
SQUARE = np.asarray([[1, 2], [3, 4]], dtype=np.float32)
assert product(SQUARE, SQUARE, "ieee") == [[7, 10], [15, 22]]
assert "TF32" in product(SQUARE, SQUARE, "tf32")
assert "one type" in product(SQUARE, SQUARE.astype(np.float16), "ieee")
print("OK")
