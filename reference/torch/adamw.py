"""AdamW in PyTorch: by its operations, eager and compiled, with fp32 moments for every type of parameter; and by its own
optimizer, for fp32 only, since its moments have the type of the parameters. docs/adamw.md has the mathematics.

Words: eager, compile, optim.
"""

from assay.peer import Unsupported, serve
from ops_peer import as_told

import torch

TYPE, HAS_MASTER, N, OFFSET, STEPS, FIRST_STEP, STRIDE = range(7)  # parameters
LR, BETA1, BETA2, EPS, DECAY = range(5)  # scalars


class Job:
    """The elements that are updated in place: views that begin at the offset."""

    def __init__(self, job):
        self.job, self.n, self.offset = job, job.params[N], job.params[OFFSET]
        self.p, self.m, self.v = (self.view(name) for name in ("p", "m", "v"))
        self.master = self.view("master") if job.params[HAS_MASTER] else None
        self.outputs = {name: job.inputs[name] for name in ("p", "m", "v", "master")}

    def view(self, name):
        return self.job.inputs[name][self.offset:self.offset + self.n]

    def gradient(self, step):
        begin = step * self.job.params[STRIDE] + self.offset
        return self.job.inputs["g"][begin:begin + self.n]

    def rates(self, step):
        """The values that all elements share, in a tensor: plain numbers would be compiled into the program."""
        s, t = self.job.scalars, self.job.params[FIRST_STEP] + step
        values = (1 - s[LR] * s[DECAY], s[BETA1], 1 - s[BETA1], s[BETA2], 1 - s[BETA2],
                  s[LR] / (1 - s[BETA1] ** t), 1 / (1 - s[BETA2] ** t), s[EPS])
        return torch.tensor(values, dtype=torch.float32, device=self.job.device)


def advance(p, g, m, v, master, rates):
    keep, beta1, rest1, beta2, rest2, rate, scale2, eps = rates
    g = g.float()
    m.mul_(beta1).add_(rest1 * g)
    v.mul_(beta2).add_(rest2 * g * g)
    wide = p.float() if master is None else master
    moved = wide * keep - rate * (m / ((v * scale2).sqrt() + eps))
    p.copy_(moved)
    if master is not None:
        master.copy_(moved)


def formula(job):
    j = Job(job)
    whole = as_told(job.word, advance)
    rates = [j.rates(step) for step in range(job.params[STEPS])]

    def steps():
        for step, rate in enumerate(rates):
            whole(j.p, j.gradient(step), j.m, j.v, j.master, rate)
        return j.outputs

    return steps


def optimizer(job):
    """torch.optim.AdamW on the given moments, with its defaults. With fused=True its step on a GPU was WRONG_VALUE in
    fp32: docs/adamw.md."""
    j = Job(job)
    if j.p.dtype != torch.float32:
        raise Unsupported("torch.optim.AdamW keeps its moments in the type of the parameters")
    if j.n == 0:
        raise Unsupported("torch.optim.AdamW is not asked for no parameters")
    s = job.scalars
    parameter = torch.nn.Parameter(j.p, requires_grad=True)
    adamw = torch.optim.AdamW([parameter], lr=s[LR], betas=(s[BETA1], s[BETA2]), eps=s[EPS], weight_decay=s[DECAY])
    count = torch.zeros((), dtype=torch.float32)
    adamw.state[parameter] = {"step": count, "exp_avg": j.m, "exp_avg_sq": j.v}

    def steps():
        count.fill_(job.params[FIRST_STEP] - 1)
        for step in range(job.params[STEPS]):
            parameter.grad = j.gradient(step)
            adamw.step()
        return j.outputs

    return steps


def make(job):
    return optimizer(job) if job.word == "optim" else formula(job)


if __name__ == "__main__":
    serve(make)
