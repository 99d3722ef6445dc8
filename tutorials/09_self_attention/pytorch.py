import torch

query = torch.tensor([[2.0, 0]])
keys = torch.tensor([[0, 1], [1, 0], [1.8, 0], [0.5, 1]])
values = torch.tensor([[1.0, 0], [0, 1], [1, 1], [0, 2]])

print("[one_query]")
weights = torch.softmax(query @ keys.T / 2**0.5, dim=-1)
print("weights", *(f"{w:.3f}" for w in weights[0]))
context = weights @ values
print("context vector", *(f"{y:.3f}" for y in context[0]))
print("[one_query]")

# PyTorch 2 has all of it as torch.nn.functional.scaled_dot_product_attention(query, keys, values),
# with the options attn_mask and is_causal.
