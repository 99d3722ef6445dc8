#!/usr/bin/env python3
"""A training run by nanoGPT's character-level recipe in PyTorch, to be timed beside `gradus train`.

Prints a JSON object for each evaluation, and a last one with the seconds the run took and the loss
over the whole validation text in consecutive blocks. Neither that loss nor finding the fastest way
to use the threads (settings.py) is part of those seconds.
"""

import argparse
import json
import math
import pathlib
import resource
import time

import peer_gpt  # first: see there
import settings
import torch


def read_corpus(path):
    """Gives (training ids, validation ids, vocabulary size): sorted characters, cut at 90 %."""
    text = pathlib.Path(path).read_bytes().decode()
    rank = {character: i for i, character in enumerate(sorted(set(text)))}
    ids = torch.tensor([rank[character] for character in text])
    boundary = int(0.9 * len(ids))
    return ids[:boundary], ids[boundary:], len(rank)


def random_batch(ids, options):
    time = options.block_size
    starts = torch.randint(len(ids) - time, (options.batch_size,)).tolist()
    rows = torch.stack([ids[i : i + time + 1] for i in starts])
    return rows[:, :-1].contiguous(), rows[:, 1:].contiguous()


@torch.no_grad()
def estimate(model, ids, options):
    model.eval()
    losses = [model(*random_batch(ids, options)).item() for _ in range(options.eval_iters)]
    model.train()
    return sum(losses) / len(losses)


@torch.no_grad()
def full_loss(model, ids):
    """Over consecutive, non-overlapping blocks, the last one possibly shorter."""
    model.eval()
    block, count = model.block_size, len(ids) - 1
    whole = count // block * block
    inputs, targets = ids[:whole].view(-1, block), ids[1 : whole + 1].view(-1, block)
    batches = list(zip(inputs.split(64), targets.split(64)))
    if whole < count:
        batches.append((ids[None, whole:count], ids[None, whole + 1 :]))
    return math.fsum(model(x, y).item() * x.numel() for x, y in batches if len(x)) / count


def learning_rate(step, options):
    """Linear warm-up, then half a cosine down to min_lr, as nanoGPT counts the steps."""
    if step < options.warmup_iters:
        return options.learning_rate * step / options.warmup_iters
    if step > options.lr_decay_iters:
        return options.min_lr
    progress = (step - options.warmup_iters) / (options.lr_decay_iters - options.warmup_iters)
    blend = 0.5 * (1 + math.cos(math.pi * progress))
    return options.min_lr + blend * (options.learning_rate - options.min_lr)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    peer_gpt.add_model_flags(parser)
    settings.add_flag(parser)
    parser.add_argument("--text", required=True)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--max_iters", type=int, default=2000)
    parser.add_argument("--learning_rate", type=float, default=1e-3)
    parser.add_argument("--min_lr", type=float, default=1e-4)
    parser.add_argument("--warmup_iters", type=int, default=100)
    parser.add_argument("--lr_decay_iters", type=int, default=2000)
    parser.add_argument("--weight_decay", type=float, default=0.1)
    parser.add_argument("--beta1", type=float, default=0.9)
    parser.add_argument("--beta2", type=float, default=0.99)
    parser.add_argument("--grad_clip", type=float, default=1.0)
    parser.add_argument("--eval_interval", type=int, default=250)
    parser.add_argument("--eval_iters", type=int, default=20)
    return parser.parse_args()


def main():
    options = parse_options()
    train, val, vocab_size = read_corpus(options.text)
    setting = settings.from_options(options, vocab_size)
    began = time.perf_counter()
    torch.manual_seed(options.seed)
    arguments = peer_gpt.model_arguments(options)
    model = peer_gpt.GPT(vocab_size=vocab_size, dropout=options.dropout, **arguments)
    betas = (options.beta1, options.beta2)
    optimizer = peer_gpt.make_adamw(model, options.learning_rate, betas, options.weight_decay)
    train_step = settings.Stepper(model, optimizer, setting, options.grad_clip)

    for step in range(options.max_iters + 1):
        if step % options.eval_interval == 0 or step == options.max_iters:
            line = {
                "step": step,
                "train_loss": estimate(model, train, options),
                "val_loss": estimate(model, val, options),
                "seconds": round(time.perf_counter() - began, 2),
            }
            print(json.dumps(line), flush=True)
        if step == options.max_iters:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, options)
        train_step(*random_batch(train, options))

    summary = {
        "peer": "PyTorch " + torch.__version__,
        "setting": setting._asdict(),
        "total_seconds": round(time.perf_counter() - began, 2),
        "full_val_loss": full_loss(model, val),
        "peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
