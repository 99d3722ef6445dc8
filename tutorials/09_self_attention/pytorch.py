import torch

query = torch.tensor([2.0, 0])
keys = torch.tensor([[0, 1], [1.5, 0], [0, 0], [2, 0]])
values = torch.tensor([[1.0, 0], [0, 1], [0, 0], [0, 2]])

print("[one_query]")
weights = torch.softmax(keys @ query / 2**0.5, dim=0)
print("weights", *(f"{w:.3f}" for w in weights))
answer = weights @ values
print("answer", *(f"{y:.3f}" for y in answer))
print("[one_query]")
