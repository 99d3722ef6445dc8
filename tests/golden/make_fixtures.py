#!/usr/bin/env python3
"""Computes the golden fixtures of this folder with PyTorch, in double precision.

Run it only to change them: the C++ tests read the files. README.md says what each case means.
"""

import json
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

import gpt_reference
import pytorch_pages
from safetensors_io import BF16, save

HERE = pathlib.Path(__file__).parent
B, T, H, D, S = 2, 3, 5, 7, 4  # small and unequal, so that a swapped axis cannot pass


def _through_float(x):
    """Rounded to float32 and back, so that a float build starts from the same numbers."""
    return x.detach().float().double()


class Cases:
    """Collects cases: draws inputs, runs an op, and stores values and gradients under its name."""

    def __init__(self, seed):
        self.tensors = {}
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape):
        return torch.randn(shape, generator=self.generator, dtype=torch.float64)

    def positive(self, *shape):
        return 0.5 + 2 * torch.rand(shape, generator=self.generator, dtype=torch.float64)

    def integers(self, high, *shape):
        return torch.randint(high, shape, generator=self.generator)

    def add(self, name, op, *inputs, index=None, mask=None):
        """op(*inputs) gives a tensor or a tuple of them; index and mask are stored, not passed."""
        assert f"{name}/in0" not in self.tensors, name
        inputs = [_through_float(x).requires_grad_() for x in inputs]
        outs = op(*inputs)
        several = isinstance(outs, tuple)
        outs = outs if several else (outs,)
        upstream = [_through_float(self.normal(*out.shape)) for out in outs]
        grads = torch.autograd.grad(outs, inputs, upstream)
        for i, x in enumerate(inputs):
            self._put(f"{name}/in{i}", x)
        if index is not None:
            self._put(f"{name}/index0", index.int())
        if mask is not None:
            self._put(f"{name}/mask0", mask.int())
        for i, (out, dy) in enumerate(zip(outs, upstream)):
            self._put(f"{name}/out{i if several else ''}", out)
            self._put(f"{name}/dy{i if several else ''}", dy)
        for i, grad in enumerate(grads):
            self._put(f"{name}/grad{i}", grad)

    def _put(self, name, value):
        assert torch.isfinite(value).all(), name
        self.tensors[name] = value.detach().contiguous().numpy()


def elementwise(c):
    binary = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div}
    for name, op in {**binary, "maximum": torch.maximum}.items():
        c.add(name, op, c.normal(B, T, H), c.positive(B, T, H))
        c.add(name + "_broadcast", op, c.normal(B, T, H), c.positive(T, 1))
        c.add(name + "_broadcast_both", op, c.normal(B, 1, H), c.positive(T, 1))
        c.add(name + "_scalar_shape", op, c.normal(), c.positive(T, H))
    c.add("add_number", lambda x: x + 1.5, c.normal(T, H))
    c.add("sub_from_number", lambda x: 2.5 - x, c.normal(T, H))
    c.add("mul_number", lambda x: x * -0.5, c.normal(T, H))
    c.add("div_number_by", lambda x: 3.0 / x, c.positive(T, H))

    c.add("neg", torch.neg, c.normal(T, H))
    c.add("exp", torch.exp, c.normal(T, H))
    c.add("log", torch.log, c.positive(T, H))
    c.add("sqrt", torch.sqrt, c.positive(T, H))
    c.add("pow_3", lambda x: x.pow(3.0), c.normal(T, H))
    c.add("pow_minus_1.5", lambda x: x.pow(-1.5), c.positive(T, H))
    activations = {
        "abs": torch.abs,
        "tanh": torch.tanh,
        "sigmoid": torch.sigmoid,
        "relu": torch.relu,
        "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
        "gelu_erf": F.gelu,
        "silu": F.silu,
    }
    for name, op in activations.items():
        x = c.normal(T, H)
        x[0, 0] = 0.0
        c.add(name, op, x)
        c.add(name + "_wide", op, torch.linspace(-30, 30, 61, dtype=torch.float64))


