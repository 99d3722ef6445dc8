import torch

print("[strides]")
print("strides", *torch.zeros(2, 3, 4).stride())
print("[strides]")

print("[readings]")
x = torch.tensor([[1, 2, 3], [4, 5, 6]])
print("transpose", x.T.stride(), *x.T.flatten().tolist())  # a view: nothing is copied
row = x[0].expand(2, 3)  # repeated, with a stride of 0
print("repeated", row.stride(), *row.flatten().tolist())
print("[readings]")

print("[sums]")
print(torch.tensor([[1], [2], [3]]) + torch.tensor([10, 20, 30, 40]))
print("[sums]")
