"""A drawing of chapter 10: heads cut out of the channels, and joined again."""

from drawing import Drawing

HEADS = ("norm", "feed_forward", "residual")  # three colours, those of the trained heads
CELL, TOKENS, CHANNELS, WIDTH = 9, 5, 12, 4


def drawings():
    d = Drawing(
        "cut_and_join",
        590,
        500,
        "From bottom to top, with five tokens, 12 channels and three heads: X, 5 by 12, times three maps gives Q, K and V, 5 by 12 each. Their"
        " channels are cut into three heads of 4. Each head has its own part of Q, K and V and its own 5 by 5 table of attention"
        " weights. The three results, 5 by 4, are joined next to each other, 5 by 12, and multiplied by W o.",
    )
    grid = [[""] * WIDTH] * TOKENS

    def cut(x, y):
        """A matrix [5, 12] in the colours of its three heads. Returns the three boxes."""
        return [d.matrix(x + WIDTH * CELL * h, y, grid, role, CELL) for h, role in enumerate(HEADS)]

    for y, words in (
        (464, "X  [5, 12]"),
        (366, "Q, K, V\n[5, 12] each"),
        (222, "each head\nby itself"),
        (107, "joined\n[5, 12]"),
        (26, "Y  [5, 12]"),
    ):
        d.text(10, y, words, 13, "start")
    x = d.matrix(287, 442, [[""] * CHANNELS] * TOKENS, "plain", CELL)
    parts = []
    for i, name in enumerate("QKV"):
        left = 127 + 160 * i
        parts.append(cut(left, 344))
        d.text(left - 12, 366, name, 14)
        end = (left + 54, 389)
        d.arrow((x.top[0] + 40 * (i - 1), 442), end)
        middle = (x.top[0] + 40 * (i - 1) + end[0]) / 2 + (-26, 14, 20)[i]
        d.text(middle, 418, "W", 14)
        d.text(middle + 10, 412, name.lower(), 10)
    for h, role in enumerate(HEADS):
        left = 115 + 160 * h
        for i, part in enumerate(parts):
            d.line(part[h].top, (left + 30 + 36 * i, 270), role=role)
        box = d.box(left, 176, 132, 94, role=role)
        d.text(left + 66, 190, f"head {h + 1}", 13, bold=True)
        shades = [[(t * 3 + s * 5 + h * 2) % 7 / 7 for s in range(TOKENS)] for t in range(TOKENS)]
        d.matrix(left + 14, 206, [[""] * TOKENS] * TOKENS, "weights", CELL, shades=shades)
        d.text(left + 72, 228, "·", 18)
        d.matrix(left + 86, 206, grid, role, CELL)
        d.text(left + 37, 261, "weights [5, 5]", 9)
        d.text(left + 105, 261, "V [5, 4]", 9)
        d.arrow(box.top, (287 + 18 + 36 * h, 131))
    cut(287, 84)
    out = d.box(287, 10, 108, 32, "Y")
    d.arrow((341, 83), out.bottom)
    d.text(354, 64, "W", 14)
    d.text(364, 58, "o", 10)
    yield d
