"""embedding_bag by PyTorch's operator, and the gradient of the table by index_add_ in fp32: eager, and compiled.
docs/embedding_bag.md has the mathematics.

Words: eager, compile.
"""

from assay.peer import serve
from ops_peer import as_told, refuse_narrow_on_cpu

import torch
import torch.nn.functional as F

TYPE, IS_BACKWARD, IS_MEAN, BAGS, ROWS, DIM = range(6)  # parameters


def forward_step(job):
    mode, dim = ("mean" if job.params[IS_MEAN] else "sum"), job.params[DIM]
    table, indices, offsets = (job.inputs[name] for name in ("table", "indices", "offsets"))
    refuse_narrow_on_cpu(job, table)
    whole = as_told(job.word, lambda t, i, o: F.embedding_bag(i, t.view(-1, dim), o, mode=mode, include_last_offset=True))
    return lambda: {"y": whole(table, indices, offsets)}


def backward_step(job):
    rows, dim, is_mean = job.params[ROWS], job.params[DIM], job.params[IS_MEAN]

    def gradient(d_y, indices, offsets):
        lengths = offsets[1:] - offsets[:-1]
        wide = d_y.view(-1, dim).float()
        if is_mean:
            wide = wide / lengths.clamp(min=1)[:, None]
        of_index = torch.repeat_interleave(wide, lengths.long(), dim=0, output_size=indices.numel())
        return wide.new_zeros(rows, dim).index_add_(0, indices, of_index)

    whole = as_told(job.word, gradient)
    return lambda: {"d_table": whole(job.inputs["d_y"], job.inputs["indices"], job.inputs["offsets"])}


def make(job):
    return backward_step(job) if job.params[IS_BACKWARD] else forward_step(job)


if __name__ == "__main__":
    serve(make)
