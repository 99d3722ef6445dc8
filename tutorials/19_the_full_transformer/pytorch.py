"""The lectures' classes, with the sizes of the page's model."""

import torch
from torch import nn


class DecoderLayer(nn.Module):
    def __init__(self, d_model, heads, dropout=0.1):
        super().__init__()
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout_1, self.dropout_2, self.dropout_3 = (nn.Dropout(dropout) for _ in range(3))
        self.attn_1, self.attn_2 = (nn.MultiheadAttention(d_model, heads, dropout, batch_first=True) for _ in range(2))
        self.ff = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x, e_outputs, src_mask, trg_mask):  # in PyTorch, True hides
        x2 = self.norm_1(x)
        x = x + self.dropout_1(self.attn_1(x2, x2, x2, attn_mask=trg_mask)[0])
        x2 = self.norm_2(x)
        x = x + self.dropout_2(self.attn_2(x2, e_outputs, e_outputs, key_padding_mask=src_mask)[0])
        x2 = self.norm_3(x)
        return x + self.dropout_3(self.ff(x2))


class Decoder(nn.Module):
    def __init__(self, vocab, d_model, N, heads):
        super().__init__()
        self.embed = nn.Embedding(vocab, d_model)
        self.layers = nn.ModuleList(DecoderLayer(d_model, heads) for _ in range(N))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, trg, e_outputs, src_mask, trg_mask):
        x = self.embed(trg)  # + positions
        for layer in self.layers:
            x = layer(x, e_outputs, src_mask, trg_mask)
        return self.norm(x)


class Encoder(nn.Module):
    def __init__(self, vocab, d_model, N, heads):
        super().__init__()
        self.embed = nn.Embedding(vocab, d_model)
        layer = nn.TransformerEncoderLayer(d_model, heads, 4 * d_model, activation="gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, N, nn.LayerNorm(d_model), enable_nested_tensor=False)

    def forward(self, src, src_mask):
        return self.layers(self.embed(src), src_key_padding_mask=src_mask)  # + positions


class Transformer(nn.Module):
    def __init__(self, src_vocab, trg_vocab, d_model, N, heads):
        super().__init__()
        self.encoder = Encoder(src_vocab, d_model, N, heads)
        self.decoder = Decoder(trg_vocab, d_model, N, heads)
        self.out = nn.Linear(d_model, trg_vocab)

    def forward(self, src, trg, src_mask, trg_mask):
        return self.out(self.decoder(trg, self.encoder(src, src_mask), src_mask, trg_mask))


model = Transformer(90, 145, 32, 2, 4)
src, trg = torch.zeros(2, 7, dtype=torch.long), torch.zeros(2, 9, dtype=torch.long)
padding = torch.zeros(2, 7, dtype=torch.bool)
padding[1, 4:] = True
later = torch.ones(9, 9, dtype=torch.bool).triu(1)
print("[shapes]")
print("h", list(model.encoder(src, padding).shape))
print("logits", list(model(src, trg, padding, later).shape))
print("parameters", sum(x.numel() for x in model.parameters()))
print("[shapes]")
