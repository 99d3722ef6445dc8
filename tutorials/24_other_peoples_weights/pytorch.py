"""Reads fables_gpt/ into PyTorch's own layers, whose Linear is [out, in], and prints what the page compares."""

import json
import math
import pathlib
import struct

import torch
import torch.nn.functional as F

folder = pathlib.Path(__file__).parent / "fables_gpt"
config = json.loads((folder / "config.json").read_text())
raw = (folder / "model.safetensors").read_bytes()
start = 8 + struct.unpack("<Q", raw[:8])[0]
tensors = {}
for name, entry in json.loads(raw[8:start]).items():
    if name != "__metadata__":
        begin, end = (start + offset for offset in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(raw[begin:end]), dtype=torch.float32).view(entry["shape"])


def linear(name, x):  # F.linear wants [out, in], Conv1D has [in, out]
    return F.linear(x, tensors[name + ".weight"].T, tensors[name + ".bias"])


def norm(name, x):
    return F.layer_norm(x, x.shape[-1:], tensors[name + ".weight"], tensors[name + ".bias"], config["layer_norm_epsilon"])


def gpt(tokens):
    B, T = tokens.shape
    x = tensors["wte.weight"][tokens] + tensors["wpe.weight"][:T]
    for i in range(config["n_layer"]):
        heads = linear(f"h.{i}.attn.c_attn", norm(f"h.{i}.ln_1", x)).view(B, T, 3, config["n_head"], -1)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(tensors[f"h.{i}.attn.bias"][..., :T, :T] == 0, -math.inf).softmax(-1)
        x = x + linear(f"h.{i}.attn.c_proj", (weights @ v).transpose(1, 2).reshape(B, T, -1))
        hidden = F.gelu(linear(f"h.{i}.mlp.c_fc", norm(f"h.{i}.ln_2", x)), approximate="tanh")
        x = x + linear(f"h.{i}.mlp.c_proj", hidden)
    return norm("ln_f", x) @ tensors["wte.weight"].T


tokens = torch.tensor(json.loads((folder.parent / "answers" / "tokens.json").read_text())["held out"])
inputs, targets = tokens[:2560].view(40, 64), tokens[1:2561].view(40, 64)
logits = gpt(inputs)
print("[logits]")
for t in (0, 63):
    print(f"position {t}:", *(f"{x:.4f}" for x in logits[0, t, :5]))
print(f"held-out loss {F.cross_entropy(logits.flatten(0, 1), targets.flatten()).item():.4f}")
print("[logits]")
tensors = {name: x.double() for name, x in tensors.items()}
print(f"from 32 to 64 bits, the logits change by up to {(gpt(inputs[:1]) - logits[:1]).abs().max().item():.1e}")
