"""Targets of -100, and a head on the last token of each row."""

import torch
import torch.nn.functional as F

logits = torch.tensor(
    [
        [[1.0, 0, 2], [0, 3, 1], [2, 2, 0], [1, 1, 4]],
        [[0, 1, 0], [3, 0, 0], [5, 5, 5], [5, 5, 5]],
    ]
)  # [B, T, V]; the second row has two tokens of padding
everything = torch.tensor([[2, 1, 0, 2], [0, 1, -100, -100]])
answers = torch.tensor([[-100, -100, 0, 2], [-100, 1, -100, -100]])
print("[by_hand]")
for targets in (everything, answers):
    print(f"{F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100):.4f}")

lengths = torch.tensor([4, 2])
last = logits[torch.arange(2), lengths - 1]  # [B, V]
print(*(f"{x:.0f}" for x in last.flatten()))
print("[by_hand]")
