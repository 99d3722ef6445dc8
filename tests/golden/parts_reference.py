#!/usr/bin/env python3
"""Writes parts.safetensors: ten steps of each optimiser, by PyTorch.

All inputs are float32 numbers, stored and computed with as float64. Weights are stored as gradus
keeps them, [in, out]; PyTorch's are their transposes.
"""

from pathlib import Path

import torch
from safetensors_io import save

HERE = Path(__file__).parent
STEPS = 10


def draw(generator, *shape):
    return torch.randn(shape, generator=generator).double()


def muon(params, rate, momentum=0.95, iterations=5):
    """Muon by its description (Jordan and others, 2024), for weights [out, in]."""
    velocity = [torch.zeros_like(p) for p in params]

    def orthogonal(u):
        x = u / (u.norm() + 1e-7)
        for _ in range(iterations):
            gram = x @ x.T
            x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
        return x

    def step():
        with torch.no_grad():
            for p, v in zip(params, velocity):
                v.mul_(momentum).add_(p.grad)
                update = orthogonal(p.grad + momentum * v)
                p.sub_(rate * max(1, p.shape[0] / p.shape[1]) ** 0.5 * update)

    return step


def optimisers(out):
    generator = torch.Generator().manual_seed(11)
    start = {name: draw(generator, *shape) for name, shape in (("wide", (3, 7)), ("tall", (7, 3)))}
    grads = {name: draw(generator, STEPS, *w.shape) for name, w in start.items()}
    out.update({f"optim/start/{name}": w for name, w in start.items()})
    out.update({f"optim/grad/{name}": g for name, g in grads.items()})
    optim = torch.optim
    made = {
        "sgd": lambda p: optim.SGD(p, lr=0.1),
        "momentum": lambda p: optim.SGD(p, lr=0.1, momentum=0.9),
        "nesterov": lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
        "rmsprop": lambda p: optim.RMSprop(p, lr=0.01, alpha=0.9, eps=1e-3),
        "adam": lambda p: optim.Adam(p, lr=0.1, betas=(0.8, 0.95), eps=1e-3),
        "adam_decay": lambda p: optim.Adam(p, lr=0.1, weight_decay=0.5),
        "adamw": lambda p: optim.AdamW(p, lr=0.1, betas=(0.8, 0.95), weight_decay=0.5),
        "muon": lambda p: muon(p, rate=0.1),
    }
    for kind, make in made.items():
        params = {name: w.T.clone().requires_grad_() for name, w in start.items()}
        optimiser = make(list(params.values()))
        step = optimiser if kind == "muon" else optimiser.step
        path = {name: [] for name in params}
        for i in range(STEPS):
            for name, p in params.items():
                p.grad = grads[name][i].T.clone()
            step()
            for name, p in params.items():
                path[name].append(p.detach().T.clone())
        out.update({f"optim/{kind}/{name}": torch.stack(ws) for name, ws in path.items()})


def main():
    torch.set_num_threads(1)
    out = {}
    optimisers(out)
    save(HERE / "parts.safetensors", {name: value.numpy() for name, value in out.items()})


if __name__ == "__main__":
    main()
