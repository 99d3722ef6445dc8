"""A GPT as a function of its named tensors, in PyTorch; names and layout are those of GPT-2.

Hugging Face's, that is: every product's weight is [in, out]. Pre-norm blocks, learned positions,
tanh-form GELU, output weights tied to the token embedding. A missing bias counts as none.
"""

import math

import torch
import torch.nn.functional as F


def parameter_shapes(n_layer, n_embd, block_size, vocab_size, bias=True):
    """Name -> shape of every tensor, in the order in which GPT-2 lists them."""
    shapes = {
        "transformer.wte.weight": (vocab_size, n_embd),
        "transformer.wpe.weight": (block_size, n_embd),
    }

    def add(name, *shape):
        shapes[name + ".weight"] = shape
        if bias:
            shapes[name + ".bias"] = shape[-1:]

    for layer in range(n_layer):
        at = f"transformer.h.{layer}."
        add(at + "ln_1", n_embd)
        add(at + "attn.c_attn", n_embd, 3 * n_embd)
        add(at + "attn.c_proj", n_embd, n_embd)
        add(at + "ln_2", n_embd)
        add(at + "mlp.c_fc", n_embd, 4 * n_embd)
        add(at + "mlp.c_proj", 4 * n_embd, n_embd)
    add("transformer.ln_f", n_embd)
    return shapes


def logits(params, tokens, n_layer, n_head, eps=1e-5):
    """Tokens [B, T] -> logits [B, T, V]."""

    def linear(name, x):
        y = x @ params[name + ".weight"]
        return y + params[name + ".bias"] if name + ".bias" in params else y

    def norm(name, x):
        weight, bias = params[name + ".weight"], params.get(name + ".bias")
        return F.layer_norm(x, weight.shape, weight, bias, eps)

    def attention(name, x):
        batch, time, channels = x.shape
        heads = (batch, time, n_head, channels // n_head)
        packed = linear(name + ".c_attn", x).split(channels, dim=-1)
        q, k, v = (part.view(heads).transpose(1, 2) for part in packed)
        scores = q @ k.transpose(-2, -1) / math.sqrt(channels // n_head)
        future = torch.ones(time, time, dtype=torch.bool).triu(1)
        mixed = scores.masked_fill(future, -math.inf).softmax(-1) @ v
        return linear(name + ".c_proj", mixed.transpose(1, 2).reshape(batch, time, channels))

    embedding = params["transformer.wte.weight"]
    x = embedding[tokens] + params["transformer.wpe.weight"][: tokens.shape[1]]
    for layer in range(n_layer):
        at = f"transformer.h.{layer}."
        x = x + attention(at + "attn", norm(at + "ln_1", x))
        hidden = linear(at + "mlp.c_fc", norm(at + "ln_2", x))
        x = x + linear(at + "mlp.c_proj", F.gelu(hidden, approximate="tanh"))
    return norm("transformer.ln_f", x) @ embedding.T


def loss(params, tokens, targets, n_layer, n_head, eps=1e-5):
    """Mean cross-entropy over all positions."""
    scores = logits(params, tokens, n_layer, n_head, eps)
    return F.cross_entropy(scores.flatten(0, -2), targets.flatten())