def reductions(c):
    for name in ("sum", "mean"):
        op = getattr(torch, name)
        c.add(name + "_all", op, c.normal(B, T, H))
        for axes in ((0,), (1,), (2,), (0, 2), (1, 2)):
            label = f"{name}_axes" + "".join(map(str, axes))
            c.add(label, lambda x: op(x, axes), c.normal(B, T, H))
            c.add(label + "_keepdim", lambda x: op(x, axes, keepdim=True), c.normal(B, T, H))
    for axis in range(3):
        c.add(f"max_axes{axis}", lambda x: x.amax(axis), c.normal(B, T, H))
        c.add(f"max_axes{axis}_keepdim", lambda x: x.amax(axis, keepdim=True), c.normal(B, T, H))
    variance = lambda x, keep: x.var(-1, unbiased=False, keepdim=keep)
    c.add("variance", lambda x: variance(x, False), c.normal(B, T, H))
    c.add("variance_keepdim", lambda x: variance(x, True), c.normal(B, T, H))


def products(c):
    def add(name, a, b, transpose_a=False, transpose_b=False):
        swap = lambda x, yes: x.transpose(-2, -1) if yes else x
        c.add(name, lambda a, b: swap(a, transpose_a) @ swap(b, transpose_b), a, b)

    add("matmul", c.normal(T, H), c.normal(H, D))
    add("matmul_ta", c.normal(H, T), c.normal(H, D), transpose_a=True)
    add("matmul_tb", c.normal(T, H), c.normal(D, H), transpose_b=True)
    add("matmul_ta_tb", c.normal(H, T), c.normal(D, H), True, True)
    add("matmul_batched", c.normal(B, T, H), c.normal(B, H, D))
    add("matmul_batched_ta", c.normal(B, H, T), c.normal(B, H, D), transpose_a=True)
    add("matmul_batched_tb", c.normal(B, T, H), c.normal(B, D, H), transpose_b=True)
    add("matmul_batched_ta_tb", c.normal(B, H, T), c.normal(B, D, H), True, True)
    add("matmul_broadcast", c.normal(B, 1, T, H), c.normal(D, H, S))
    add("matmul_broadcast_ta", c.normal(B, 1, H, T), c.normal(D, H, S), transpose_a=True)
    add("matmul_broadcast_tb", c.normal(B, 1, T, H), c.normal(D, S, H), transpose_b=True)
    add("matmul_shared_right", c.normal(B, T, H), c.normal(H, D))
    add("matmul_shared_left", c.normal(T, H), c.normal(B, H, D))
    c.add("linear", lambda x, w, b: x @ w + b, c.normal(B, T, H), c.normal(H, D), c.normal(D))
    c.add("linear_no_bias", lambda x, w: x @ w, c.normal(B, T, H), c.normal(H, D))


def rearrangements(c):
    x = lambda: c.normal(B, T, H)
    c.add("reshape", lambda x: x.reshape(H, 2 * T), x())
    c.add("transpose_12", lambda x: x.transpose(1, 2), x())
    c.add("transpose_02", lambda x: x.transpose(0, 2), x())
    c.add("permute_201", lambda x: x.permute(2, 0, 1), x())
    c.add("permute_0213", lambda x: x.permute(0, 2, 1, 3), c.normal(B, T, H, D))
    c.add("concat_axis1", lambda *xs: torch.cat(xs, 1), x(), c.normal(B, 2, H), c.normal(B, 1, H))
    c.add("concat_axis0", lambda *xs: torch.cat(xs, 0), c.normal(T, H), c.normal(1, H))
    c.add("split_2_3_axis1", lambda x: x.split((2, 3), 1), c.normal(T, H, D))
    c.add("slice_axis2_1_4", lambda x: x[:, :, 1:4], x())
    c.add("slice_axis0_1_2", lambda x: x[1:2], x())
    c.add("pad_axis1_1_2", lambda x: F.pad(x, (0, 0, 1, 2)), x())
    c.add("pad_axis2_2_0", lambda x: F.pad(x, (2, 0)), x())
    mask = torch.arange(T * H).view(T, H) % 3 == 1
    c.add("where", lambda a, b: torch.where(mask, a, b), c.normal(T, H), c.normal(T, H), mask=mask)
    c.add("where_broadcast", lambda a, b: torch.where(mask, a, b), x(), c.normal(T, 1), mask=mask)
    c.add("masked_fill", lambda x: x.masked_fill(mask, -2.5), c.normal(T, H), mask=mask)
    c.add("masked_fill_broadcast", lambda x: x.masked_fill(mask, -2.5), x(), mask=mask)
    index = torch.tensor([[4, 0, 4], [10, 4, 1]])  # 4 three times: its gradients are added
    c.add("embedding", lambda table: table[index], c.normal(11, H), index=index)
    for axis, size in ((1, T), (2, D)):
        shape = [B, H, D]
        high, shape[axis] = shape[axis], 2 * size
        at = c.integers(high, *shape)
        c.add(f"gather_axis{axis}", lambda x: x.gather(axis, at), c.normal(B, H, D), index=at)


