#!/usr/bin/env python3
"""Reads a checkpoint folder without gradus and prints its loss like `gradus eval --json`.

    check_checkpoint.py out/best --text fables.txt --split val
    check_checkpoint.py out/best --tokens ids.txt

The folder holds model.safetensors and config.json with Hugging Face's GPT-2 names. Text is cut into
characters, the vocabulary being the sorted distinct characters of --vocabulary (by default of the
texts themselves); with --bytes into UTF-8 bytes. Exits with 1, saying why, if anything is missing,
left over or of another shape than the configuration says.
"""

import argparse
import json
import math
import pathlib
import sys

import torch

import gpt_reference
from safetensors_io import load


def read_checkpoint(folder):
    """Gives (configuration, parameters in double), both checked against each other."""
    config = json.loads((folder / "config.json").read_text())
    # A GPT-2 has biases in every program; "bias" is gradus's own key.
    bias = config["model_type"] == "gpt2" or config.get("bias", True)
    if config["activation_function"] != "gelu_new":
        raise ValueError(f"activation_function is {config['activation_function']}, not gelu_new")
    sizes = (config[key] for key in ("n_layer", "n_embd", "n_positions", "vocab_size"))
    shapes = gpt_reference.parameter_shapes(*sizes, bias=bias)
    arrays = load(folder / "model.safetensors")
    head = arrays.pop("lm_head.weight", None)
    if head is not None and (head != arrays["transformer.wte.weight"]).any():
        raise ValueError("lm_head.weight differs from transformer.wte.weight")
    if arrays.keys() != shapes.keys():
        raise ValueError(f"missing or unknown tensors: {sorted(arrays.keys() ^ shapes.keys())}")
    for name, array in arrays.items():
        if array.shape != tuple(shapes[name]):
            raise ValueError(f"{name} has shape {array.shape}, expected {shapes[name]}")
    return config, {name: torch.tensor(array).double() for name, array in arrays.items()}


def read_ids(options):
    if options.tokens:
        ids = [int(word) for word in pathlib.Path(options.tokens).read_text().split()]
    else:
        raw = b"".join(pathlib.Path(path).read_bytes() for path in options.text)
        if options.bytes:
            ids = list(raw)
        else:
            text = raw.decode()
            path = options.vocabulary
            source = pathlib.Path(path).read_bytes().decode() if path else text
            rank = {character: i for i, character in enumerate(sorted(set(source)))}
            ids = [rank[character] for character in text]
    boundary = int(0.9 * len(ids))
    parts = {"all": ids, "train": ids[:boundary], "val": ids[boundary:]}
    return torch.tensor(parts[options.split])


@torch.no_grad()
def mean_loss(config, params, ids):
    """Over consecutive, non-overlapping blocks, the last one possibly shorter."""
    block, count = config["n_positions"], len(ids) - 1
    whole = count // block * block
    inputs, targets = ids[:whole].view(-1, block), ids[1 : whole + 1].view(-1, block)
    batches = list(zip(inputs.split(64), targets.split(64)))
    if count > whole:
        batches.append((ids[None, whole:count], ids[None, whole + 1 :]))
    model = config["n_layer"], config["n_head"], config["layer_norm_epsilon"]
    batches = [(x, y) for x, y in batches if len(x)]
    sums = (gpt_reference.loss(params, x, y, *model).item() * x.numel() for x, y in batches)
    return count, math.fsum(sums) / count


def main():
    keep_lines = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=keep_lines)
    parser.add_argument("folder", type=pathlib.Path)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--tokens", help="file of token numbers between white space")
    source.add_argument("--text", action="append", help="UTF-8 file, repeatable")
    parser.add_argument("--vocabulary", help="text whose characters are the vocabulary")
    parser.add_argument("--bytes", action="store_true", help="tokens are bytes")
    parser.add_argument("--split", choices=("all", "train", "val"), default="all")
    options = parser.parse_args()
    try:
        config, params = read_checkpoint(options.folder)
        ids = read_ids(options)
        if len(ids) < 2 or ids.max() >= config["vocab_size"]:
            raise ValueError(f"{len(ids)} tokens up to {ids.max()} do not suit this vocabulary")
        count, loss = mean_loss(config, params, ids)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"check_checkpoint: {options.folder}: {error}")
    print(json.dumps({"tokens": count, "loss": loss}))


if __name__ == "__main__":
    main()
