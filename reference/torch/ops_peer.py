"""What the peers of the cases on operators share: eager or compiled, as the word says."""

from assay.peer import Unsupported

import torch  # after assay.peer, which must take standard output first


def as_told(word, function):
    """The function as it is, or compiled for this point alone: nothing is left of earlier points."""
    if word not in ("eager", "compile"):
        raise Unsupported("the word '%s' is unknown" % word)
    if word == "eager":
        return function
    if not hasattr(torch, "compile"):
        raise Unsupported("torch %s has no torch.compile" % torch.__version__)
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False, fullgraph=True)


def refuse_narrow_on_cpu(job, tensor):
    """Before version 2, operations on the CPU have no fp16, or compute every step in bf16."""
    if job.device.type == "cpu" and tensor.dtype != torch.float32:
        raise Unsupported("torch on the CPU is asked for fp32 alone")
