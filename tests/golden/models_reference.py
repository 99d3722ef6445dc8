#!/usr/bin/env python3
"""Computes models.safetensors: layers and models of nn/ as PyTorch has them, in double precision.

A case holds `NAME/in0` ..., `NAME/param/P` under gradus's names and layout (weights of linear layers are
[in, out], PyTorch's transposed), `NAME/out`, `NAME/dy` and, of sum(out * dy), `NAME/gin0` ... and
`NAME/grad/P`. Masks and tokens are I32: 1 where a key may be seen.
"""

import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from safetensors_io import save

HERE = pathlib.Path(__file__).parent
B, T, S, C, H, INNER, LAYERS = 2, 3, 5, 6, 2, 7, 2


class File:
    def __init__(self):
        self.tensors = {}
        self.generator = torch.Generator().manual_seed(11)

    def normal(self, *shape, scale=1.0):
        x = torch.randn(shape, generator=self.generator, dtype=torch.float64) * scale
        return x.float().double()

    def draw(self, module, scale=0.5):
        """Every parameter anew, so that none is 0 or 1."""
        for p in module.parameters():
            p.data = self.normal(*p.shape, scale=scale)
        return module

    def put(self, name, x):
        self.tensors[name] = x.detach().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)

    def integers(self, name, x):
        self.tensors[name] = np.asarray(x).astype(np.int32)

    def case(self, name, out, params, inputs=()):
        """`params` maps gradus's names to (tensor, view), the view being what gradus keeps."""
        dy = self.normal(*out.shape)
        leaves = list(dict.fromkeys(leaf for leaf, _ in params.values()))
        wanted = leaves + list(inputs)
        grads = dict(zip(wanted, torch.autograd.grad(out, wanted, dy, allow_unused=True)))
        for i, x in enumerate(inputs):
            self.put(f"{name}/in{i}", x)
            self.put(f"{name}/gin{i}", grads[x])
        for key, (leaf, view) in params.items():
            g = grads[leaf] if grads[leaf] is not None else torch.zeros_like(leaf)
            self.put(f"{name}/param/{key}", view(leaf).contiguous())
            self.put(f"{name}/grad/{key}", view(g).contiguous())
        self.put(f"{name}/out", out)
        self.put(f"{name}/dy", dy)


def same(x):
    return x


def transposed(x):
    return x.T


def linear(prefix, layer):
    named = {prefix + ".weight": (layer.weight, transposed)}
    if layer.bias is not None:
        named[prefix + ".bias"] = (layer.bias, same)
    return named


def norm(prefix, layer):
    at = prefix + "." if prefix else ""
    return {at + "weight": (layer.weight, same), at + "bias": (layer.bias, same)}


def attention(prefix, layer):
    """PyTorch packs the three products' weights into one."""

    def third(i):
        return lambda x: x.chunk(3)[i].T if x.dim() == 2 else x.chunk(3)[i]

    named = {}
    for i, part in enumerate(("query", "key", "value")):
        named[f"{prefix}.{part}.weight"] = (layer.in_proj_weight, third(i))
        named[f"{prefix}.{part}.bias"] = (layer.in_proj_bias, third(i))
    return {**named, **linear(prefix + ".output", layer.out_proj)}


def encoder_params(prefix, encoder):
    named = {}
    for i, layer in enumerate(encoder.layers):
        at = f"{prefix}layers.{i}."
        named |= norm(at + "norm_1", layer.norm1) | attention(at + "self_attention", layer.self_attn)
        named |= norm(at + "norm_2", layer.norm2) | linear(at + "feed_forward.c_fc", layer.linear1)
        named |= linear(at + "feed_forward.c_proj", layer.linear2)
    return named | (norm(prefix + "norm", encoder.norm) if encoder.norm else {})


def decoder_params(prefix, decoder):
    named = {}
    for i, layer in enumerate(decoder.layers):
        at = f"{prefix}layers.{i}."
        named |= norm(at + "norm_1", layer.norm1) | attention(at + "self_attention", layer.self_attn)
        named |= norm(at + "norm_2", layer.norm2)
        named |= attention(at + "cross_attention", layer.multihead_attn)
        named |= norm(at + "norm_3", layer.norm3) | linear(at + "feed_forward.c_fc", layer.linear1)
        named |= linear(at + "feed_forward.c_proj", layer.linear2)
    return named | (norm(prefix + "norm", decoder.norm) if decoder.norm else {})


OPTIONS = dict(dim_feedforward=INNER, dropout=0.0, batch_first=True, dtype=torch.float64)
PADDING = torch.tensor([[0, 0, 0, 0, 0], [0, 0, 0, 1, 1]], dtype=torch.bool)  # True: padding


def future(t):
    return torch.ones(t, t, dtype=torch.bool).triu(1)


