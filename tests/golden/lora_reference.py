#!/usr/bin/env python3
"""Low-rank adapters in PEFT's layout, merged in plain PyTorch, and small random ones.

    lora_reference.py                                  # writes lora/ and lora.safetensors
    lora_reference.py ADAPTER --tokens FILE            # prints its mean loss, as gradus eval does

Written from Hu and others 2021 (W + alpha / r B A) and Kalajdzievski 2023 (alpha / sqrt(r)). Names and
layout are PEFT's: lora_A.weight is [r, in] and lora_B.weight [out, r], whatever way the layer itself
is stored. Everything is computed in double.
"""

import argparse
import json
import math
import pathlib

import numpy as np
import torch

import gpt_reference
import llama_reference
from safetensors_io import load, save

HERE = pathlib.Path(__file__).parent
PREFIX = "base_model.model."


def merged(folder):
    """The base's config, and its parameters with the adapter in them."""
    settings = json.loads((folder / "adapter_config.json").read_text())
    base = pathlib.Path(settings["base_model_name_or_path"])
    config, params = llama_reference.read_folder(base if base.is_dir() else folder / base)
    r, alpha = settings["r"], settings["lora_alpha"]
    scale = alpha / math.sqrt(r) if settings.get("use_rslora") else alpha / r
    held = {name: torch.tensor(np.array(array)).double()
            for name, array in load(folder / "adapter_model.safetensors").items()}
    for name, a in held.items():
        if not name.startswith(PREFIX):
            raise ValueError(f"{name} does not begin with {PREFIX}")
        own = name[len(PREFIX):]
        if own.endswith(".lora_A.weight"):
            layer = own[: -len(".lora_A.weight")]
            change = scale * held[PREFIX + layer + ".lora_B.weight"] @ a
            params[layer + ".weight"] = params[layer + ".weight"] + (
                change.T if settings["fan_in_fan_out"] else change)
        elif not own.endswith(".lora_B.weight"):
            params[own] = a
    return config, params


def logits(config, params, tokens):
    if config["model_type"] == "gpt2":
        return gpt_reference.logits(params, tokens, config["n_layer"], config["n_head"])
    return llama_reference.logits(config, params, tokens)


# Fixtures: the base, PEFT's settings, the layers with pairs, and the tensors that are trained whole.
CASES = {
    "llama": ("../../llama_hf/llama", {"r": 2, "lora_alpha": 8}, ["q_proj", "v_proj"], []),
    "mistral": ("../../llama_hf/mistral", {"r": 4, "lora_alpha": 6, "use_rslora": True},
                ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
                ["lm_head"]),
    "gpt2": ("../../gpt_f32", {"r": 3, "lora_alpha": 4.5, "fan_in_fan_out": True},
             ["c_attn", "c_proj"], []),
}  # fmt: skip


def write_fixtures():
    results = {"tokens": np.random.default_rng(3).integers(0, 11, (2, 7)).astype("<i4")}
    for seed, (name, (base, changes, targets, whole)) in enumerate(CASES.items()):
        folder, draw = HERE / "lora" / name, np.random.default_rng(seed)
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "alpha_pattern": {}, "auto_mapping": None, "base_model_name_or_path": base, "bias": "none",
            "fan_in_fan_out": False, "inference_mode": True, "init_lora_weights": True,
            "layers_pattern": None, "layers_to_transform": None, "loftq_config": {}, "lora_dropout": 0.05,
            "megatron_config": None, "megatron_core": "megatron.core", "modules_to_save": whole or None,
            "peft_type": "LORA", "rank_pattern": {}, "revision": None, "target_modules": targets,
            "task_type": "CAUSAL_LM", "use_dora": False, "use_rslora": False, **changes,
        }  # fmt: skip
        (folder / "adapter_config.json").write_text(json.dumps(settings, indent=2) + "\n")
        tensors, r = {}, settings["r"]
        for own, weight in llama_reference.read_folder(folder / base)[1].items():
            layer = own.removesuffix(".weight")
            out, into = weight.shape if weight.dim() == 2 else (0, 0)
            if settings["fan_in_fan_out"]:
                out, into = into, out
            if layer.rsplit(".", 1)[-1] in targets and own.endswith(".weight"):
                tensors[f"{PREFIX}{layer}.lora_A.weight"] = draw.normal(0, 0.3, (r, into)).astype("<f4")
                tensors[f"{PREFIX}{layer}.lora_B.weight"] = draw.normal(0, 0.3, (out, r)).astype("<f4")
            elif layer in whole:
                tensors[PREFIX + own] = (weight.numpy() + draw.normal(0, 0.3, weight.shape)).astype("<f4")
        save(folder / "adapter_model.safetensors", tensors, {"format": "pt"})
        results[name] = logits(*merged(folder), torch.tensor(results["tokens"]).long()).numpy().astype("<f4")
    save(HERE / "lora.safetensors", results)


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("adapter", type=pathlib.Path, nargs="?")
    parser.add_argument("--tokens", help="file of token numbers between white space")
    options = parser.parse_args()
    if options.adapter is None:
        return write_fixtures()
    ids = [int(word) for word in pathlib.Path(options.tokens).read_text().split()]
    config, params = merged(options.adapter)
    block, total = config.get("n_positions") or config["max_position_embeddings"], 0.0
    for begin in range(0, len(ids) - 1, block):
        part = ids[begin : begin + block + 1]
        given = logits(config, params, torch.tensor([part[:-1]]))[0]
        total += torch.nn.functional.cross_entropy(
            given, torch.tensor(part[1:]), reduction="sum").item()
    print(json.dumps({"tokens": len(ids) - 1, "loss": total / (len(ids) - 1)}))


if __name__ == "__main__":
    main()
