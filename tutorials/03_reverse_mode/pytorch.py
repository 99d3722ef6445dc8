import torch

print("[one_pass]")
a, b, c, d = (torch.tensor(x, requires_grad=True) for x in (2.0, 3.0, -2.0, 5.0))
y = (a * b + c) * d
y.backward()
print("gradients", *(f"{x.grad:.0f}" for x in (a, b, c, d)))
print("[one_pass]")

print("[twice]")
a, b = (torch.tensor(x, requires_grad=True) for x in (1.0, 2.0))
s = a + b
y = s * (s + b)
for _ in range(2):
    y.backward(retain_graph=True)
    print("a", f"{a.grad:.0f}", "b", f"{b.grad:.0f}")
print("[twice]")
