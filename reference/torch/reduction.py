"""The sum of all elements in PyTorch, accumulated in single precision for every type. Words: eager, compile."""

from assay.peer import Unsupported, serve

import torch  # after assay.peer, which must take standard output first


def total(x):
    return x.sum(dtype=torch.float32)


def compiled(function):
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    torch._dynamo.reset()  # compiles for this point alone: nothing is left of earlier points
    return torch.compile(function, dynamic=False, fullgraph=True)


def make(job):
    if job.word not in ("eager", "compile"):
        raise Unsupported("the word '%s' is unknown" % job.word)
    whole = compiled(total) if job.word == "compile" else total
    x = job.inputs["x"]

    def step():
        with torch.no_grad():
            return {"sum": whole(x)}

    return step


if __name__ == "__main__":
    serve(make)
