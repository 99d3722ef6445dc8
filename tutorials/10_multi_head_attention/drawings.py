"""A drawing of chapter 10: heads cut out of the channels, and joined again."""

from drawing import Drawing

HEADS = ("norm", "feed_forward", "residual")  # three colours, those of the trained heads


def drawings():
    d = Drawing(
        "cut_and_join",
        590,
        430,
        "From bottom to top: the queries of all heads, T by C, are one matrix. Its channels are cut into three heads of D "
        "channels each; keys and values are cut likewise. Each head computes softmax of Q K transposed over the square "
        "root of D, times V, by itself. The results are joined next to each other, T by C, and multiplied by W o.",
    )
    d.text(86, 396, "Q, K, V of all heads\n[T, H D]", 13)
    d.text(86, 318, "split_heads\nH times [T, D]", 13)
    d.text(86, 226, "each head by itself", 13)
    d.text(86, 130, "next to each other\n[T, H D]", 13)
    d.text(86, 46, "W_o mixes\n[T, C]", 13)
    for h, role in enumerate(HEADS):
        left = 190 + 132 * h
        d.matrix(240 + 72 * h, 372, [[""] * 4] * 3, role, 18)
        d.matrix(left + 24, 290, [[""] * 4] * 3, role, 18)
        d.arrow((276 + 72 * h, 370), (left + 60, 348))
        box = d.box(left, 204, 120, 48, f"head {h + 1}\nsoftmax(QKᵀ/√D) V", role, 12)
        d.arrow((left + 60, 288), box.bottom)
        d.matrix(240 + 72 * h, 102, [[""] * 4] * 3, role, 18)
        d.arrow(box.top, (276 + 72 * h, 158))
    out = d.box(240, 22, 216, 46, "joined · W_o")
    d.arrow((348, 100), out.bottom)
    yield d
