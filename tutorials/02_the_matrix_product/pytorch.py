import torch

a = torch.tensor([[1., 2, 3], [4, 5, 6]])
b = torch.tensor([[1., 10, 100], [0, 1, 1]])
print("[flags]")
print((a @ b.T).long())  # b.T is a view; the BLAS gets its strides as a flag
print(torch.bmm(a.view(2, 1, 3), b.view(2, 3, 1)).flatten().long().tolist())
print("[flags]")
