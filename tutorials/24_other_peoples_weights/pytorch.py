"""Reads fables_gpt/ into PyTorch's own layers, whose Linear is [out, in], and prints what the page compares.

pytorch.py FOLDER TOKENS... prints for any folder what other_weights prints with --folder, for you to compare.
"""

import json
import math
import pathlib
import struct
import sys

import torch
import torch.nn.functional as F

here = pathlib.Path(__file__).parent
folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "fables_gpt"
config = json.loads((folder / "config.json").read_text())
raw = (folder / "model.safetensors").read_bytes()
start = 8 + struct.unpack("<Q", raw[:8])[0]
tensors = {}
for name, entry in json.loads(raw[8:start]).items():
    if name != "__metadata__":
        begin, end = (start + offset for offset in entry["data_offsets"])
        tensors[name.removeprefix("transformer.")] = torch.frombuffer(bytearray(raw[begin:end]), dtype=torch.float32).view(entry["shape"])


def linear(name, x):  # F.linear wants [out, in], Conv1D has [in, out]
    return F.linear(x, tensors[name + ".weight"].T, tensors[name + ".bias"])


def norm(name, x):
    return F.layer_norm(x, x.shape[-1:], tensors[name + ".weight"], tensors[name + ".bias"], config["layer_norm_epsilon"])


def stages(tokens):  # x after the embedding, after each block and after ln_f
    B, T = tokens.shape
    x = tensors["wte.weight"][tokens] + tensors["wpe.weight"][:T]
    yield "the embedding", x
    for i in range(config["n_layer"]):
        heads = linear(f"h.{i}.attn.c_attn", norm(f"h.{i}.ln_1", x)).view(B, T, 3, config["n_head"], -1)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(torch.ones(T, T).tril() == 0, -math.inf).softmax(-1)
        x = x + linear(f"h.{i}.attn.c_proj", (weights @ v).transpose(1, 2).reshape(B, T, -1))
        hidden = F.gelu(linear(f"h.{i}.mlp.c_fc", norm(f"h.{i}.ln_2", x)), approximate="tanh")
        x = x + linear(f"h.{i}.mlp.c_proj", hidden)
        yield f"block {i}", x
    yield "ln_f", norm("ln_f", x)


def gpt(tokens):
    *_, (_, x) = stages(tokens)
    return x @ tensors["wte.weight"].T


if len(sys.argv) > 1:
    tokens = torch.tensor([[int(token) for token in sys.argv[2:]]])
    print("x of the last token, its first three numbers, after")
    for name, x in stages(tokens):
        print(f"{name:<13}", *(f"{number:8.3f}" for number in x[0, -1, :3]))
    last = gpt(tokens)[0, -1]
    print("logits", *(f" of {token}: {last[token]:.3f}" for token in (0, 1, 50, 100, 407, 1000, 10000, 40000) if token < len(last)))
    sys.exit()
tokens = torch.tensor(json.loads((here / "answers" / "tokens.json").read_text())["held out"])
inputs, targets = tokens[:2560].view(40, 64), tokens[1:2561].view(40, 64)
logits = gpt(inputs)
print("[logits]")
for t in (0, 63):
    print(f"position {t}:", *(f"{x:.4f}" for x in logits[0, t, :5]))
print(f"held-out loss {F.cross_entropy(logits.flatten(0, 1), targets.flatten()).item():.4f}")
print("[logits]")
tensors = {name: x.double() for name, x in tensors.items()}
print(f"from 32 to 64 bits, the logits change by up to {(gpt(inputs[:1]) - logits[:1]).abs().max().item():.1e}")
