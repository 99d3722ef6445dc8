"""The GPT of the `gradus` command in PyTorch, written for speed on a CPU: nanoGPT's architecture.

Importing this module sets how OpenMP waits, which must happen before PyTorch loads (README.md says
why), so import it first.
"""

import math
import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch
import torch.nn as nn
import torch.nn.functional as F

# PyTorch 2 has a kernel for attention. The variable compares it with the products that PyTorch 1 needs.
FUSED_ATTENTION = hasattr(F, "scaled_dot_product_attention") and os.environ.get("PEER_ATTENTION") != "composed"


class LayerNorm(nn.Module):
    """nn.LayerNorm of this version cannot leave the bias out."""

    def __init__(self, size, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class SelfAttention(nn.Module):
    def __init__(self, n_head, n_embd, block_size, dropout, bias):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd, bias=bias)
        self.c_proj = nn.Linear(n_embd, n_embd, bias=bias)
        self.attn_dropout = nn.Dropout(dropout)
        self.resid_dropout = nn.Dropout(dropout)
        self.dropout = dropout
        future = torch.full((block_size, block_size), -math.inf).triu(1)
        self.register_buffer("future", future, persistent=False)

    def forward(self, x):
        batch, time, channels = x.shape
        heads, size = batch * self.n_head, channels // self.n_head
        packed = self.c_attn(x).view(batch, time, 3, self.n_head, size)
        # One copy collects q, k and v of every head; the product applies scale and mask.
        if FUSED_ATTENTION:
            q, k, v = packed.permute(2, 0, 3, 1, 4).unbind(0)
            dropout = self.dropout if self.training else 0.0
            mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)
            return self.resid_dropout(self.c_proj(mixed.transpose(1, 2).reshape(x.shape)))
        q, k, v = packed.permute(2, 0, 3, 1, 4).reshape(3, heads, time, size).unbind(0)
        future = self.future[:time, :time]
        scores = torch.baddbmm(future, q, k.transpose(1, 2), alpha=1 / math.sqrt(size))
        mixed = torch.bmm(self.attn_dropout(scores.softmax(-1)), v)
        mixed = mixed.view(batch, self.n_head, time, size).transpose(1, 2).reshape(x.shape)
        return self.resid_dropout(self.c_proj(mixed))


class Block(nn.Module):
    def __init__(self, n_head, n_embd, block_size, dropout, bias):
        super().__init__()
        self.ln_1 = LayerNorm(n_embd, bias)
        self.attn = SelfAttention(n_head, n_embd, block_size, dropout, bias)
        self.ln_2 = LayerNorm(n_embd, bias)
        self.c_fc = nn.Linear(n_embd, 4 * n_embd, bias=bias)
        self.c_proj = nn.Linear(4 * n_embd, n_embd, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        hidden = F.gelu(self.c_fc(self.ln_2(x)), approximate="tanh")
        return x + self.dropout(self.c_proj(hidden))


class GPT(nn.Module):
    def __init__(self, n_layer, n_head, n_embd, block_size, vocab_size, dropout=0.0, bias=False):
        super().__init__()
        self.block_size = block_size
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.dropout = nn.Dropout(dropout)
        shape = (n_head, n_embd, block_size, dropout, bias)
        self.h = nn.ModuleList(Block(*shape) for _ in range(n_layer))
        self.ln_f = LayerNorm(n_embd, bias)
        for name, p in self.named_parameters():
            if p.dim() >= 2:  # as in GPT-2: the 2 L residual projections start smaller
                residual = name.endswith("c_proj.weight")
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * n_layer) if residual else 0.02)
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, tokens, targets=None):
        """The mean loss when targets are given, else the last position's logits [B, V]."""
        x = self.dropout(self.wte(tokens) + self.wpe.weight[: tokens.shape[1]])
        for block in self.h:
            x = block(x)
        if targets is None:
            return F.linear(self.ln_f(x[:, -1]), self.wte.weight)
        logits = F.linear(self.ln_f(x), self.wte.weight)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def make_adamw(model, lr, betas, weight_decay):
    """Decay for matrices alone, as nanoGPT has it."""
    params = list(model.parameters())
    matrices = {"params": [p for p in params if p.dim() >= 2], "weight_decay": weight_decay}
    vectors = {"params": [p for p in params if p.dim() < 2], "weight_decay": 0.0}
    try:
        return torch.optim.AdamW([matrices, vectors], lr=lr, betas=betas, fused=True)
    except (RuntimeError, TypeError):  # before 2.4, there is none for CPUs
        return torch.optim.AdamW([matrices, vectors], lr=lr, betas=betas, foreach=True)


MODEL_FLAGS = ("n_layer", "n_head", "n_embd", "block_size", "bias")


def add_model_flags(parser):
    """nanoGPT's names; defaults are its published CPU command line's."""
    parser.add_argument("--n_layer", type=int, default=4)
    parser.add_argument("--n_head", type=int, default=4)
    parser.add_argument("--n_embd", type=int, default=128)
    parser.add_argument("--block_size", type=int, default=64)
    parser.add_argument("--batch_size", type=int, default=12)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1337)
    parser.add_argument("--bias", type=lambda text: text.lower() in ("true", "1"), default=False)


def model_arguments(options):
    return {name: getattr(options, name) for name in MODEL_FLAGS}
