"""Scaled dot-product attention in PyTorch, by each of its backends, and by a Triton kernel. docs/attention_row.md has the
definition.

Words: torch_eager (the backend that PyTorch chooses; before 2.0 the definition by operations), torch_math,
torch_efficient, torch_flash (scaled_dot_product_attention with only that backend), torch_compile (the definition by
operations, compiled), triton.
"""

import contextlib
import importlib
import importlib.util

from assay.peer import Unsupported, serve
from thermo_peer import triton_kernels

import torch
import torch.nn.functional as functional

BACKENDS = {"torch_math": "MATH", "torch_efficient": "EFFICIENT_ATTENTION", "torch_flash": "FLASH_ATTENTION"}
VECTORS = ("q", "k", "v", "d_out")


class Problem:
    """Sizes, masks and the tensors of a job, [batch][heads][length][size]."""

    def __init__(self, job):
        _, self.batch, self.heads, self.n_q, self.n_k, self.size, causal, biased, backward = job.params[:9]
        self.is_causal, self.has_bias, self.has_backward = causal == 1, biased == 1, backward == 1
        self.scale = job.scalars[0]
        self.device = job.device
        shape = (self.batch, self.heads, -1, self.size)
        lengths = {"q": self.n_q, "k": self.n_k, "v": self.n_k, "d_out": self.n_q}
        self.given = {name: job.inputs[name].view(*shape[:2], lengths[name], self.size)
                      for name in VECTORS if name != "d_out" or self.has_backward}
        self.causal = self.causal_mask() if self.is_causal else None
        self.bias = job.inputs["bias"].view(self.batch, 1, 1, self.n_k) if self.has_bias else None

    def leaves(self):
        """q, k and v, with gradients if these are needed, in the same memory, which each run fills again."""
        return [self.given[name].detach().requires_grad_(self.has_backward) for name in VECTORS[:3]]

    def causal_mask(self):
        seen = torch.ones((1, 1, self.n_q, self.n_k), dtype=torch.bool, device=self.device).tril()
        return torch.zeros(seen.shape, device=self.device).masked_fill(~seen, float("-inf"))

    def mask(self):
        """The values added to scores, in fp32; None if there are none. Only the bias changes from run to run."""
        if self.bias is None:
            return self.causal
        every = torch.zeros((1, 1, self.n_q, self.n_k), device=self.device)
        return (every if self.causal is None else self.causal) + self.bias


def spelled_out(q, k, v, mask, scale):
    """The definition, in fp32; a row without a key is 0, and so is its gradient."""
    scores = torch.matmul(q.float(), k.float().transpose(-2, -1)) * scale
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        scores = scores + mask
        is_empty = (scores == float("-inf")).all(dim=-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(is_empty, 0.0), dim=-1).masked_fill(is_empty, 0.0)
    return torch.matmul(weights, v.float()).to(q.dtype)


# ---- PyTorch's own function ----


def held_to(word):
    """A context in which scaled_dot_product_attention uses only one backend."""
    if word not in BACKENDS:
        return contextlib.nullcontext()
    attention = importlib.import_module("torch.nn.attention")
    return attention.sdpa_kernel(getattr(attention.SDPBackend, BACKENDS[word]))


def own_function(p, word):
    """A function of q, k, v. Without a mask of keys, is_causal is passed to PyTorch, which can then skip tiles. With one,
    rows that see no key are given all keys and their results are set to 0: before 2.5 they would be NaN."""
    if p.bias is None:
        def attend(q, k, v):
            return functional.scaled_dot_product_attention(q, k, v, is_causal=p.is_causal)

        return attend

    def attend_masked(q, k, v):
        mask = p.mask()
        is_empty = (mask == float("-inf")).all(dim=-1, keepdim=True)
        mask = mask.masked_fill(is_empty, 0.0).expand(p.batch, p.heads, p.n_q, p.n_k).to(q.dtype)
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask).masked_fill(is_empty, 0.0)

    return attend_masked


def refuse_backend(p, word):
    """Refuses what a backend of scaled_dot_product_attention does not support."""
    if importlib.util.find_spec("torch.nn.attention") is None:
        raise Unsupported("torch %s has no torch.nn.attention" % torch.__version__)
    if word != "torch_math" and p.device.type != "cuda":
        raise Unsupported("%s runs on a GPU" % word)


def refuse_flash(p):
    if p.given["q"].dtype == torch.float32 or p.bias is not None:
        raise Unsupported("flash attention takes 16 bits and no mask of keys")
    if p.is_causal and p.n_q != p.n_k:
        raise Unsupported("flash attention has another causal mask where lengths differ")


def attention_of(p, word):
    """A function of q, k, v for one of PyTorch's backends."""
    has_own = hasattr(functional, "scaled_dot_product_attention")
    if word == "torch_flash":
        refuse_flash(p)
    if word in BACKENDS:
        refuse_backend(p, word)
    if word in BACKENDS or (word == "torch_eager" and has_own):
        return own_function(p, word)
    if word == "torch_compile":
        if not hasattr(torch, "compile"):
            raise Unsupported("torch %s has no torch.compile" % torch.__version__)
        torch._dynamo.reset()
        whole = torch.compile(spelled_out, dynamic=False, fullgraph=True)
    elif word == "torch_eager":
        whole = spelled_out
    else:
        raise Unsupported("the word '%s' is unknown" % word)
    return lambda q, k, v: whole(q, k, v, p.mask(), p.scale)


# ---- steps ----


def forward_step(p, word, attend):
    q, k, v = p.leaves()

    def step():
        with torch.no_grad(), held_to(word):
            return {"out": attend(q, k, v)}

    return step


def backward_step(p, word, attend):
    leaves = p.leaves()
    d_out = p.given["d_out"]

    def step():
        with held_to(word):
            out = attend(*leaves)
            gradients = torch.autograd.grad(out, leaves, d_out)
        return {"out": out, "d_q": gradients[0], "d_k": gradients[1], "d_v": gradients[2]}

    return step


def triton_step(p):
    if p.has_backward:
        raise Unsupported("the Triton kernel is of the forward pass")
    if p.size not in (64, 128):
        raise Unsupported("the Triton kernel has tiles for heads of 64 and 128")
    kernels = triton_kernels("attention_row_triton", p.device)
    q, k, v = p.leaves()
    return lambda: {"out": kernels.attend(q, k, v, p.bias, p.is_causal, p.scale)}


def make(job):
    p = Problem(job)
    if p.n_k == 0:
        raise Unsupported("without a key PyTorch has no softmax")
    if job.word == "triton":
        return triton_step(p)
    attend = attention_of(p, job.word)
    return backward_step(p, job.word, attend) if p.has_backward else forward_step(p, job.word, attend)


if __name__ == "__main__":
    serve(make)