def fused(c):
    for name, op in (("softmax", torch.softmax), ("log_softmax", torch.log_softmax)):
        c.add(name, lambda x: op(x, -1), c.normal(B, T, D))
        c.add(name + "_axis1", lambda x: op(x, 1), c.normal(B, T, D))
        c.add(name + "_large", lambda x: op(x, -1), 500 + 200 * c.normal(T, D))
    targets = c.integers(D, H)
    ignored = targets.clone()
    ignored[1] = ignored[4] = -1
    for name, index, smoothing in (
        ("cross_entropy", targets, 0.0),
        ("cross_entropy_ignore_index", ignored, 0.0),
        ("cross_entropy_label_smoothing", targets, 0.1),
        ("cross_entropy_ignore_index_label_smoothing", ignored, 0.1),
    ):
        entropy = lambda x: F.cross_entropy(x, index, ignore_index=-1, label_smoothing=smoothing)
        c.add(name, entropy, 2 * c.normal(H, D), index=index)
    weight, bias = 1 + 0.3 * c.normal(D), 0.3 * c.normal(D)
    norm = lambda x, *wb: F.layer_norm(x, (D,), *wb, eps=1e-5)
    c.add("layer_norm", norm, 1 + 2 * c.normal(B, T, D), weight, bias)
    c.add("layer_norm_no_bias", norm, 1 + 2 * c.normal(B, T, D), weight)

    def attention(q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return scores.softmax(-1) @ v

    qkv = lambda time, source: (c.normal(B, H, t, D) for t in (time, source, source))
    mask = c.integers(2, B, 1, T, S).bool()
    mask[..., 2] = True  # every query attends to something
    lower = torch.ones(S, S, dtype=torch.bool).tril()
    c.add("attention", attention, *qkv(T, S))
    c.add("attention_causal", lambda *x: attention(*x, lower), *qkv(S, S))
    c.add("attention_mask", lambda *x: attention(*x, mask), *qkv(T, S), mask=mask)


GPT = {"n_layer": 2, "n_head": 3}
SHAPE = {"n_layer": 2, "n_embd": 12, "block_size": 7, "vocab_size": 11}
STEPS, BATCH = 10, 2


def gpt_parameters():
    generator = torch.Generator().manual_seed(3)
    params = {}
    for name, shape in gpt_reference.parameter_shapes(**SHAPE).items():
        value = 0.2 * torch.randn(shape, generator=generator, dtype=torch.float64)
        is_norm_weight = ".ln_" in name and name.endswith("weight")
        params[name] = _through_float(value + 1 if is_norm_weight else value)
    return params


def gpt_batches():
    """Sequences of x -> 2 x + 3 mod 11 from random starts: something that ten steps can learn."""
    starts = torch.randint(11, (STEPS, BATCH), generator=torch.Generator().manual_seed(4))
    rows = [starts]
    for _ in range(SHAPE["block_size"]):
        rows.append((2 * rows[-1] + 3) % 11)
    ids = torch.stack(rows, -1)
    return ids[..., :-1], ids[..., 1:]


def training_losses(params, tokens, targets, make_optimizer):
    params = {name: p.clone().requires_grad_() for name, p in params.items()}
    optimizer, losses = make_optimizer(list(params.values())), []
    for x, y in zip(tokens, targets):
        loss = gpt_reference.loss(params, x, y, **GPT)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params.values(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return np.array(losses)


def adamw(params):
    decayed = {"params": [p for p in params if p.dim() >= 2], "weight_decay": 0.1}
    others = {"params": [p for p in params if p.dim() < 2], "weight_decay": 0.0}
    return torch.optim.AdamW([decayed, others], lr=1e-2, betas=(0.9, 0.95), eps=1e-8)


def write_gpt():
    params, (train_tokens, train_targets) = gpt_parameters(), gpt_batches()
    generator = torch.Generator().manual_seed(5)
    tokens, targets = (torch.randint(11, (2, 7), generator=generator) for _ in range(2))
    leaves = {name: p.clone().requires_grad_() for name, p in params.items()}
    loss = gpt_reference.loss(leaves, tokens, targets, **GPT)
    grads = torch.autograd.grad(loss, list(leaves.values()))
    out = {"param/" + name: p.numpy() for name, p in params.items()}
    out.update({"grad/" + name: g.numpy() for name, g in zip(leaves, grads)})
    out["tokens"], out["targets"] = tokens.int().numpy(), targets.int().numpy()
    out["logits"] = gpt_reference.logits(params, tokens, **GPT).numpy()
    out["loss"] = loss.detach().numpy()
    out["train_tokens"] = train_tokens.int().numpy()
    out["train_targets"] = train_targets.int().numpy()
    sgd = lambda params: torch.optim.SGD(params, lr=0.1, momentum=0.9)
    out["losses"] = training_losses(params, train_tokens, train_targets, adamw)
    out["losses_sgd"] = training_losses(params, train_tokens, train_targets, sgd)
    save(HERE / "gpt.safetensors", out)

    folder = HERE / "gpt_f32"
    folder.mkdir(exist_ok=True)
    in_float = {name: p.float().numpy() for name, p in params.items()}
    save(folder / "model.safetensors", in_float, {"format": "pt"})
    config = {
        "model_type": "gpt2", "n_layer": 2, "n_head": 3, "n_embd": 12, "n_positions": 7,
        "vocab_size": 11, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
        "bias": True,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def write_half():
    """Every sign and exponent with mantissas at both ends and between: subnormals and zeros too."""

    def patterns(exponent_bits, mantissa_bits, mantissas):
        exponents = np.arange(2**exponent_bits)[:, None] << mantissa_bits
        positive = (exponents | np.array(mantissas)[None, :]).ravel()
        bits = np.concatenate([positive, positive | 1 << (exponent_bits + mantissa_bits)])
        infinity = (2**exponent_bits - 1) << mantissa_bits
        is_nan = (bits & ((1 << (exponent_bits + mantissa_bits)) - 1)) > infinity
        return bits[~is_nan].astype(np.uint16), bits[is_nan].astype(np.uint16)

    f16, f16_nan = patterns(5, 10, [0, 1, 2, 0x155, 0x200, 0x2AA, 0x3FE, 0x3FF])
    bf16, bf16_nan = patterns(8, 7, [0, 1, 0x2A, 0x40, 0x55, 0x7F])
    bf16_values = torch.from_numpy(bf16.view(np.int16)).view(torch.bfloat16).float().numpy()
    save(
        HERE / "half.safetensors",
        {
            "f16": f16.view(np.float16), "f16_as_f32": f16.view(np.float16).astype(np.float32),
            "bf16": BF16(bf16), "bf16_as_f32": bf16_values,
            "f16_nan": f16_nan.view(np.float16), "bf16_nan": BF16(bf16_nan),
        },
    )  # fmt: skip


def main():
    torch.set_num_threads(1)
    cases = Cases(seed=1)
    for part in (elementwise, reductions, products, rearrangements, fused):
        part(cases)
    save(HERE / "ops.safetensors", cases.tensors)
    write_gpt()
    write_half()
    pytorch_pages.write()
    for path in sorted(HERE.glob("**/*.safetensors")):
        print(f"{path.relative_to(HERE)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
