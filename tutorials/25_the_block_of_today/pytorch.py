"""Reads tales_llama/ into plain PyTorch, and prints the logits and the loss that the page prints."""

import json
import pathlib
import struct

import torch
import torch.nn.functional as F

here = pathlib.Path(__file__).parent
config = json.loads((here / "tales_llama" / "config.json").read_text())
raw = (here / "tales_llama" / "model.safetensors").read_bytes()
start = 8 + struct.unpack("<Q", raw[:8])[0]
tensors = {}
for name, entry in json.loads(raw[8:start]).items():
    if name != "__metadata__":
        begin, end = (start + offset for offset in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(raw[begin:end]), dtype=torch.float32).view(entry["shape"])

heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
width = config["hidden_size"] // heads
turn = config["rope_theta"] ** (-torch.arange(0, width, 2) / width)


def linear(name, x):
    return F.linear(x, tensors[name + ".weight"])


def norm(name, x):
    return x * (x.square().mean(-1, keepdim=True) + config["rms_norm_eps"]).rsqrt() * tensors[name + ".weight"]


def rotated(x):
    angles = torch.outer(torch.arange(x.shape[-2]), turn)
    a, b = x.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)


def llama(tokens):
    x = tensors["model.embed_tokens.weight"][tokens]
    for i in range(config["num_hidden_layers"]):
        layer = f"model.layers.{i}."
        y = norm(layer + "input_layernorm", x)
        q, k, v = (linear(layer + f"self_attn.{name}_proj", y).unflatten(-1, (-1, width)).transpose(1, 2) for name in "qkv")
        k, v = (part.repeat_interleave(heads // kv_heads, dim=1) for part in (rotated(k), v))
        mixed = F.scaled_dot_product_attention(rotated(q), k, v, is_causal=True)
        x = x + linear(layer + "self_attn.o_proj", mixed.transpose(1, 2).flatten(2))
        y = norm(layer + "post_attention_layernorm", x)
        hidden = F.silu(linear(layer + "mlp.gate_proj", y)) * linear(layer + "mlp.up_proj", y)
        x = x + linear(layer + "mlp.down_proj", hidden)
    return norm("model.norm", x) @ tensors["model.embed_tokens.weight"].T


tokens = torch.tensor(json.loads((here / "answers" / "tokens.json").read_text())["held out"])
logits = llama(tokens[:-1].view(-1, 64))
print("[folder]")
for t in (0, 63):
    print(f"position {t}:", *(f"{x:.4f}" for x in logits[0, t, :5]))
print(f"held-out loss {F.cross_entropy(logits.flatten(0, 1), tokens[1:]).item():.4f}")
print("[folder]")
