import torch
from torch import nn

V, T, C, H, N = 44, 16, 32, 4, 2

layer = nn.TransformerEncoderLayer(C, H, 4 * C, dropout=0, activation="gelu", batch_first=True, norm_first=True)
encoder = nn.TransformerEncoder(layer, N, norm=nn.LayerNorm(C), enable_nested_tensor=False)
words, segments, positions = nn.Embedding(V, C), nn.Embedding(2, C), nn.Embedding(T, C)
word_head = nn.Sequential(nn.Linear(C, C), nn.GELU(), nn.LayerNorm(C))
label_head = nn.Sequential(nn.Linear(C, C), nn.Tanh(), nn.Linear(C, 2))

tokens = torch.tensor([[1, 39, 32, 40, 15, 2, 0]])  # [CLS] the script was clumsy [SEP] [PAD]
x = words(tokens) + segments(torch.zeros_like(tokens)) + positions(torch.arange(tokens.shape[1]))
features = encoder(x, src_key_padding_mask=tokens == 0)  # True hides a key
word_logits = word_head(features) @ words.weight.T
label_logits = label_head(features[:, 0])


def count(*modules):
    return sum(p.numel() for m in modules for p in m.parameters())


print("[parameters]")
print("words", count(words))
print("segments and positions", count(segments, positions))
print("blocks and last norm", count(encoder))
print("head for words", count(word_head))
print("head for labels", count(label_head))
print("together", count(words, segments, positions, encoder, word_head, label_head))
print("[parameters]")
