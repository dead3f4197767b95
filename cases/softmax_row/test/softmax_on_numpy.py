"""The peer of softmax_row with its Triton kernel on the CPU, using the stand-in for Triton of the thermo cases. What the
kernel needs besides is here: reductions over a block. PYTHONPATH has this folder, that of the stand-in and that of the
peers; a file softmax_row.py calls serve()."""

import importlib
import sys

import numpy as np

import triton_on_numpy


def reduced(operation):
    """A reduction over all lanes, in single precision."""
    def reduce(lanes, axis):
        assert axis == 0
        return triton_on_numpy.lanes(operation(np.asarray(lanes), dtype=np.float32))

    return reduce


def install():
    triton_on_numpy.install()
    triton, language = sys.modules["triton"], sys.modules["triton.language"]
    triton.next_power_of_2 = lambda n: 1 << (n - 1).bit_length()
    language.exp = np.exp
    language.sum = reduced(np.add.reduce)
    language.max = reduced(np.maximum.reduce)
    language.broadcast_to = lambda x, shape: triton_on_numpy.lanes(np.broadcast_to(np.float32(x), shape))


def serve_as(name):
    """Serves the peer of a script, on any device."""
    del sys.path[0]  # the folder of the file with the script's name
    install()
    peer = importlib.import_module(name)
    peer.is_on_gpu = lambda job: True
    sys.modules["assay.peer"].serve(peer.make)
