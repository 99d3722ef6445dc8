import torch
from torch import nn
from torch.nn import functional as F

x = torch.tensor([[1, 2, 3, 6], [100, 100, 100, 104.0]])
other = torch.tensor([[1, 2, 3, 6], [0, 7, 7, 0.0]])  # another second row
layer, batch = nn.LayerNorm(4), nn.BatchNorm1d(4)
print("[norms]")
for norm in (layer, batch):
    print(*(f"{v:.2f}" for v in (*norm(x)[0].tolist(), *norm(other)[0].tolist())))
print("[norms]")

block = nn.TransformerEncoderLayer(
    d_model=64,
    nhead=4,
    dim_feedforward=256,
    activation=lambda x: F.gelu(x, approximate="tanh"),
    norm_first=True,  # False, post-norm, is what PyTorch takes if you do not say
    batch_first=True,
)
x = torch.randn(2, 8, 64)
future = nn.Transformer.generate_square_subsequent_mask(8)  # causal
print("[block]")
print(list(x.shape), "to", list(block(x, src_mask=future).shape))
print("all", sum(p.numel() for p in block.parameters()))
print("[block]")
