"""Drawings of chapter 10: heads cut out of the channels and joined again, and two layers that find a successor."""

from drawing import Drawing

HEADS = ("norm", "feed_forward", "residual")  # three colours, the colours of the trained heads
CELL, TOKENS, CHANNELS, WIDTH = 9, 5, 12, 4


def drawings():
    yield cut_and_join()
    yield cut_and_join(narrow=True)
    yield successor()


def cut_and_join(narrow=False):
    """The narrow one is for phones: smaller cells, and no words at the left of the rows of heads and maps."""
    cell, step, left = (6, 112, 24) if narrow else (CELL, 160, 127)
    middle = left + step + WIDTH * cell * len(HEADS) / 2
    height, small = TOKENS * cell, 11 if narrow else 10
    d = Drawing(
        "cut_and_join_narrow" if narrow else "cut_and_join",
        340 if narrow else 590,
        500,
        "From bottom to top, with five tokens, 12 channels and three heads: X, 5 by 12, times three maps gives Q, K and V, 5 by 12 each. Their"
        " channels are cut into three heads of 4. Each head has its own part of Q, K and V and its own 5 by 5 table of attention"
        " weights. The three results, 5 by 4, are joined next to each other, 5 by 12, and multiplied by W o.",
        for_phones=narrow,
    )
    grid = [[""] * WIDTH] * TOKENS

    def cut(x, y):
        """A matrix [5, 12] in the colours of its three heads. Returns the three boxes."""
        return [d.matrix(x + WIDTH * cell * h, y, grid, role, cell) for h, role in enumerate(HEADS)]

    rows = [(442 + height / 2, "X  [5, 12]"), (84 + height / 2, "joined\n[5, 12]"), (26, "Y  [5, 12]")]
    if not narrow:
        rows += [(344 + height / 2, "Q, K, V\n[5, 12] each"), (222, "each head\nby itself")]
    for y, words in rows:
        d.text(10, y, words, 13, "start")
    x = d.matrix(middle - CHANNELS * cell / 2, 442, [[""] * CHANNELS] * TOKENS, "plain", cell)
    parts = []
    for i, name in enumerate("QKV"):
        at = left + step * i
        parts.append(cut(at, 344))
        d.text(at - 12, 344 + height / 2, name, 14)
        start, end = middle + (40 if not narrow else 24) * (i - 1), (at + CHANNELS * cell / 2, 344 + height + 1)
        d.arrow((start, 442), end)
        beside = (start + end[0]) / 2 + (-26, 14, 20)[i]
        d.text(beside, 418, "W", 14)
        d.text(beside + 10, 412, name.lower(), small)
    wide = 104 if narrow else 132
    for h, role in enumerate(HEADS):
        at = left + step * h + (CHANNELS * cell - wide) / 2
        for i, part in enumerate(parts):
            d.line(part[h].top, (at + wide / 2 + (28 if narrow else 36) * (i - 1), 270), role=role)
        box = d.box(at, 176, wide, 94, role=role)
        d.text(at + wide / 2, 190, f"head {h + 1}", 13, bold=True)
        shades = [[(t * 3 + s * 5 + h * 2) % 7 / 7 for s in range(TOKENS)] for t in range(TOKENS)]
        d.matrix(at + 14, 206, [[""] * TOKENS] * TOKENS, "weights", cell, shades=shades)
        second = at + wide - WIDTH * cell - (18 if narrow else 10)
        d.text((at + 14 + TOKENS * cell + second) / 2, 206 + height / 2, "·", 18)
        d.matrix(second, 206, grid, role, cell)
        d.text(at + 14 + TOKENS * cell / 2, 256 if narrow else 261, "weights" if narrow else "weights [5, 5]", 11 if narrow else 9)
        d.text(second + WIDTH * cell / 2, 256 if narrow else 261, "V" if narrow else "V [5, 4]", 11 if narrow else 9)
        d.arrow(box.top, (middle + WIDTH * cell * (h - 1), 84 + height + 2))
    cut(middle - CHANNELS * cell / 2, 84)
    out = d.box(middle - 54, 10, 108, 32, "Y")
    d.arrow((middle, 83), out.bottom)
    d.text(middle + 13, 64, "W", 14)
    d.text(middle + 23, 58, "o", small)
    return d


def successor():
    d = Drawing(
        "successor",
        507,
        262,
        "The row Hello I love you Hello I, and two layers above it. In layer 1 each position attends to the word before it, so"
        " the position of love then contains love and I. In layer 2 the second I attends to this position, because its key"
        " contains I. The value there is love, and love is the answer.",
    )
    words, across, wide = ["Hello", "I", "love", "you", "Hello", "I"], 83, 76
    left = [8 + across * t for t in range(len(words))]
    row = [d.box(x, 226, wide, 28, word, "key" if t == 1 else "plain") for t, (x, word) in enumerate(zip(left, words))]
    roles = ["plain", "plain", "key", "plain", "plain", "query"]
    both = [word + (f"\nafter {words[t - 1]}" if t else "") for t, word in enumerate(words)]
    after = [d.box(x, 122, wide, 46, text, role, 12) for x, text, role in zip(left, both, roles)]
    for t in range(1, len(words)):
        first = t == 2
        d.arrow(row[t - 1].top, after[t].along_bottom(0.3), role="key" if first else "plain", width=2.5 if first else 1)
    d.text(8, 196, "layer 1", 13, "start", bold=True)
    answer = d.box(left[5], 22, wide, 28, "love", "value")
    d.arrow(after[2].top, answer.along_bottom(0.25), role="value", width=2.5)
    d.arrow(after[5].top, answer.along_bottom(0.75), role="query", dashed=True)
    d.text(8, 90, "layer 2", 13, "start", bold=True)
    d.text(left[5] + wide / 2, 10, "the answer", 13)
    return d
