import torch
import torch.nn.functional as F

visible = torch.tensor([True, True, True, False])  # in nn.MultiheadAttention, True hides a key


def row(scores):
    hidden = torch.tensor(scores).masked_fill(~visible, -torch.inf)
    return *(f"{w:.2f}" for w in F.softmax(hidden, dim=-1)),


print("[before_or_after]")
print("no mask", *(f"{w:.2f}" for w in F.softmax(torch.tensor([2.0, 1, 0, 3]), dim=-1)))
print("-inf before the softmax", *row([2.0, 1, 0, 3]))
print("the same, a hidden 5", *row([2.0, 1, 0, 5]))
print("[before_or_after]")

print("[no_key]")
print("-inf everywhere", F.softmax(torch.full((4,), -torch.inf), dim=-1))  # nan: PyTorch follows the formula
print("-1e9 everywhere", *(f"{w:.2f}" for w in F.softmax(torch.tensor([2.0, 1, 0, 3]) - 1e9, dim=-1)))
print("[no_key]")

# Cross-attention: 5 queries, 7 keys, of which the last two of the second row are padding.
attention = torch.nn.MultiheadAttention(12, 3, batch_first=True)
target, source = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
padding = torch.zeros(2, 7, dtype=torch.bool)
padding[1, 5:] = True
y, weights = attention(target, source, source, key_padding_mask=padding, average_attn_weights=False)
print("[cross]")
print("weights", list(weights.shape))
print("y", list(y.shape))
print("[cross]")
