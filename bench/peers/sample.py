#!/usr/bin/env python3
"""Times nanoGPT's sampling in PyTorch with random weights: each token recomputes its whole context.

Prints one JSON object with the mean milliseconds per token; the context is full (block_size tokens)
for all but the first of them.
"""

import argparse
import json
import resource
import time

import peer_gpt  # first: see there
import settings
import torch


@torch.no_grad()
def generate(model, tokens, count, temperature, top_k):
    for _ in range(count):
        logits = model(tokens[:, -model.block_size :]) / temperature
        threshold = torch.topk(logits, min(top_k, logits.shape[-1])).values[:, [-1]]
        logits = logits.masked_fill(logits < threshold, -torch.inf)
        chosen = torch.multinomial(logits.softmax(-1), 1)
        tokens = torch.cat((tokens, chosen), dim=1)
    return tokens


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    peer_gpt.add_model_flags(parser)
    parser.set_defaults(batch_size=1)
    parser.add_argument("--vocab_size", type=int, default=65)
    parser.add_argument("--max_new_tokens", type=int, default=500)
    parser.add_argument("--temperature", type=float, default=0.8)
    parser.add_argument("--top_k", type=int, default=200)
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    settings.set_blas_threads(options.threads)
    torch.manual_seed(options.seed)
    model = peer_gpt.GPT(vocab_size=options.vocab_size, **peer_gpt.model_arguments(options)).eval()
    start = torch.zeros(options.batch_size, 1, dtype=torch.long)
    generate(model, start, 20, options.temperature, options.top_k)  # warm-up
    began = time.perf_counter()
    generate(model, start, options.max_new_tokens, options.temperature, options.top_k)
    seconds = time.perf_counter() - began

    sizes = ("n_layer", "n_head", "n_embd", "block_size", "batch_size", "vocab_size", "threads")
    result = {
        "peer": "PyTorch " + torch.__version__,
        **{name: getattr(options, name) for name in sizes},
        "max_new_tokens": options.max_new_tokens,
        "ms_per_token": round(1e3 * seconds / options.max_new_tokens, 4),
        "peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
