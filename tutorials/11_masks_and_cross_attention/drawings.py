"""The masks, and the way of queries, keys and values through an encoder-decoder."""

from drawing import Drawing


def masks():
    about = (
        "Three tables of four queries by four keys. The padding mask hides the last two columns, which are "
        "padding. The causal mask hides all keys after the query, the triangle above the diagonal. Both "
        "together hide whatever one of them hides."
    )
    d = Drawing("three_masks", 600, 264, about)
    allowed = {
        "padding mask": lambda t, s: s < 2,
        "causal mask": lambda t, s: s <= t,
        "both": lambda t, s: s < 2 and s <= t,
    }
    words = ["Good", "night", "–", "–"]
    for i, (name, sees) in enumerate(allowed.items()):
        x = 54 + 184 * i
        cells = [["" if sees(t, s) else "–∞" for s in range(4)] for t in range(4)]
        roles = [["weights" if sees(t, s) else "masked" for s in range(4)] for t in range(4)]
        d.text(x + 86, 14, name, 14, bold=True)
        d.matrix(x, 60, cells, rows=words[: 4 * (i == 0)], columns=words, cell=43, size=12, roles=roles)
    d.text(324, 252, "rows are queries, columns keys; grey is hidden", 13)
    return d


def encoder_decoder():
    about = (
        "An encoder on the left and a decoder on the right. The encoder's self-attention takes queries, keys "
        "and values from the source's vectors, under a padding mask. The decoder's masked self-attention "
        "takes all three from the target so far, under a causal mask. Then cross-attention takes its queries "
        "from the decoder's masked self-attention, and its keys and values from the encoder's output, under "
        "the source's padding mask. The input of each attention is added to its result. A linear layer makes logits of the last sum."
    )
    d = Drawing("where_from", 600, 570, about)
    d.frame(10, 188, 250, 306, "encoder")
    d.frame(300, 62, 290, 432, "decoder")

    def attends_to_itself(x, width, y, mask):
        """Self-attention with its residual, from the vectors that arrive at y + 112. Returns the sum."""
        box = d.box(x, y, width, 50, f"self-attention\n{mask}", size=13)
        for share, letter, role in ((0.2, "Q", "query"), (0.5, "K", "key"), (0.8, "V", "value")):
            start = (box.along_bottom(share)[0], y + 80)
            d.arrow(start, box.along_bottom(share), role=role)
            d.text(start[0] + 11, y + 67, letter, 13, role=role, bold=True)
        middle = x + width / 2
        d.line((box.along_bottom(0.2)[0], y + 80), (box.along_bottom(0.8)[0], y + 80))
        d.line((middle, y + 104), (middle, y + 80))
        return box, skip(box, y + 104)

    def skip(box, below):
        """The residual around a box, from the line that arrives there, to a sum above it."""
        middle = box.x + box.width / 2
        plus = d.join(middle, box.y - 22, role="residual")
        d.arrow(box.top, plus.bottom)
        right = box.x + box.width + 15
        d.arrow((middle, below), (right, below), (right, box.y - 22), plus.right, role="residual", width=2)
        return plus

    def embedded(tokens):
        middle, _ = tokens.top
        embed = d.box(middle - 40, 458, 80, 24, "embed", size=12)
        d.line(tokens.top, embed.bottom)
        d.line(embed.top, (middle, 444))

    # The encoder, from below.
    source = d.box(45, 514, 180, 44, "source [B, S]\nb d a . – – –", size=13)
    embedded(source)
    reads, added = attends_to_itself(45, 180, 340, "padding mask")
    output = d.box(45, 236, 180, 40, "h  [B, S, C]", size=13)
    d.arrow(added.top, output.bottom)
    # The decoder.
    target = d.box(350, 514, 190, 44, "target so far [B, T]\n. a d", size=13)
    embedded(target)
    own, asks = attends_to_itself(350, 190, 340, "causal mask")
    crossing = d.box(350, 178, 190, 50, "cross-attention\nsource's padding mask", size=13)
    d.line(asks.top, (445, 292))
    d.arrow((445, 292), (502, 292), (502, 228), role="query")
    d.text(514, 262, "Q", 13, role="query", bold=True)
    summed = skip(crossing, 292)
    # Keys and values cross over.
    d.arrow((225, 248), (388, 248), (388, 228), role="key")
    d.text(280, 239, "K", 13, role="key", bold=True)
    d.arrow((225, 264), (426, 264), (426, 228), role="value")
    d.text(280, 275, "V", 13, role="value", bold=True)
    logits = d.box(350, 92, 190, 32, "Linear: logits", size=13)
    d.arrow(summed.top, logits.bottom)
    d.arrow(logits.top, (445, 34))
    d.text(445, 20, "next: a d b", 13)
    return d


def drawings():
    yield masks()
    yield encoder_decoder()
