import torch

large, one = torch.tensor(1e8), torch.tensor(1.0)
print("[orders]")
print(f"{(large + one) - large:.0f} {(large - large) + one:.0f}")
print("[orders]")
