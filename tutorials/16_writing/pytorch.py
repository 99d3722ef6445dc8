"""The table of choices, for the same five logits."""

import torch

logits = torch.tensor([2.0, 1.5, 1.0, 0.0, -1.0])


def show(name, shares):
    print(*(f"{share:.3f}" for share in shares))


print("[choices]")
for temperature in (1, 0.5, 2):
    show(f"temperature {temperature}", torch.softmax(logits / temperature, dim=0))
top = torch.topk(logits, 3).values.min()
show("top_k 3", torch.softmax(logits.masked_fill(logits < top, -torch.inf), dim=0))
shares = torch.softmax(logits, dim=0)  # sorted already
before = shares.cumsum(0) - shares
kept = shares * (before < 0.7)
show("top_p 0.7", kept / kept.sum())
shares = torch.softmax(logits / 2, dim=0)
before = shares.cumsum(0) - shares
kept = shares * (before < 0.7)
show("temperature 2, top_p 0.7", kept / kept.sum())
print("[choices]")
