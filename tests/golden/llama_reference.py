#!/usr/bin/env python3
"""Llama, Mistral, Qwen2 and Qwen3 in plain PyTorch, and small random folders of them.

    llama_reference.py                                  # writes llama_hf/ and llama_hf.safetensors
    llama_reference.py FOLDER --tokens FILE             # prints a folder's mean loss, as gradus eval does
    llama_reference.py FOLDER --tokens FILE --logits    # prints the logits after the last token
    llama_reference.py --written-by GRADUS              # trains each case on, and compares the losses

Written from the papers: Touvron and others 2023 (Llama), Su and others 2021 (rotary positions),
Ainslie and others 2023 (grouped queries), Jiang and others 2023 (Mistral's window), Chen and others
2023 (linear scaling), Peng and others 2023 (dynamic scaling and YaRN), "The Llama 3 herd of models"
2024, Yang and others 2024 and 2025 (Qwen). Names and layout are Hugging Face's: matrices are
[out, in], and a rotary pair is channels i and i + D / 2. Everything is computed in double.
"""

import argparse
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import torch

from safetensors_io import BF16, load, save

HERE = pathlib.Path(__file__).parent


def scaling_of(config):
    """The kind of a config's rotary scaling, and its settings."""
    scaling = config.get("rope_scaling") or config.get("rope_parameters") or {}
    return scaling.get("rope_type", scaling.get("type", "default")), scaling


def trained_length(config):
    longest = config["max_position_embeddings"]
    return scaling_of(config)[1].get("original_max_position_embeddings", longest)


