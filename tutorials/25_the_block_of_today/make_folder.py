#!/usr/bin/env python3
"""Trains the model that chapter 25 reads, in PyTorch, and writes it as Hugging Face publishes a Llama.

usage: python3 tutorials/25_the_block_of_today/make_folder.py [llama] [answers]   (by hand; some minutes)

tales_llama/   a Llama: config.json, model.safetensors, vocab.json, merges.txt
answers/       what PyTorch computes with it in 64 bits: logits.safetensors, and tokens.json, the held-out text's tokens
"""

import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

import llama_reference  # noqa: E402
import tokenizer_reference as reference  # noqa: E402
from safetensors_io import load, save  # noqa: E402

TALES = (ROOT / "nn" / "data" / "corpus" / "tales.txt").read_bytes()
TRAINING, HELD_OUT = TALES[: len(TALES) * 29 // 30], TALES[len(TALES) * 29 // 30 :]  # as the ladder cuts it
C = {"architectures": ["LlamaForCausalLM"], "attention_bias": False, "attention_dropout": 0.0, "hidden_act": "silu",
     "hidden_size": 48, "initializer_range": 0.02, "intermediate_size": 128, "max_position_embeddings": 64,
     "mlp_bias": False, "model_type": "llama", "num_attention_heads": 4, "num_hidden_layers": 2,
     "num_key_value_heads": 2, "rms_norm_eps": 1e-05, "rope_scaling": None, "rope_theta": 10000.0,
     "tie_word_embeddings": True, "vocab_size": 384}  # fmt: skip


def encode(data, tokens, merges):
    """The reference's tokens; it encodes each different piece once."""
    known, ids = {}, []
    for piece in reference.pieces(data):
        if piece not in known:
            known[piece] = reference.encode(piece, tokens, merges)
        ids += known[piece]
    return ids


def shapes():
    c, inner, keys = C["hidden_size"], C["intermediate_size"], C["hidden_size"] // C["num_attention_heads"] * C["num_key_value_heads"]
    yield "model.embed_tokens.weight", (C["vocab_size"], c)
    for i in range(C["num_hidden_layers"]):
        at = f"model.layers.{i}."
        yield at + "input_layernorm.weight", (c,)
        for name, rows in (("q", c), ("k", keys), ("v", keys), ("o", c)):
            yield at + f"self_attn.{name}_proj.weight", (rows, c)
        yield at + "post_attention_layernorm.weight", (c,)
        yield at + "mlp.gate_proj.weight", (inner, c)
        yield at + "mlp.up_proj.weight", (inner, c)
        yield at + "mlp.down_proj.weight", (c, inner)
    yield "model.norm.weight", (c,)


def logits(model, ids):
    """As llama_reference computes them, but all heads and rows at once."""
    heads, keys = C["num_attention_heads"], C["num_key_value_heads"]
    time, width = ids.shape[1], C["hidden_size"] // heads
    turn = C["rope_theta"] ** (-torch.arange(0, width, 2) / width)
    angles = torch.outer(torch.arange(time), turn)
    cos, sin = angles.cos(), angles.sin()

    def rotated(x):
        a, b = x.chunk(2, -1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)

    def norm(name, x):
        return x * (x.square().mean(-1, keepdim=True) + C["rms_norm_eps"]).rsqrt() * model[name + ".weight"]

    def linear(name, x):
        return x @ model[name + ".weight"].T

    x = model["model.embed_tokens.weight"][ids]
    for i in range(C["num_hidden_layers"]):
        at = f"model.layers.{i}."
        y = norm(at + "input_layernorm", x)
        q, k, v = (linear(at + f"self_attn.{n}_proj", y).unflatten(-1, (-1, width)).transpose(1, 2) for n in "qkv")
        k, v = (part.repeat_interleave(heads // keys, 1) for part in (rotated(k), v))
        mixed = F.scaled_dot_product_attention(rotated(q), k, v, is_causal=True)
        x = x + linear(at + "self_attn.o_proj", mixed.transpose(1, 2).flatten(2))
        y = norm(at + "post_attention_layernorm", x)
        x = x + linear(at + "mlp.down_proj", F.silu(linear(at + "mlp.gate_proj", y)) * linear(at + "mlp.up_proj", y))
    return norm("model.norm", x) @ model["model.embed_tokens.weight"].T


def make_llama():
    folder = HERE / "tales_llama"
    folder.mkdir(exist_ok=True)
    tokens, merges = reference.learn_byte_pairs(TRAINING, C["vocab_size"])
    shown = [reference.byte_level(token) for token in tokens]
    (folder / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate([*shown, "<|endoftext|>"])}))
    lines = [f"{shown[left]} {shown[right]}\n" for left, right, _ in merges]
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(lines))
    (folder / "config.json").write_text(json.dumps(C, indent=2) + "\n")
    ids = torch.tensor(encode(TRAINING, tokens, merges))
    torch.manual_seed(25)
    model = {}
    for name, shape in shapes():
        small = 0.02 / math.sqrt(2 * C["num_hidden_layers"]) if "o_proj" in name or "down" in name else 0.02
        model[name] = (torch.randn(shape) * small if len(shape) == 2 else torch.ones(shape)).requires_grad_()
    steps, rate, rows, time = 2400, 6e-3, 24, C["max_position_embeddings"]
    optimiser = torch.optim.AdamW(model.values(), lr=rate, betas=(0.9, 0.99), weight_decay=0.02)
    for step in range(steps):
        warm, done = min(1, (step + 1) / 100), step / steps
        optimiser.param_groups[0]["lr"] = rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * done)) / 2)
        at = torch.randint(len(ids) - time, (rows, 1)) + torch.arange(time + 1)
        loss = F.cross_entropy(logits(model, ids[at][:, :-1]).flatten(0, 1), ids[at][:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.values(), 1)
        optimiser.step()
        if step % 250 == 0 or step + 1 == steps:
            print(f"step {step:5}  loss {loss.item():.3f}", flush=True)
    state = {name: x.detach().numpy() for name, x in model.items()}
    save(folder / "model.safetensors", dict(sorted(state.items())), {"format": "pt"})


def write_answers():
    folder = HERE / "answers"
    folder.mkdir(exist_ok=True)
    tokens, merges = reference.learn_byte_pairs(TRAINING, C["vocab_size"])
    ids = encode(HELD_OUT, tokens, merges)
    config, params = llama_reference.read_folder(HERE / "tales_llama")
    with torch.no_grad():
        result = llama_reference.logits(config, params, torch.tensor([ids[:64]]))[0]
    save(folder / "logits.safetensors", {"llama": result.float().numpy()}, {"format": "pt"})
    (folder / "tokens.json").write_text(json.dumps({"held out": ids[:641]}) + "\n")
    model = {name: torch.tensor(x) for name, x in load(HERE / "tales_llama" / "model.safetensors").items()}
    blocks = torch.tensor(ids[: (len(ids) - 1) // 64 * 64 + 1])
    with torch.no_grad():
        loss = F.cross_entropy(logits(model, blocks[:-1].view(-1, 64)).flatten(0, 1), blocks[1:])
    print("held-out", loss.item(), len(ids))


if __name__ == "__main__":
    torch.set_num_threads(1)
    wanted = sys.argv[1:] or ["llama", "answers"]
    for what, make in {"llama": make_llama, "answers": write_answers}.items():
        if what in wanted:
            make()
