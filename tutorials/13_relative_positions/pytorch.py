import torch

heads, length = 4, 6
slopes = 2 ** (-8 * torch.arange(1, heads + 1) / heads)  # one for each head
position = torch.arange(length)
distance = (position[None, :] - position[:, None]).abs()
bias = -slopes[:, None, None] * distance  # [H, T, S]

print("[alibi]")
for head in range(heads):
    last = bias[head, -1]
    print(head + 1, *(f"{v:.3f}" for v in last + 0.0), *(f"{v:.2f}" for v in last.softmax(-1)))
print("[alibi]")

# Newer versions take the bias as F.scaled_dot_product_attention(q, k, v, attn_mask=bias + later).
q = k = v = torch.randn(1, heads, length, 8)
later = torch.full((length, length), float("-inf")).triu(1)  # the causal mask
weights = (q @ k.transpose(-1, -2) / 8**0.5 + bias + later).softmax(-1)
y = weights @ v
