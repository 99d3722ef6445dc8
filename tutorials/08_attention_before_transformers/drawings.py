"""A GRU's cell, and the encoder-decoder with one vector, and with attention."""

from drawing import Drawing


def chains(d, y, symbols, width, apart, left=20, numbers={}):
    """Encoder states and decoder states, and their inputs. Returns the boxes."""
    encoder, decoder = [], []
    given = ["begin", *reversed(symbols)]
    right = left + apart * len(symbols) + 34
    for i, (symbol, name) in enumerate(zip(symbols, "₁₂₃₄")):
        for chain, x, word, letter, role in (
            (encoder, left, symbol, "h", "value"),
            (decoder, right, given[i], "s", "query"),
        ):
            text = letter + name
            text += "\n" + numbers[text] if text in numbers else ""
            chain.append(d.box(x + apart * i, y, width, 36, text, role, 12 if "\n" in text else 14))
            d.text(x + width / 2 + apart * i, y + 74, word, 14)
            d.arrow((x + width / 2 + apart * i, y + 64), chain[-1].bottom)
    for chain in (encoder, decoder):
        for a, b in zip(chain, chain[1:]):
            d.arrow(a.right, b.left)
    d.text((encoder[0].x + encoder[-1].right[0]) / 2, y + 100, "the encoder reads", 13)
    d.text((decoder[0].x + decoder[-1].right[0]) / 2, y + 100, "the decoder writes", 13)
    return encoder, decoder


def gru():
    d = Drawing(
        "gru",
        590,
        272,
        "One step of a GRU. The old state goes straight from left to right: it is multiplied by k, then (1 - k) times v is added,"
        " and that is the next state. Below, k is the sigmoid of x[1] + s[1], r the sigmoid of x[0] + s[0], and v the tanh of"
        " x[2] plus r times s[2].",
    )
    lane = 45
    before = d.box(14, lane - 20, 66, 40, "hₜ₋₁", "value")
    after = d.box(510, lane - 20, 66, 40, "hₜ", "value")
    kept, plus = d.join(150, lane, "×", "value"), d.join(440, lane, "+", "value")
    d.arrow(before.right, kept.left, role="value", width=3)
    d.arrow(kept.right, plus.left, role="value", width=3)
    d.arrow(plus.right, after.left, role="value", width=3)
    d.text(295, lane - 14, "what is kept", 13)
    # The gate k: to the lane, and as 1 - k to the new value.
    share, other = d.join(440, 100, "×"), d.box(265, 86, 60, 28, "1 − k", "weights")
    keep, reset = d.box(128, 180, 44, 32, "σ", "weights"), d.box(228, 180, 44, 32, "σ", "weights")
    d.arrow(keep.top, kept.bottom, role="weights")
    d.arrow((150, 100), other.left, role="weights")
    d.arrow(other.right, share.left, role="weights")
    d.text(142, 140, "k", 14, "end")
    d.arrow(share.top, plus.bottom)
    # The gate r, on its way to the new value.
    product, total = d.join(340, 196, "×"), d.join(440, 196, "+")
    d.arrow(reset.right, product.left, role="weights")
    d.text(300, 184, "r", 14)
    d.arrow(product.right, total.left)
    tanh = d.box(415, 136, 50, 32, "tanh")
    d.arrow(total.top, tanh.bottom)
    d.arrow(tanh.top, share.bottom)
    d.text(450, 123, "v", 14, "start")
    for x, text, to in (
        (150, "x[1] + s[1]", keep.bottom),
        (250, "x[0] + s[0]", reset.bottom),
        (340, "s[2]", product.bottom),
        (440, "x[2]", total.bottom),
    ):
        d.text(x, 256, text, 14)
        d.arrow((x, 244), to)
    yield d


def drawings():
    yield from gru()
    d = Drawing(
        "one_vector",
        590,
        190,
        "An encoder reads a, b, c, d and makes the states h1 to h4, each from the one before. The last one alone goes to the"
        " decoder, as its first state and as an input of each step and of each prediction. Its states s1 to s4 read begin, d, c, b"
        " and write d, c, b, a.",
    )
    encoder, decoder = chains(d, 76, "abcd", 46, 66)
    d.arrow(encoder[-1].right, decoder[0].left, width=3)
    d.text(150, 44, "all of the source\nin one vector", 12)
    rail = 54
    d.line(encoder[-1].top, (encoder[-1].top[0], rail), (decoder[-1].top[0] + 15, rail), role="value")
    for box, symbol in zip(decoder, "dcba"):  # each step reads it again, and each prediction
        x = box.top[0]
        d.arrow((x - 14, rail), (x - 14, 76), role="value")
        d.arrow((x + 15, rail), (x + 15, 34), role="value")
        d.arrow(box.top, (x, 34))
        d.box(x - 23, 8, 46, 25, symbol)
    yield d
    d = Drawing(
        "context",
        590,
        390,
        "An encoder with three states, h1 = (1, 0), h2 = (0, 1) and h3 = (1, 1), which is also the decoder's first state. In step 2"
        " the decoder's state s1 = (0, 2) meets each h in a dot product: the scores are 0, 2, 2. A softmax makes the weights"
        " 0.063, 0.468 and 0.468 of them. Each state times its weight, summed, is the context z2 = (0.532, 0.937), which goes into"
        " the next state s2 and, with s2, into the prediction of b.",
    )
    encoder, decoder = chains(
        d, 276, "abc", 60, 88, 46, {"h₁": "(1, 0)", "h₂": "(0, 1)", "h₃": "(1, 1)", "s₁": "(0, 2)"}
    )
    first, second = decoder[:2]
    d.arrow(encoder[-1].right, first.left)
    d.text(308, 306, "s₀ = h₃", 12)
    soft = d.box(46, 152, 248, 30, "softmax", "weights")
    z = d.box(354, 20, 150, 36, "z₂ = (0.532, 0.937)", "weights", 13)
    after = (first.top[0], 216)  # where s1 comes from on its way to each product
    d.line(first.top, after, role="query", dashed=True)
    d.text(first.top[0] + 6, 236, "s₁", 13, "start", role="query")
    for box, e, a in reversed(list(zip(encoder, "022", ("0.063", "0.468", "0.468")))):
        score, value = box.top[0] - 12, box.top[0] + 20
        dot = d.join(score, 216, "·", "query")
        d.arrow(after, dot.right, role="query", dashed=True)
        after = dot.left
        d.arrow((score, 276), dot.bottom, role="value")
        d.arrow(dot.top, (score, 182), role="weights")
        d.text(score - 8, 196, e, 13, "end")
        times = d.join(value, 96, "×", "weights")
        d.line((value, 276), (value, 182), role="value")
        d.arrow((value, 152), times.bottom, role="value")
        d.arrow((score, 152), (score, 96), times.left, role="weights", width=1 + 5 * float(a))
        d.text(score - 8, 122, a, 12, "end")
        d.line(times.top, (value, 38), role="weights")
    d.arrow((encoder[0].top[0] + 20, 38), z.left, role="weights")
    d.text(310, 26, "sum", 12)
    d.arrow((second.top[0] - 10, 56), (second.top[0] - 10, 276), role="weights")
    d.box(462, 112, 116, 40, "prediction\nof b")
    d.arrow((490, 56), (490, 112), role="weights")
    d.arrow((second.top[0] + 10, 276), (second.top[0] + 10, 152))
    yield d