def attention_cases(file):
    layer = file.draw(nn.MultiheadAttention(C, H, batch_first=True, dtype=torch.float64))
    x = file.normal(B, S, C).requires_grad_()
    out, weights = layer(x, x, x, key_padding_mask=PADDING, attn_mask=future(S), average_attn_weights=False)
    file.case("mha_self", out, attention("attention", layer), [x])
    file.put("mha_self/weights", weights)
    q, kv = (file.normal(B, n, C).requires_grad_() for n in (T, S))
    out, _ = layer(q, kv, kv, key_padding_mask=PADDING)
    file.case("mha_cross", out, attention("attention", layer), [q, kv])


def stack_cases(file):
    for place, first in (("pre", True), ("post", False)):
        final = nn.LayerNorm(C, dtype=torch.float64) if first else None
        layer = nn.TransformerEncoderLayer(C, H, activation="gelu", norm_first=first, **OPTIONS)
        encoder = file.draw(nn.TransformerEncoder(layer, LAYERS, final, enable_nested_tensor=False))
        x = file.normal(B, S, C).requires_grad_()
        out = encoder(x, src_key_padding_mask=PADDING)
        file.case("encoder_" + place, out, encoder_params("", encoder), [x])
        final = nn.LayerNorm(C, dtype=torch.float64) if first else None
        layer = nn.TransformerDecoderLayer(C, H, activation="relu", norm_first=first, **OPTIONS)
        decoder = file.draw(nn.TransformerDecoder(layer, LAYERS, final))
        y, source = (file.normal(B, n, C).requires_grad_() for n in (T, S))
        out = decoder(y, source, tgt_mask=future(T), memory_key_padding_mask=PADDING)
        file.case("decoder_" + place, out, decoder_params("", decoder), [y, source])


def sinusoids(length):
    table = torch.zeros(length, C, dtype=torch.float64)
    for t in range(length):
        for k in range(C // 2):
            angle = t / 10000 ** (2 * k / C)
            table[t, 2 * k], table[t, 2 * k + 1] = math.sin(angle), math.cos(angle)
    return table


def transformer_case(file):
    model = nn.Transformer(C, H, LAYERS, LAYERS, norm_first=True, **OPTIONS)
    file.draw(model)
    src_embed, trg_embed = (file.normal(n, C).requires_grad_() for n in (11, 13))
    out_layer = file.draw(nn.Linear(C, 13, dtype=torch.float64))
    src = torch.tensor([[1, 4, 7, 10, 2], [3, 5, 9, 0, 0]])
    trg = torch.tensor([[1, 12, 6], [2, 2, 8]])
    x, y = src_embed[src] + sinusoids(S), trg_embed[trg] + sinusoids(T)
    hidden = model(x, y, tgt_mask=future(T), src_key_padding_mask=src == 0, memory_key_padding_mask=src == 0)
    params = {"src_embed.weight": (src_embed, same), "trg_embed.weight": (trg_embed, same)}
    params |= encoder_params("encoder.", model.encoder) | decoder_params("decoder.", model.decoder)
    file.case("transformer", out_layer(hidden), params | linear("out", out_layer))
    file.integers("transformer/src", src)
    file.integers("transformer/trg", trg)


def batch_norm_case(file):
    layer = file.draw(nn.BatchNorm1d(C, dtype=torch.float64))
    x = file.normal(B, S, C).requires_grad_()
    rows = layer(x.reshape(B * S, C))
    file.case("batch_norm", rows.reshape(B, S, C), norm("", layer), [x])
    file.put("batch_norm/running_mean", layer.running_mean)
    file.put("batch_norm/running_var", layer.running_var)
    layer.eval()
    file.put("batch_norm/in_use", layer(x.reshape(B * S, C)).reshape(B, S, C))


def bert(params, tokens, segments, heads, layers):
    """BERT by its formulas; linear weights are [in, out]. Returns vectors in context."""

    def lin(name, x):
        return x @ params[name + ".weight"] + params[name + ".bias"]

    def layer_norm(name, x):
        return F.layer_norm(x, x.shape[-1:], params[name + ".weight"], params[name + ".bias"], 1e-12)

    def split(x):
        return x.view(*x.shape[:2], heads, -1).transpose(1, 2)

    at = "bert.embeddings."
    x = params[at + "word_embeddings.weight"][tokens]
    x = x + params[at + "position_embeddings.weight"][: tokens.shape[1]]
    x = layer_norm(at + "LayerNorm", x + params[at + "token_type_embeddings.weight"][segments])
    hidden_keys = (tokens == 0)[:, None, None, :]
    for i in range(layers):
        at = f"bert.encoder.layer.{i}."
        q, k, v = (split(lin(at + "attention.self." + part, x)) for part in ("query", "key", "value"))
        scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(hidden_keys, -math.inf)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape)
        x = layer_norm(at + "attention.output.LayerNorm", x + lin(at + "attention.output.dense", mixed))
        inner = F.gelu(lin(at + "intermediate.dense", x))
        x = layer_norm(at + "output.LayerNorm", x + lin(at + "output.dense", inner))
    words = layer_norm(
        "cls.predictions.transform.LayerNorm", F.gelu(lin("cls.predictions.transform.dense", x))
    )
    logits = words @ params["bert.embeddings.word_embeddings.weight"].T + params["cls.predictions.bias"]
    pooled = torch.tanh(lin("bert.pooler.dense", x[:, 0]))
    return logits, lin("classifier", pooled)


