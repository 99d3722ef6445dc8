"""How PyTorch may use the cores, and the choice of the fastest way on this machine.

Three things can share the work: PyTorch's OpenMP pool (everything but matrix products), OpenBLAS's
own pool (matrix products), or workers that each take a part of the batch with one thread. Which of
them wins depends on the machine, so every candidate gets a few steps and the best one stays.
"""

import ctypes
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import peer_gpt  # first: see there
import torch


class Setting(NamedTuple):
    threads: int  # in PyTorch's own pool
    blas_threads: int
    workers: int  # parts of the batch that are computed at the same time


def candidates(threads, workers):
    if threads == 1:
        return [Setting(1, 1, 1)]
    pools = [Setting(threads, threads, 1), Setting(threads, 1, 1), Setting(1, threads, 1)]
    return pools + [Setting(1, 1, threads)] if workers else pools


def set_blas_threads(count):
    """For OpenBLAS's own pool, which torch.set_num_threads leaves alone."""
    for name in ("libopenblas.so.0", "libopenblas.dylib"):
        try:
            ctypes.CDLL(name).openblas_set_num_threads(count)
            return
        except (OSError, AttributeError):
            continue


class Stepper:
    """One training step of a model under a setting. If `loss` is given, it computes the loss instead of the model."""

    def __init__(self, model, optimizer, setting, grad_clip=1.0, loss=None):
        self.loss, self.optimizer, self.grad_clip = loss or model, optimizer, grad_clip
        self.params = list(model.parameters())
        self.workers = setting.workers
        torch.set_num_threads(setting.threads)
        set_blas_threads(setting.blas_threads)
        if self.workers > 1:  # the calling thread is one of the workers
            one_thread = lambda: torch.set_num_threads(1)
            self.pool = ThreadPoolExecutor(self.workers - 1, initializer=one_thread)

    def __call__(self, tokens, targets):
        if self.workers > 1:
            self._backward_in_parts(tokens, targets)
        else:
            self.loss(tokens, targets).backward()
        if self.grad_clip > 0:
            torch.nn.utils.clip_grad_norm_(self.params, self.grad_clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def _backward_in_parts(self, tokens, targets):
        def gradients(x, y):
            share = len(x) / len(tokens)
            return torch.autograd.grad(self.loss(x, y) * share, self.params)

        parts = list(zip(tokens.chunk(self.workers), targets.chunk(self.workers)))
        others = [self.pool.submit(gradients, x, y) for x, y in parts[1:]]
        total = gradients(*parts[0])
        for other in others:
            torch._foreach_add_(total, other.result())
        for p, gradient in zip(self.params, total):
            p.grad = gradient


def choose(options, vocab_size):
    """The candidate with the shortest step; each is tried in a separate process."""
    choices = candidates(options.threads, workers=options.setting == "best")
    if len(choices) == 1:
        return choices[0]
    return min(choices, key=lambda setting: _best_ms(setting, options, vocab_size))


def _best_ms(setting, options, vocab_size):
    command = [sys.executable, str(pathlib.Path(__file__).with_name("train_step.py")), "--json"]
    flags = {name: getattr(options, name) for name in (*peer_gpt.MODEL_FLAGS, "batch_size")}
    flags.update(vocab_size=vocab_size, warmup=2, steps=8, seconds=10)
    flags.update(setting=",".join(map(str, setting)))
    command += [f"--{name}={value}" for name, value in flags.items()]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["best_ms"]


def add_flag(parser):
    parser.add_argument(
        "--setting",
        default="best",
        metavar="best|pools|T,B,W",
        help="threads of PyTorch, threads of OpenBLAS, workers; or the fastest setting for --threads: "
        "of all (best, the default) or of the settings without workers (pools)",
    )


def from_options(options, vocab_size):
    if options.setting in ("best", "pools"):
        return choose(options, vocab_size)
    return Setting(*map(int, options.setting.split(",")))
