#!/usr/bin/env python3
"""Direct preference optimisation in PyTorch: writes preferences.safetensors.

Written from Rafailov and others 2023, equation 7. The model is gpt_f32/, the original model is
gpt_f32/ with the adapter lora/gpt2. Row 2 i of the tokens is a better answer and row 2 i + 1 the worse
one to the same prompt; a row ends at the first -1. Everything is computed in double.
"""

import pathlib

import numpy as np
import torch

import gpt_reference
import llama_reference
import lora_reference
from safetensors_io import save

HERE = pathlib.Path(__file__).parent
BETA = 0.7
PROMPTS = [2, 1, 3, 4]
LENGTHS = [(8, 5), (3, 2), (6, 8), (5, 6)]  # of prompt and answer together


def log_probability(config, params, row, prompt):
    """ln p of the tokens after the prompt, one by one."""
    logits = gpt_reference.logits(params, row[None, :-1], config["n_layer"], config["n_head"])[0]
    each = torch.log_softmax(logits, -1)
    return sum(each[i - 1, row[i]] for i in range(prompt, len(row)))


def main():
    draw = np.random.default_rng(5)
    config, params = llama_reference.read_folder(HERE / "gpt_f32")
    original = lora_reference.merged(HERE / "lora" / "gpt2")[1]
    params = {name: tensor.requires_grad_() for name, tensor in params.items()}
    tokens = np.full((8, 8), -1, dtype="<i4")
    ours, theirs = [], []
    for i, (prompt, lengths) in enumerate(zip(PROMPTS, LENGTHS)):
        asked = draw.integers(0, config["vocab_size"], prompt)
        for j, length in enumerate(lengths):
            row = np.concatenate([asked, draw.integers(0, config["vocab_size"], length - prompt)])
            tokens[2 * i + j, :length] = row
            row = torch.tensor(row)
            ours.append(log_probability(config, params, row, prompt))
            theirs.append(log_probability(config, original, row, prompt).detach())
    log_p, reference = torch.stack(ours).view(-1, 2), torch.stack(theirs).view(-1, 2)
    moved = log_p - reference
    loss = -torch.nn.functional.logsigmoid(BETA * (moved[:, 0] - moved[:, 1])).mean()
    loss.backward()
    results = {"tokens": tokens, "prompts": np.array(PROMPTS, dtype="<i4"),
               "beta": np.array(BETA), "log_p": log_p.detach().numpy(),
               "reference": reference.numpy(), "loss": loss.detach().numpy()}
    for name in ("transformer.wte.weight", "transformer.h.0.attn.c_attn.weight", "transformer.ln_f.bias"):
        results["grad/" + name] = params[name].grad.numpy()
    save(HERE / "preferences.safetensors", results)


if __name__ == "__main__":
    main()