def bert_case(file):
    shapes = {
        "bert.embeddings.word_embeddings.weight": (11, C),
        "bert.embeddings.position_embeddings.weight": (S, C),
        "bert.embeddings.token_type_embeddings.weight": (2, C),
        "cls.predictions.bias": (11,),
    }

    def add(name, *shape):
        shapes[name + ".weight"], shapes[name + ".bias"] = shape, shape[-1:]

    for i in range(LAYERS):
        at = f"bert.encoder.layer.{i}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            add(at + "attention." + part, C, C)
        add(at + "intermediate.dense", C, INNER)
        add(at + "output.dense", INNER, C)
        add(at + "attention.output.LayerNorm", C)
        add(at + "output.LayerNorm", C)
    for name in ("bert.pooler.dense", "cls.predictions.transform.dense"):
        add(name, C, C)
    for name in ("bert.embeddings.LayerNorm", "cls.predictions.transform.LayerNorm"):
        add(name, C)
    add("classifier", C, 3)
    params = {k: file.normal(*shape, scale=0.5).requires_grad_() for k, shape in shapes.items()}
    tokens = torch.tensor([[1, 4, 7, 10, 2], [3, 5, 9, 0, 0]])
    segments = torch.tensor([[0, 0, 1, 1, 1], [0, 1, 1, 0, 0]])
    words, labels = bert(params, tokens, segments, H, LAYERS)
    targets = torch.tensor([[-100, 4, -100, 8, -100], [3, -100, 1, -100, -100]])
    loss = F.cross_entropy(words.flatten(0, 1), targets.flatten())
    both = torch.cat([words.flatten(), labels.flatten(), loss[None]])
    file.case("bert", both, {k: (p, same) for k, p in params.items()})
    for name, x in (("tokens", tokens), ("segments", segments), ("targets", targets)):
        file.integers("bert/" + name, x)


def vision_case(file):
    side, patch = 6, 3
    conv = file.draw(nn.Conv2d(1, C, patch, patch, dtype=torch.float64))
    layer = nn.TransformerEncoderLayer(C, H, activation="gelu", norm_first=True, **OPTIONS)
    final = nn.LayerNorm(C, dtype=torch.float64)
    encoder = file.draw(nn.TransformerEncoder(layer, LAYERS, final, enable_nested_tensor=False))
    token, places = file.normal(1, C).requires_grad_(), file.normal(5, C).requires_grad_()
    head = file.draw(nn.Linear(C, 4, dtype=torch.float64))
    images = file.normal(B, side, side).requires_grad_()
    patches = conv(images[:, None]).flatten(2).transpose(1, 2)
    x = torch.cat([token.expand(B, 1, C), patches], 1) + places
    params = {
        "embed.weight": (conv.weight, lambda x: x.reshape(C, patch * patch).T),
        "embed.bias": (conv.bias, same),
        "class_token": (token, same),
        "encoder.positions.weight": (places, same),
    }
    params |= encoder_params("encoder.", encoder) | linear("head", head)
    file.case("vision_transformer", head(encoder(x)[:, 0]), params, [images])


def t5_bucket(distance, both_ways, buckets, most):
    """As "Exploring the limits of transfer learning" describes it; distance is key minus query."""
    offset = 0
    if both_ways:
        buckets //= 2
        offset = buckets if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    exact = buckets // 2
    if distance < exact:
        return offset + distance
    share = math.log(distance / exact) / math.log(most / exact)
    return offset + min(exact + int(share * (buckets - exact)), buckets - 1)


def position_cases(file):
    for name, both_ways in (("t5_both_ways", True), ("t5_causal", False)):
        file.integers("positions/" + name, [t5_bucket(d, both_ways, 32, 128) for d in range(-200, 201)])
    for heads in (1, 4, 6, 8, 12):
        power = 2 ** int(math.floor(math.log2(heads)))
        slopes = [2.0 ** (-8 * (i + 1) / power) for i in range(power)]
        extra = [2.0 ** (-8 * (i + 1) / (2 * power)) for i in range(0, 2 * power, 2)]
        file.put(f"positions/alibi{heads}", np.array(slopes + extra[: heads - power]))


def main():
    torch.set_num_threads(1)
    file = File()
    for part in (attention_cases, stack_cases, transformer_case, batch_norm_case, bert_case,
                 vision_case, position_cases):  # fmt: skip
        part(file)
    path = HERE / "models.safetensors"
    save(path, file.tensors)
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
