import torch

h = torch.tensor([[1.0, 0], [0, 1], [1, 1]])
s = torch.tensor([0.0, 2])
e = h @ s
a = torch.softmax(e, 0)
z = a @ h
print("[on_paper]")
print("e", *(f"{x:.3f}" for x in e))
print("a", *(f"{x:.3f}" for x in a))
print("z", *(f"{x:.3f}" for x in z))
print("[on_paper]")
