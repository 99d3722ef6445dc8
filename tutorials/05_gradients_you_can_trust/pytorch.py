import torch


class WrongTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * (1 - y)  # right: 1 - y * y


x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
print("[first_check]")
print("tanh passes:", torch.autograd.gradcheck(torch.tanh, x))
print("WrongTanh passes:", torch.autograd.gradcheck(WrongTanh.apply, x, raise_exception=False))
(got,) = torch.autograd.grad(WrongTanh.apply(x)[0], x)
h = 1e-5
expected = (torch.tanh(x[0] + h) - torch.tanh(x[0] - h)) / (2 * h)
print(f"argument 0, element 0: got {got[0]:.6g}, expected {expected:.6g}")
print("[first_check]")
