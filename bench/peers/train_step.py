#!/usr/bin/env python3
"""Times one training step of a GPT in PyTorch: forward, backward, clipping, AdamW, zero_grad.

First finds the fastest way to use the threads (settings.py). Prints one line; with --json one
object: best_ms, median_ms, peak_rss_mib and the settings of the run.
"""

import argparse
import json
import math
import resource
import statistics
import sys
import time

import peer_gpt  # first: see there
import settings
import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    peer_gpt.add_model_flags(parser)
    settings.add_flag(parser)
    parser.add_argument("--vocab_size", type=int, default=65)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--warmup", type=int, default=10, help="steps before the clock starts")
    parser.add_argument("--seconds", type=float, default=math.inf,
                        help="fewer steps, one at least, if they would take longer")  # fmt: skip
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32",
                        help="bfloat16: by autocast, as nanoGPT does; threads are chosen in float32")  # fmt: skip
    parser.add_argument("--compile", action="store_true", help="by torch.compile, from PyTorch 2 on")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true",
                        help="read numbers of steps from standard input, a line each; after each, time as "
                        "many steps and print one JSON object")  # fmt: skip
    options = parser.parse_args()

    setting = settings.from_options(options, options.vocab_size)
    torch.manual_seed(options.seed)
    model = peer_gpt.GPT(vocab_size=options.vocab_size, **peer_gpt.model_arguments(options))
    optimizer = peer_gpt.make_adamw(model, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    train_step = settings.Stepper(model, optimizer, setting, loss=make_loss(model, options))
    time_steps(train_step, options.warmup, options)
    if options.serve:
        for line in sys.stdin:
            print(json.dumps(result_of(time_steps(train_step, int(line), options), setting, options)), flush=True)
        return
    result = result_of(time_steps(train_step, options.steps, options), setting, options)
    if options.json:
        print(json.dumps(result))
    else:
        print("{peer}, {threads} threads: best {best_ms} ms, median {median_ms} ms, "
              "peak {peak_rss_mib} MiB".format(**result))  # fmt: skip


def make_loss(model, options):
    loss = torch.compile(model) if options.compile else model
    if options.dtype == "float32":
        return loss
    return torch.autocast("cpu", dtype=torch.bfloat16)(lambda tokens, targets: loss(tokens, targets))


def time_steps(train_step, count, options):
    """The milliseconds of each of `count` steps. If these would take too long, it makes fewer steps, at least one."""
    shape = (options.batch_size, options.block_size)
    times = []
    began = time.perf_counter()
    while len(times) < count and not (times and time.perf_counter() - began > options.seconds):
        tokens, targets = (torch.randint(options.vocab_size, shape) for _ in range(2))
        start = time.perf_counter()
        train_step(tokens, targets)
        times.append(1e3 * (time.perf_counter() - start))
    return times


def result_of(times, setting, options):
    sizes = (*peer_gpt.MODEL_FLAGS, "batch_size", "vocab_size", "threads")
    return {
        "peer": "PyTorch " + torch.__version__,
        **{name: getattr(options, name) for name in sizes},
        "steps": len(times),
        "setting": setting._asdict(),
        "best_ms": round(min(times), 3),
        "median_ms": round(statistics.median(times), 3),
        "peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


if __name__ == "__main__":
    main()
