import torch
from torch import nn
from torch.nn import functional as F

image = torch.arange(24.0).reshape(1, 1, 4, 6)  # [B, colours, height, width]
print("[patches]")
patches = F.unfold(image, kernel_size=2, stride=2).transpose(1, 2)  # [1, 6, 4]
for patch in patches[0]:
    print(*(int(pixel) for pixel in patch))
print("[patches]")


class VisionTransformer(nn.Module):
    def __init__(self, side=16, patch=4, labels=10, channels=32, heads=4, layers=2):
        super().__init__()
        # A linear layer on patches is a convolution whose stride is its kernel size.
        self.embed = nn.Conv2d(1, channels, kernel_size=patch, stride=patch)
        self.class_token = nn.Parameter(torch.randn(1, channels) * 0.02)
        self.positions = nn.Parameter(torch.randn((side // patch) ** 2 + 1, channels) * 0.1)
        block = nn.TransformerEncoderLayer(
            channels, heads, 4 * channels, 0, lambda x: F.gelu(x, approximate="tanh"), norm_first=True, batch_first=True
        )
        self.encoder = nn.TransformerEncoder(block, layers, nn.LayerNorm(channels))
        self.head = nn.Linear(channels, labels)

    def forward(self, images):
        patches = self.embed(images.unsqueeze(1)).flatten(2).transpose(1, 2)  # [B, N, C]
        first = self.class_token.expand(len(images), 1, -1)
        return self.head(self.encoder(torch.cat([first, patches], dim=1) + self.positions)[:, 0])


model = VisionTransformer()
print("[shapes]")
print("logits", list(model(torch.zeros(3, 16, 16)).shape))
print(sum(p.numel() for p in model.parameters()), "parameters")
print("[shapes]")
