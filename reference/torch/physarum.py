"""Physarum with PyTorch's operations, eager and compiled, and with Triton kernels. docs/physarum.md has the models. Both
come from the article, and so do the order of the operations and the names of the parts.

Words: eager and compile (torch semantics), triton (triton semantics).
"""

from assay.peer import Unsupported, serve

import torch  # after assay.peer, which must take standard output first
import torch.nn.functional as F

TORCH, TRITON = 1, 2

# Names of the job's parameters and scalars, in the order of the case.
PARAMS = ("height", "width", "agents", "semantics", "blur", "start", "steps", "keeps_before")
SCALARS = ("step", "reach", "spread", "blend", "decay", "deposit")


class Model:
    def __init__(self, job):
        for name, value in zip(PARAMS, job.params):
            setattr(self, name, value)
        for name, value in zip(SCALARS, job.scalars):
            setattr(self, name, value)
        self.device = job.device
        side = self.blur
        self.mean = torch.full((1, 1, side, side), 1.0 / (side * side), device=job.device)
        for function in PARTS:
            setattr(self, function.__name__, named(job, function))

    def extents(self):
        return torch.tensor([self.height, self.width], device=self.device)

    def image(self, flat):
        return flat.view(1, 1, self.height, self.width)


def named(job, function):
    """The function as a part of a step, under its own name. A compiled step is one graph, which parts must not divide."""
    if job.word == "compile":
        return function

    def part(*arguments):
        with job.part(function.__name__):
            return function(*arguments)

    return part


# ---- torch semantics: parts with the names in the article's profile ----


def sense_compute_offsets(m, angle):
    ahead = torch.stack([torch.cos(angle), torch.sin(angle)], dim=1)
    left = torch.stack([torch.cos(angle + m.spread), torch.sin(angle + m.spread)], dim=1)
    right = torch.stack([torch.cos(angle - m.spread), torch.sin(angle - m.spread)], dim=1)
    return torch.stack([ahead, left, right], dim=1)


def sense_sample_points(m, pos, offsets):
    points = pos.unsqueeze(1) + offsets * m.reach
    return points % m.extents()


def sense_grid_sample(m, points, field):
    """Samples of the field, [3, agents]. The article views [agents, 3, 2] as [3, agents, 1, 2], which gives most agents
    the samples of other agents."""
    y = points[..., 0] / (m.height - 1) * 2 - 1
    x = points[..., 1] / (m.width - 1) * 2 - 1
    places = torch.stack([x, y], dim=-1).view(3, m.agents, 1, 2)
    return F.grid_sample(field.repeat(3, 1, 1, 1), places, align_corners=True).view(3, m.agents)


def step_sensing(m, pos, angle, field):
    offsets = m.sense_compute_offsets(m, angle)
    sampled = m.sense_grid_sample(m, m.sense_sample_points(m, pos, offsets), field)
    return torch.argmax(torch.stack(list(sampled), dim=0), dim=0)


def step_steering(m, best, angle):
    return torch.where(best == 1, angle + m.spread, torch.where(best == 2, angle - m.spread, angle))


def step_movement(m, pos, angle):
    pos = pos + torch.stack([torch.sin(angle) * m.step, torch.cos(angle) * m.step], dim=1)
    return pos % m.extents()


def step_deposition(m, pos, field):
    """The deposits go into `field` itself."""
    y = pos[:, 0].long().clamp(0, m.height - 1)
    x = pos[:, 1].long().clamp(0, m.width - 1)
    field[0, 0, y, x] += m.deposit


def step_diffusion(m, field):
    mean = F.conv2d(field, m.mean, padding=m.blur // 2)
    return ((1 - m.blend) * field + m.blend * mean) * (1 - m.decay)


def torch_step(m, pos, angle, field):
    """One step; the deposits go into `field` itself."""
    if m.agents > 0:
        angle = m.step_steering(m, m.step_sensing(m, pos, angle, field), angle)
        pos = m.step_movement(m, pos, angle)
        m.step_deposition(m, pos, field)
    return pos, angle, m.step_diffusion(m, field)


PARTS = (sense_compute_offsets, sense_sample_points, sense_grid_sample, step_sensing, step_steering, step_movement,
         step_deposition, step_diffusion)


# ---- triton semantics ----


def triton_step(m):
    """The step with the kernels of physarum_triton.py, which have names of their own; without a GPU there are none."""
    if m.device.type != "cuda":
        raise Unsupported("Triton kernels run on a GPU")
    try:
        import physarum_triton
    except ImportError as e:
        raise Unsupported("there is no Triton: %s" % e)

    def step(m, pos, angle, field):
        pos, angle = physarum_triton.move(m, pos, angle, field)
        physarum_triton.deposit(m, pos, field)
        return pos, angle, m.step_diffusion(m, field)

    return step


# ---- a job ----


def step_of(job, m):
    if job.word == "triton":
        if m.semantics != TRITON:
            raise Unsupported("for triton semantics only")
        return triton_step(m)
    if m.semantics != TORCH:
        raise Unsupported("for torch semantics only")
    if job.word == "compile":
        if not hasattr(torch, "compile"):
            raise Unsupported("torch %s has no compiler" % torch.__version__)
        torch._dynamo.reset()
        return torch.compile(torch_step, dynamic=False)
    if job.word == "eager":
        return torch_step
    raise Unsupported("the word '%s' is unknown" % job.word)


def run(job, m, step):
    """All steps of a call: the states after it and, on request, those before its last step. Deposits go into the field
    that was sensed, so the field is copied where the caller keeps it."""
    state = (job.inputs["pos"].view(-1, 2), job.inputs["angle"], m.image(job.inputs["field"]))
    for k in range(m.steps):
        is_kept = k == 0 or k + 1 == m.steps
        before = state
        field = state[2].clone() if is_kept else state[2]
        with job.part("simulation_step_%d" % k):
            state = step(m, state[0], state[1], field)
    names = ("pos", "angle", "field")
    outputs = {"new_" + name: part for name, part in zip(names, state)}
    if m.keeps_before:
        outputs.update({"before_" + name: part for name, part in zip(names, before)})
    return {name: part.reshape(-1) for name, part in outputs.items()}


def make(job):
    m = Model(job)
    step = step_of(job, m)
    return lambda: run(job, m, step)


if __name__ == "__main__":
    serve(make)
