import torch

print("[questions]")
for heads in 1, 2:
    attention = torch.nn.MultiheadAttention(16, heads)
    print(heads, sum(p.numel() for p in attention.parameters()))
print("[questions]")

print("[shapes]")
attention = torch.nn.MultiheadAttention(12, 3, batch_first=True)
x = torch.randn(2, 5, 12)
y, weights = attention(x, x, x, average_attn_weights=False)
print("weights", list(weights.shape))
print("y", list(y.shape))
print("[shapes]")
