"""The two sizes of the table, as PyTorch's own layers, on a device that stores nothing."""

from torch import nn


def gpt(vocab, positions, channels, layers, heads):
    block = nn.TransformerEncoderLayer(
        channels, heads, 4 * channels, activation="gelu", norm_first=True, device="meta"
    )
    parts = nn.ModuleDict(
        {
            "wte": nn.Embedding(vocab, channels, device="meta"),
            "wpe": nn.Embedding(positions, channels, device="meta"),
            "h": nn.TransformerEncoder(block, layers, enable_nested_tensor=False),
            "ln_f": nn.LayerNorm(channels, device="meta"),
            "head": nn.Linear(channels, vocab, bias=False, device="meta"),
        }
    )
    parts["head"].weight = parts["wte"].weight  # tied: counted once
    return sum(x.numel() for x in parts.parameters())


print("[parameters]")
print("together", gpt(59, 32, 64, 2, 4), gpt(50257, 1024, 768, 12, 12))
print("[parameters]")
