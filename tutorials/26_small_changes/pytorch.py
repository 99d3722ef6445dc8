"""A pair beside a linear layer, two rows in eight bits, and the loss of two answers."""

import torch
import torch.nn.functional as F

x, weight = torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 0, 2], [0, 1, 1]])
a, b, s = torch.tensor([[1.0], [-1]]), torch.tensor([[2.0, 0, 1]]), 0.5
print("[pair_by_hand]")
print(*(f"{y:.1f}" for y in (x @ weight + s * (x @ a) @ b).flatten()))
print(*(f"{y:.1f}" for y in (x @ (weight + s * a @ b)).flatten()))
print("[pair_by_hand]")

better, worse = torch.tensor([-2.0]), torch.tensor([-3.0])
better_before, worse_before = torch.tensor([-2.5]), torch.tensor([-2.0])
print("[loss_by_hand]")
for beta in (0, 0.1, 1):
    margin = (better - better_before) - (worse - worse_before)
    print(f"{-F.logsigmoid(beta * margin).mean():.4f}")
print("[loss_by_hand]")

row = torch.tensor([0.31, -0.08, 0.52, 0.14, -0.43, 0.02])
print("[rows]")
for outlier in (0.52, 52):
    row[2] = outlier
    scale = row.abs().max() / 127
    whole = (row / scale).round().to(torch.int8)
    print(f"{scale:.4f}", *whole.tolist(), *(f"{y:.2f}" for y in scale * whole))
print("[rows]")
