"""The products of the same step, as PyTorch's profiler counts them."""

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

B, T, C, H, L, V = 16, 32, 64, 4, 2, 61


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.q, self.k, self.v, self.o = (nn.Linear(C, C) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(C, 4 * C), nn.GELU(), nn.Linear(4 * C, C))

    def forward(self, x):
        y = self.ln_1(x)
        q, k, v = (f(y).view(B, T, H, C // H).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / (C // H) ** 0.5
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        heads = scores.softmax(-1) @ v
        x = x + self.o(heads.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln_2(x))


table = nn.Embedding(V, C)
blocks, ln_f = nn.Sequential(*(Block() for _ in range(L))), nn.LayerNorm(C)
tokens = torch.randint(V, (B, T + 1))
with profile(activities=[ProfilerActivity.CPU], with_flops=True) as steps:
    logits = ln_f(blocks(table(tokens[:, :-1]))) @ table.weight.T
    nn.functional.cross_entropy(logits.view(-1, V), tokens[:, 1:].reshape(-1)).backward()

products = ("aten::mm", "aten::addmm", "aten::bmm")
count = sum(event.flops for event in steps.key_averages() if event.key in products)
print("[work]")
print("operations in products, millions", round(count / 1e6, 1))
print("[work]")
