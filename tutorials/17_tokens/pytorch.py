import math
from pathlib import Path

import torch
import torch.nn.functional as F

# The most frequent pair of neighbours. A space begins a word, and no pair goes across a cut.
tokens = torch.tensor(list(b"the hen and then the other hen"))
left, right = tokens[:-1], tokens[1:]
counts = torch.bincount((left * 256 + right)[right != ord(" ")])
best = int(counts.argmax())
print("[steps]")
print(f"{counts[best]} times: {best // 256} and {best % 256} become 256")
print("[steps]")

# The counted table of bytes, with 0.1 added to each count, in nats per token and bits per byte.
tales = Path(__file__).resolve().parents[2] / "nn/data/corpus/tales.txt"
text = torch.tensor(list(tales.read_bytes()))
train, held_out = text[: len(text) * 29 // 30], text[len(text) * 29 // 30 :]
counts = torch.full((256, 256), 0.1)
counts.index_put_((train[:-1], train[1:]), torch.tensor(1.0), accumulate=True)
loss = F.cross_entropy(counts.log()[held_out[:-1]], held_out[1:]).item()
print("[sizes]")
print(f"{256} {1:.2f} {loss:.3f} {loss / math.log(2):.3f}")
print("[sizes]")
