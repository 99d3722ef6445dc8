import torch
import torch.nn.functional as F

x = torch.tensor([[2.0, 0, -1]], requires_grad=True)
loss = F.cross_entropy(x, torch.tensor([2]))
loss.backward()
print("[gradient]")
print(f"loss {loss.item():.3f}")
print("p   ", *(f"{p:.2f}" for p in torch.softmax(x, 1)[0]))
print("grad", *(f"{g:.2f}" for g in x.grad[0]))
print("[gradient]")

x = torch.tensor([100.0, 0, -100])
print("[large]")
print("log of the softmax", *(f"{y:.1f}" for y in torch.softmax(x, 0).log()[:2]))
print("log_softmax", *(f"{y:.1f}" for y in F.log_softmax(x, 0)))
print("[large]")
