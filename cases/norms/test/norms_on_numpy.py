"""The norms' Triton kernels on the CPU: the parts of Triton that they use and that triton_on_numpy lacks.

To run the script NAME.py of a peer with it, a file NAME.py has    from norms_on_numpy import serve_as; serve_as(NAME)
PYTHONPATH has this folder, that of triton_on_numpy and that of the peers.
"""

import importlib
import sys
import types

import numpy as np

import triton_on_numpy


class Pointer(triton_on_numpy.Pointer):
    """A pointer to the first element of a tensor of any shape."""

    def __init__(self, array, at=0):
        super().__init__(array.reshape(-1), at)
        self.dtype = types.SimpleNamespace(element_ty=array.dtype)


def total(x, axis):
    """The sum of a program's values, in single precision."""
    assert x.dtype == np.float32, "sums are of single precision"
    return triton_on_numpy.lanes(np.sum(np.asarray(x), axis=axis, dtype=np.float32)) if x.ndim > 1 else np.float32(
        np.sum(np.asarray(x), dtype=np.float32))


def next_power_of_2(n):
    return 1 << (n - 1).bit_length()


def install():
    triton_on_numpy.install()
    triton, language = sys.modules["triton"], sys.modules["triton.language"]
    triton.next_power_of_2 = next_power_of_2
    language.sum, language.sqrt = total, np.sqrt
    triton_on_numpy.Pointer = Pointer


def serve_as(name):
    """Serves the peer of a script, on any device."""
    del sys.path[0]  # the folder of the file with the script's name
    import norms_peer

    install()
    norms_peer.triton_kernels = lambda device: importlib.import_module("norms_triton")
    peer = importlib.import_module(name)
    sys.modules["assay.peer"].serve(peer.make)