def frequencies(config, width, length):
    """The angle by which each pair of channels turns from one position to the next, and the factor
    on cosines and sines."""
    kind, scaling = scaling_of(config)
    base = scaling.get("rope_theta", config.get("rope_theta", 10000.0))
    s, trained = scaling.get("factor"), trained_length(config)
    if kind == "dynamic" and length > trained:
        base *= (s * length / trained - (s - 1)) ** (width / (width - 2))
    turn = [base ** (-2 * i / width) for i in range(width // 2)]
    if kind == "linear":
        return [f / s for f in turn], 1.0
    if kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        result = []
        for f in turn:
            wave = 2 * math.pi / f
            if wave > trained / low:
                result.append(f / s)
            elif wave < trained / high:
                result.append(f)
            else:
                smooth = (trained / wave - low) / (high - low)
                result.append((1 - smooth) * f / s + smooth * f)
        return result, 1.0
    if kind == "yarn":
        # The paper's text lets the ramp follow the number of turns; its code, which models were
        # trained with, follows the number of the pair.
        def pair(turns):
            return width * math.log(trained / (2 * math.pi * turns)) / (2 * math.log(base))

        low = pair(scaling.get("beta_fast", 32))
        high = pair(scaling.get("beta_slow", 1))
        if scaling.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, width - 1)
        high += 0.001 if low == high else 0
        result = []
        for i, f in enumerate(turn):
            share = min(max((i - low) / (high - low), 0), 1)
            result.append(f * (1 - share) + f / s * share)

        def magnitude(m=1.0):
            return 0.1 * m * math.log(s) + 1 if s > 1 else 1.0

        m, all_m = scaling.get("mscale"), scaling.get("mscale_all_dim")
        usual = magnitude(m) / magnitude(all_m) if m and all_m else magnitude()
        return result, scaling.get("attention_factor") or usual
    if kind not in ("default", "dynamic"):
        raise ValueError(f"unknown scaling {kind}")
    return turn, 1.0


def turned(x, turn, factor):
    """x [B, H, T, D] with each pair (x_i, x_{i + D/2}), as a complex number, times factor e^(i t f)."""
    half = x.shape[-1] // 2
    turn = torch.tensor(turn, dtype=torch.double)
    angles = torch.outer(torch.arange(x.shape[-2], dtype=torch.double), turn)
    pairs = torch.complex(x[..., :half], x[..., half:])
    pairs = pairs * torch.polar(torch.full_like(angles, factor), angles)
    return torch.cat([pairs.real, pairs.imag], dim=-1)


def window_of(config, layer):
    """How many keys a query of this layer sees, itself included; None for all."""
    if config["model_type"] == "mistral":
        return config.get("sliding_window", 4096)
    if config.get("use_sliding_window") and layer >= config.get("max_window_layers", 28):
        return config.get("sliding_window", 4096)
    return None


def logits(config, params, tokens):
    """Tokens [B, T] -> logits [B, T, V]."""
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    width = config.get("head_dim") or config["hidden_size"] // heads
    eps = config.get("rms_norm_eps", 1e-6)
    batch, time = tokens.shape
    turn, factor = frequencies(config, width, time)
    used = set()

    def weight(name):
        used.add(name)
        return params[name]

    def linear(name, x):
        y = x @ weight(name + ".weight").T
        return y + weight(name + ".bias") if name + ".bias" in params else y

    def norm(name, x):
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * weight(name + ".weight")

    def attention(name, x, window):
        q = linear(name + ".q_proj", x).view(batch, time, heads, width)
        k = linear(name + ".k_proj", x).view(batch, time, kv_heads, width)
        v = linear(name + ".v_proj", x).view(batch, time, kv_heads, width)
        if config["model_type"] == "qwen3":
            q, k = norm(name + ".q_norm", q), norm(name + ".k_norm", k)
        q, k, v = (part.transpose(1, 2) for part in (q, k, v))
        q, k = turned(q, turn, factor), turned(k, turn, factor)
        hidden = torch.tensor([[j > i or bool(window and i - j >= window) for j in range(time)]
                               for i in range(time)])
        mixed = []
        for head in range(heads):
            shared = head * kv_heads // heads
            scores = q[:, head] @ k[:, shared].transpose(-2, -1) / math.sqrt(width)
            mixed.append(scores.masked_fill(hidden, -math.inf).softmax(-1) @ v[:, shared])
        return linear(name + ".o_proj", torch.cat(mixed, dim=-1))

    x = weight("model.embed_tokens.weight")[tokens]
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        x = x + attention(at + "self_attn", norm(at + "input_layernorm", x), window_of(config, layer))
        y = norm(at + "post_attention_layernorm", x)
        gate = linear(at + "mlp.gate_proj", y)
        x = x + linear(at + "mlp.down_proj", gate * torch.sigmoid(gate) * linear(at + "mlp.up_proj", y))
    x = norm("model.norm", x)
    if config.get("tie_word_embeddings", False):
        result = x @ params["model.embed_tokens.weight"].T
    else:
        result = x @ weight("lm_head.weight").T
    if used != params.keys():
        raise ValueError(f"tensors without use: {sorted(params.keys() - used)}")
    return result


def read_folder(folder):
    """The config, and the parameters in double, from one file or several."""
    config = json.loads((folder / "config.json").read_text())
    index = folder / "model.safetensors.index.json"
    files = {"model.safetensors"}
    if index.exists():
        files = set(json.loads(index.read_text())["weight_map"].values())
    arrays = {}
    for name in sorted(files):
        arrays.update(load(folder / name))
    return config, {name: torch.tensor(np.array(array)).double() for name, array in arrays.items()}


def longest_text(config):
    """The most tokens that gradus reads with this config; its losses are means over such blocks."""
    longest, (kind, scaling) = config["max_position_embeddings"], scaling_of(config)
    if kind in ("dynamic", "yarn"):
        longest = max(longest, int(scaling["factor"] * trained_length(config)))
        longest = config.get("n_positions", longest)  # written by gradus
    return longest


def mean_loss(folder, ids):
    """The loss of each token after the first, in blocks as gradus eval reads them."""
    config, params = read_folder(folder)
    block, total = longest_text(config), 0.0
    for begin in range(0, len(ids) - 1, block):
        part = ids[begin : begin + block + 1]
        given = logits(config, params, torch.tensor([part[:-1]]))[0]
        total += torch.nn.functional.cross_entropy(
            given, torch.tensor(part[1:]), reduction="sum").item()
    return total / (len(ids) - 1)


# Fixtures: one folder for each family, and changes of its config that use the same weights.

COMMON = {
    "vocab_size": 13, "hidden_size": 16, "intermediate_size": 12, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 24,
    "hidden_act": "silu", "rms_norm_eps": 1e-5, "rope_theta": 100.0, "tie_word_embeddings": False,
    "attention_dropout": 0.0, "use_cache": True, "initializer_range": 0.02, "bos_token_id": 1,
    "eos_token_id": 2, "transformers_version": "4.46.0",
}  # fmt: skip

FOLDERS = {
    "llama": ({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "rope_scaling": None,
               "attention_bias": False, "mlp_bias": False, "pretraining_tp": 1}, "F32"),
    "llama_biases": ({"model_type": "llama", "architectures": ["LlamaForCausalLM"],
                      "attention_bias": True, "mlp_bias": True, "num_key_value_heads": 1}, "BF16"),
    "mistral": ({"model_type": "mistral", "architectures": ["MistralForCausalLM"], "head_dim": 6,
                 "sliding_window": 5}, "F16"),
    "qwen2": ({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "sliding_window": 3,
               "use_sliding_window": False, "max_window_layers": 1, "tie_word_embeddings": True},
              "BF16"),
    "qwen3": ({"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "head_dim": 8,
               "attention_bias": False, "use_sliding_window": False, "sliding_window": None,
               "max_window_layers": 2}, "BF16"),
}  # fmt: skip

SCALED = {"factor": 3.0, "original_max_position_embeddings": 8}
CASES = {
    "llama": ("llama", {}),
    "llama, linear": ("llama", {"rope_scaling": {"type": "linear", "factor": 4.0}}),
    "llama, dynamic": ("llama", {"rope_scaling": {"rope_type": "dynamic", "factor": 3.0},
                                 "max_position_embeddings": 8}),
    "llama, llama3": ("llama", {"rope_scaling": {"rope_type": "llama3", "low_freq_factor": 0.2,
                                                 "high_freq_factor": 0.9, **SCALED}}),
    "llama, yarn": ("llama", {"rope_scaling": {"rope_type": "yarn", "beta_fast": 0.9,
                                               "beta_slow": 0.1, **SCALED}}),
    "llama, yarn with a factor": ("llama", {"rope_scaling": {
        "rope_type": "yarn", "beta_fast": 0.9, "beta_slow": 0.1, "attention_factor": 1.4,
        "truncate": False, **SCALED}}),
    "llama, yarn with scales": ("llama", {"rope_scaling": {
        "rope_type": "yarn", "mscale": 1.0, "mscale_all_dim": 0.5, **SCALED}}),
    "llama, parameters": ("llama", {"rope_theta": None, "rope_scaling": None, "rope_parameters": {
        "rope_type": "linear", "rope_theta": 50.0, "factor": 2.0}}),
    "llama with biases": ("llama_biases", {}),
    "mistral": ("mistral", {}),
    "mistral without a window": ("mistral", {"sliding_window": None}),
    "qwen2": ("qwen2", {}),
    "qwen2 with a window": ("qwen2", {"use_sliding_window": True}),
    "qwen3": ("qwen3", {}),
    "qwen3 with a window": ("qwen3", {"use_sliding_window": True, "sliding_window": 4,
                                      "max_window_layers": 0}),
}  # fmt: skip


def random_params(config, seed):
    """Random weights of such a size that every part changes the logits."""
    draw = np.random.default_rng(seed)
    heads, channels, inner = (config[key] for key in ("num_attention_heads", "hidden_size", "intermediate_size"))
    width = config.get("head_dim", channels // heads)
    keys, kind = config["num_key_value_heads"] * width, config["model_type"]
    params = {}

    def matrix(name, rows, columns, bias=False):
        params[name + ".weight"] = draw.normal(0, 1.2 / math.sqrt(columns), (rows, columns))
        if bias:
            params[name + ".bias"] = draw.normal(0, 0.3, rows)

    def norm(name, size):
        params[name + ".weight"] = 1 + draw.normal(0, 0.3, size)

    params["model.embed_tokens.weight"] = draw.normal(0, 1, (config["vocab_size"], channels))
    attention, mlp = config.get("attention_bias", False), config.get("mlp_bias", False)
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        norm(at + "input_layernorm", channels)
        matrix(at + "self_attn.q_proj", heads * width, channels, attention or kind == "qwen2")
        matrix(at + "self_attn.k_proj", keys, channels, attention or kind == "qwen2")
        matrix(at + "self_attn.v_proj", keys, channels, attention or kind == "qwen2")
        matrix(at + "self_attn.o_proj", channels, heads * width, attention)
        if kind == "qwen3":
            norm(at + "self_attn.q_norm", width)
            norm(at + "self_attn.k_norm", width)
        norm(at + "post_attention_layernorm", channels)
        matrix(at + "mlp.gate_proj", inner, channels, mlp)
        matrix(at + "mlp.up_proj", inner, channels, mlp)
        matrix(at + "mlp.down_proj", channels, inner, mlp)
    norm("model.norm", channels)
    if not config["tie_word_embeddings"]:
        matrix("lm_head", config["vocab_size"], channels)
    return params


def stored(array, dtype):
    if dtype == "BF16":
        return BF16(array.astype("<f4").view("<u4") >> 16)
    return array.astype({"F32": "<f4", "F16": "<f2"}[dtype])


def write_fixtures():
    out = HERE / "llama_hf"
    for seed, (name, (changes, dtype)) in enumerate(FOLDERS.items()):
        folder, config = out / name, {**COMMON, **changes}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        tensors = {key: stored(value, dtype) for key, value in random_params(config, seed).items()}
        if name != "llama":
            save(folder / "model.safetensors", tensors, {"format": "pt"})
            continue
        names, where = sorted(tensors), {}
        for part in range(2):
            file = f"model-0000{part + 1}-of-00002.safetensors"
            some = names[part::2]
            save(folder / file, {key: tensors[key] for key in some}, {"format": "pt"})
            where.update({key: file for key in some})
        (folder / "model.safetensors.index.json").write_text(
            json.dumps({"metadata": {}, "weight_map": where}, indent=1) + "\n")
    tokens = np.random.default_rng(9).integers(0, COMMON["vocab_size"], (2, 21)).astype("<i4")
    results = {"tokens": tokens}
    for name, (folder, changes) in CASES.items():
        config, params = read_folder(out / folder)
        result = logits({**config, **changes}, params, torch.tensor(tokens).long())
        results[name] = result.numpy().astype("<f4")
    cases = [{"name": name, "folder": folder, "changes": changes}
             for name, (folder, changes) in CASES.items()]
    (out / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
    save(HERE / "llama_hf.safetensors", results)


def compare_written(gradus):
    """Trains each case for three steps with gradus, in blocks of the model's length and in shorter
    ones. Compares the loss of the folder that it wrote with the loss by gradus."""
    alphabet = "\n abcdefghijk"
    text = "a bad cab a big bag\ndeaf jack had a fig\n" * 7
    ids, worst = [alphabet.index(letter) for letter in text], 0.0

    def run(*arguments):
        return subprocess.run([gradus, *arguments], check=True, capture_output=True, text=True).stdout

    print(f"| {'case':25} | block | model_type | by gradus  | by PyTorch |\n|---|---|---|---|---|")
    for name, (folder, changes) in CASES.items():
        for block in (None, 8):
            with tempfile.TemporaryDirectory() as scratch:
                given, trained = pathlib.Path(scratch, "given"), pathlib.Path(scratch, "trained")
                shutil.copytree(HERE / "llama_hf" / folder, given)
                config = {**json.loads((given / "config.json").read_text()), **changes}
                (given / "config.json").write_text(json.dumps(config))
                (given / "gradus_tokenizer.json").write_text(
                    json.dumps({"type": "char", "vocab": list(alphabet)}))
                (given / "text.txt").write_text(text)
                block = block or longest_text(config)
                run("train", f"--init_from={given}", f"--text={given}/text.txt", "--max_iters=3",
                    f"--block_size={block}", "--batch_size=2", "--learning_rate=0.01",
                    "--warmup_iters=0", "--eval_iters=1", f"--out_dir={trained}")
                by_gradus = json.loads(run("eval", f"--checkpoint={trained}/last",
                                           f"--text={given}/text.txt", "--json"))["loss"]
                kind = json.loads((trained / "last" / "config.json").read_text())["model_type"]
                loss = mean_loss(trained / "last", ids)
                worst = max(worst, abs(loss - by_gradus))
                print(f"| {name:25} | {block:5} | {kind:10} | {by_gradus:.8f} | {loss:.8f} |")
    print(f"largest difference: {worst:.1e}")
    if worst > 1e-5:
        sys.exit("llama_reference: the losses differ by more than 1e-5")


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--tokens", help="file of token numbers between white space")
    parser.add_argument("--logits", action="store_true", help="print logits in place of the loss")
    parser.add_argument("--written-by", metavar="GRADUS", help="the program, such as build/gradus")
    options = parser.parse_args()
    if options.written_by:
        return compare_written(options.written_by)
    if options.folder is None:
        return write_fixtures()
    try:
        ids = [int(word) for word in pathlib.Path(options.tokens).read_text().split()]
        if options.logits:
            config, params = read_folder(options.folder)
            print(json.dumps(logits(config, params, torch.tensor([ids]))[0, -1].tolist()))
            return
        loss = mean_loss(options.folder, ids)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"llama_reference: {options.folder}: {error}")
    print(json.dumps({"tokens": len(ids) - 1, "loss": loss}))


if __name__ == "__main__":
    main()
