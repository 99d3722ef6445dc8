import torch


def two_steps(make):
    w = torch.tensor([[1.0, -2.0]], requires_grad=True)
    optimiser = make([w])
    for _ in range(2):
        optimiser.zero_grad()
        (w * w * torch.tensor([1.0, 10.0])).sum().backward()
        optimiser.step()
        print(*(f"{x:.4f}" for x in w[0].tolist()), end="  ")
    print()


print("[two_steps]")
two_steps(lambda w: torch.optim.SGD(w, lr=0.01))
two_steps(lambda w: torch.optim.SGD(w, lr=0.01, momentum=0.9))
two_steps(lambda w: torch.optim.AdamW(w, lr=0.01, betas=(0.9, 0.99), weight_decay=0.1))
print("[two_steps]")
