#!/usr/bin/env python3
"""Times one training step of a GPT in PyTorch: forward, backward, clipping, AdamW, zero_grad.

First finds the fastest way to use the threads (settings.py). Prints one line; with --json one
object: best_ms, median_ms, peak_rss_mib and what was run.
"""

import argparse
import json
import math
import resource
import statistics
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
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    setting = settings.from_options(options, options.vocab_size)
    torch.manual_seed(options.seed)
    model = peer_gpt.GPT(vocab_size=options.vocab_size, **peer_gpt.model_arguments(options))
    if options.dtype == "bfloat16":  # around forward(), so that it also holds in workers
        model.forward = torch.autocast("cpu", dtype=torch.bfloat16)(model.forward)
    optimizer = peer_gpt.make_adamw(model, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    train_step = settings.Stepper(model, optimizer, setting)
    shape = (options.batch_size, options.block_size)
    times = []
    began = time.perf_counter()
    for step in range(options.warmup + options.steps):
        if times and time.perf_counter() - began > options.seconds:
            break
        tokens, targets = (torch.randint(options.vocab_size, shape) for _ in range(2))
        start = time.perf_counter()
        train_step(tokens, targets)
        if step >= options.warmup:
            times.append(1e3 * (time.perf_counter() - start))

    sizes = (*peer_gpt.MODEL_FLAGS, "batch_size", "vocab_size", "threads", "steps")
    result = {
        "peer": "PyTorch " + torch.__version__,
        **{name: getattr(options, name) for name in sizes},
        "setting": setting._asdict(),
        "best_ms": round(min(times), 3),
        "median_ms": round(statistics.median(times), 3),
        "peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    if options.json:
        print(json.dumps(result))
    else:
        print("{peer}, {threads} threads: best {best_ms} ms, median {median_ms} ms, "
              "peak {peak_rss_mib} MiB".format(**result))  # fmt: skip


if __name__ == "__main__":
    main()
