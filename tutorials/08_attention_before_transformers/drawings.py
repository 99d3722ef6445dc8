"""The encoder-decoder with one vector, and with attention."""

from drawing import Drawing


def chains(d, y):
    """Four encoder states and four decoder states, and what they read. Returns the boxes."""
    encoder, decoder = [], []
    for i, (symbol, name) in enumerate(zip("abcd", "₁₂₃₄")):
        encoder.append(d.box(20 + 66 * i, y, 46, 36, f"h{name}", "value"))
        d.text(43 + 66 * i, y + 74, symbol, 14)
        d.arrow((43 + 66 * i, y + 64), encoder[-1].bottom)
    for i, (given, name) in enumerate(zip(("begin", "d", "c", "b"), "₁₂₃₄")):
        decoder.append(d.box(318 + 66 * i, y, 46, 36, f"s{name}", "query"))
        d.text(341 + 66 * i, y + 74, given, 14)
        d.arrow((341 + 66 * i, y + 64), decoder[-1].bottom)
    for chain in (encoder, decoder):
        for a, b in zip(chain, chain[1:]):
            d.arrow(a.right, b.left)
    d.text(142, y + 100, "the encoder reads", 13)
    d.text(440, y + 100, "the decoder writes", 13)
    return encoder, decoder


def drawings():
    d = Drawing(
        "one_vector",
        590,
        180,
        "An encoder reads a, b, c, d and makes the states h1 to h4, each from the one before. The last one alone goes to the"
        " decoder, as its first state and as an input of each step. Its states s1 to s4 read begin, d, c, b and write d, c, b, a.",
    )
    encoder, decoder = chains(d, 66)
    d.arrow(encoder[-1].right, decoder[0].left, width=3)
    d.text(176, 34, "all of the source\nin one vector", 12)
    for box in decoder:  # each step reads it again
        d.arrow(encoder[-1].top, (encoder[-1].top[0], 46), (box.top[0] - 15, 46), (box.top[0] - 15, 66), role="value")
    for box, symbol in zip(decoder, "dcba"):
        d.arrow(box.top, (box.top[0], 34))
        d.text(box.top[0], 22, symbol, 14)
    yield d
    d = Drawing(
        "context",
        590,
        290,
        "The same encoder and decoder: h4 is the decoder's first state s0. The state s1 is compared with each of h1 to h4, which gives the weights a21 to a24."
        " The sum of the states, each times its weight, is the context z2, which goes into the next step of the decoder, s2, and"
        " with s2 into the prediction c.",
    )
    encoder, decoder = chains(d, 176)
    d.arrow(encoder[-1].right, decoder[0].left)
    d.text(291, 207, "s₀ = h₄", 12)
    z = d.box(318, 18, 128, 34, "z₂ = Σ a₂ⱼ hⱼ", "weights")
    for i, (box, share) in enumerate(zip(encoder, (0.05, 0.15, 0.7, 0.1))):
        x = box.top[0]
        circle = d.join(x, 106, "×", "weights")
        d.arrow(box.top, (x, 116), role="value")
        d.arrow((x, 96), (x, 35 if i == 0 else 36), (318, 35), role="weights", width=1 + 4 * share)
        d.text(x - 13, 88, "a₂" + "₁₂₃₄"[i], 12, "end")
        d.line((decoder[0].top[0] - 8, 176), (decoder[0].top[0] - 8, 136), (x + 20, 136), (circle.right[0] - 2, 112), role="query", dashed=True)
    d.arrow((399, 52), (399, 176), role="weights")
    out = d.box(466, 88, 110, 40, "prediction\nof c")
    d.arrow((446, 35), (521, 35), out.top, role="weights")
    d.arrow((417, 176), (417, 108), out.left)
    d.text(327, 153, "score(s₁, hⱼ)", 12, "end", role="query")
    yield d
