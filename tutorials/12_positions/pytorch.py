import torch


def sinusoids(positions, channels, base=10000.0):
    t = torch.arange(positions, dtype=torch.float64)[:, None]
    a = t * base ** (-torch.arange(0, channels, 2, dtype=torch.float64) / channels)
    return torch.stack([a.sin(), a.cos()], dim=-1).flatten(1)  # interleaved: [positions, channels]


p = sinusoids(100, 64)
print("[products]")
for d in (0, 2, 5, 22, 25):
    print(d, f"{p[0] @ p[d]:.3f}", f"{p[30] @ p[30 + d]:.3f}")
rises = sum(bool(p[0] @ p[d] > p[0] @ p[d - 1]) for d in range(1, 50))
print("rises", rises)
print("[products]")

print("[misprint]")
print(f"neighbours apart {(p[1] - p[0]).norm():.4f}")
print("[misprint]")

positions = torch.nn.Embedding(64, 32)  # the learned table, as in GPT-2 and BERT
x = torch.randn(8, 10, 32) + positions(torch.arange(10))
