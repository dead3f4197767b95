"""What the peers of linear algebra share: matrices stored by columns, and how a function is run."""

from assay.peer import Unsupported

import torch  # after assay.peer, which must take standard output first


def matrices(flat, batch, rows, columns):
    """A view of matrices that are stored by columns, one after another."""
    return flat.view(batch, columns, rows).transpose(-2, -1)


def by_columns(matrix):
    """The elements of matrices, stored by columns."""
    return matrix.transpose(-2, -1).flatten()


def way_of(word, function):
    """The function for this word: as it is, or compiled."""
    if word == "eager":
        return function
    if word != "compile":
        raise Unsupported("the word '%s' is unknown" % word)
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no compiler" % torch.__version__)
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False)
