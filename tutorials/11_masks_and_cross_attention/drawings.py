"""The masks, and the way of queries, keys and values through an encoder-decoder."""

from drawing import Drawing


def masks():
    about = (
        "Three tables of four queries by four keys. The padding mask hides the last two columns, which are "
        "padding. The causal mask hides all keys after the query, the triangle above the diagonal. Both "
        "together hide whatever one of them hides."
    )
    d = Drawing("three_masks", 600, 236, about)
    allowed = {
        "padding mask": lambda t, s: s < 2,
        "causal mask": lambda t, s: s <= t,
        "both": lambda t, s: s < 2 and s <= t,
    }
    words = ["Good", "night", "–", "–"]
    for i, (name, sees) in enumerate(allowed.items()):
        x = 50 + 200 * i
        cells = [["" if sees(t, s) else "–∞" for s in range(4)] for t in range(4)]
        roles = [["weights" if sees(t, s) else "masked" for s in range(4)] for t in range(4)]
        d.text(x + 72, 14, name, 14, bold=True)
        d.matrix(x, 60, cells, rows=words, columns=words, cell=36, size=12, roles=roles)
    d.text(300, 224, "rows are queries, columns keys; grey is hidden", 13)
    return d


def encoder_decoder():
    about = (
        "An encoder on the left and a decoder on the right. The encoder's self-attention takes queries, keys "
        "and values from the source's vectors, under a padding mask. The decoder's masked self-attention "
        "takes all three from the target so far, under a causal mask. Then cross-attention takes its queries "
        "from the decoder's masked self-attention, and its keys and values from the encoder's output, under "
        "the source's padding mask. A linear layer makes logits of the result."
    )
    d = Drawing("where_from", 600, 490, about)
    d.frame(10, 170, 250, 225, "encoder")
    d.frame(300, 62, 290, 333, "decoder")
    # The encoder, from below.
    source = d.box(45, 420, 180, 44, "source [B, S]\nb d a . – – –", size=13)
    reads = d.box(45, 285, 180, 50, "self-attention\npadding mask", size=13)
    for share, letter, role in ((0.2, "Q", "query"), (0.5, "K", "key"), (0.8, "V", "value")):
        start = (reads.along_bottom(share)[0], 365)
        d.arrow(start, reads.along_bottom(share), role=role)
        d.text(start[0] + 11, 352, letter, 13, role=role, bold=True)
    d.line((81, 365), (189, 365))
    d.arrow(source.top, (135, 365))
    output = d.box(45, 205, 180, 40, "h  [B, S, C]", size=13)
    d.arrow(reads.top, output.bottom)
    # The decoder.
    target = d.box(350, 420, 190, 44, "target so far [B, T]\n. a d", size=13)
    own = d.box(350, 285, 190, 50, "self-attention\ncausal mask", size=13)
    for share, letter, role in ((0.2, "Q", "query"), (0.5, "K", "key"), (0.8, "V", "value")):
        start = (own.along_bottom(share)[0], 365)
        d.arrow(start, own.along_bottom(share), role=role)
        d.text(start[0] + 11, 352, letter, 13, role=role, bold=True)
    d.line((388, 365), (502, 365))
    d.arrow(target.top, (445, 365))
    crossing = d.box(350, 155, 190, 50, "cross-attention\npadding mask of the source", size=13)
    d.arrow((502, 285), (502, 205), role="query")
    d.text(514, 248, "Q", 13, role="query", bold=True)
    # Keys and values cross over.
    d.arrow((225, 217), (388, 217), (388, 205), role="key")
    d.text(280, 208, "K", 13, role="key", bold=True)
    d.arrow((225, 233), (426, 233), (426, 205), role="value")
    d.text(280, 244, "V", 13, role="value", bold=True)
    logits = d.box(350, 92, 190, 32, "Linear: logits [B, T, V]", size=13)
    d.arrow(crossing.top, logits.bottom)
    d.arrow(logits.top, (445, 34))
    d.text(445, 20, "next: a d b", 13)
    return d


def drawings():
    yield masks()
    yield encoder_decoder()
