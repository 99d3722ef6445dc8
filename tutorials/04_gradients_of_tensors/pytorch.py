import torch

print("[broadcast]")
x, b = torch.ones(2, 3), torch.ones(3, requires_grad=True)
(x + b).backward(torch.tensor([[1.0, 2, 3], [4, 5, 6]]))
print("db", *(f"{g:g}" for g in b.grad))
print("[broadcast]")

print("[product]")
a = torch.tensor([[1.0, 2, 3], [4, 5, 6]], requires_grad=True)
b = torch.tensor([[1.0, 2], [3, 4], [5, 6]], requires_grad=True)
(a @ b).backward(torch.tensor([[1.0, 2], [3, 5]]))
for row in (*a.grad, *b.grad):
    print(*(f"{g:g}" for g in row))
print("[product]")
