"""Chapter 19: the whole transformer, its decoder layer, its masks, training beside writing, and a tree of translations."""

from drawing import Drawing


def residual(d, middle, box, below, right):
    """The residual around a box, from the line that arrives at `below`, to a sum above it. Returns the sum."""
    plus = d.join(middle, box.y - 20, role="residual")
    d.arrow(box.top, plus.bottom)
    d.arrow((middle, below), (right, below), (right, box.y - 20), plus.right, role="residual", width=2)
    return plus


def asks_itself(d, box, below):
    """Queries, keys and values of self-attention, from the line that arrives at `below`."""
    middle = box.bottom[0]
    d.line((middle, below), (middle, below - 12))
    d.line((box.along_bottom(0.2)[0], below - 12), (box.along_bottom(0.8)[0], below - 12))
    for share, letter, role in ((0.2, "Q", "query"), (0.5, "K", "key"), (0.8, "V", "value")):
        x, y = box.along_bottom(share)
        d.arrow((x, below - 12), (x, y), role=role)
        d.text(x + 11, y + 13, letter, 13, role=role, bold=True)


def whole():
    d = Drawing(
        "transformer",
        600,
        660,
        "The whole transformer, read upwards. Left, the encoder: source tokens are embedded, positions are added, and N blocks "
        "of self-attention and feed-forward network follow, each with a residual. A norm makes h, B by S by C. "
        "Right, the decoder: target tokens so far are embedded, positions are added, and N layers follow. Each has causal "
        "self-attention, with queries, keys and values from the target; cross-attention, with queries from the target and keys "
        "and values from h; and a feed-forward network; each with a residual. A norm and a linear layer make the logits, "
        "B by T by V.",
    )
    # The encoder.
    source = d.box(30, 600, 200, 44, "source [B, S]\nLucas is visiting Chile …", size=13)
    embed = d.box(30, 544, 200, 30, "src_embed + positions", size=13)
    d.arrow(source.top, embed.bottom)
    d.frame(15, 290, 245, 236, "")
    d.text(25, 306, "encoder", 13, "start", bold=True)
    d.text(144, 306, "N blocks", 13, "start")
    own = d.box(50, 440, 160, 36, "self-attention", "weights", 13)
    d.line(embed.top, (130, 512))
    asks_itself(d, own, 512)
    plus = residual(d, 130, own, 520, 240)
    network = d.box(50, 356, 160, 32, "feed-forward", "feed_forward", 13)
    d.arrow(plus.top, network.bottom)
    plus = residual(d, 130, network, 402, 240)
    norm = d.box(85, 244, 90, 28, "norm", "norm", 13)
    d.arrow(plus.top, norm.bottom)
    h = d.box(50, 176, 160, 42, "h  [B, S, C]", size=14)
    d.arrow(norm.top, h.bottom)
    # The decoder.
    target = d.box(345, 600, 200, 44, "target so far [B, T]\n<SOS> Em janeiro …", size=13)
    embed = d.box(345, 544, 200, 30, "trg_embed + positions", size=13)
    d.arrow(target.top, embed.bottom)
    d.frame(315, 176, 275, 350, "")
    d.text(325, 192, "decoder", 13, "start", bold=True)
    d.text(459, 192, "N layers", 13, "start")
    own = d.box(359, 440, 172, 36, "causal self-attention", "weights", 13)
    d.line(embed.top, (445, 512))
    asks_itself(d, own, 512)
    plus = residual(d, 445, own, 520, 560)
    cross = d.box(359, 334, 172, 42, "cross-attention", "weights", 13)
    d.arrow(plus.top, cross.bottom, role="query")
    d.text(457, 390, "Q", 13, role="query", bold=True)
    crossed = residual(d, 445, cross, 402, 560)
    d.arrow((210, 188), (298, 188), (298, 346), (cross.x, 346), role="key")
    d.arrow((210, 206), (280, 206), (280, 364), (cross.x, 364), role="value")
    d.text(340, 336, "K", 13, role="key", bold=True)
    d.text(340, 375, "V", 13, role="value", bold=True)
    network = d.box(359, 254, 172, 32, "feed-forward", "feed_forward", 13)
    d.arrow(crossed.top, network.bottom)
    plus = residual(d, 445, network, 300, 560)
    norm = d.box(400, 128, 90, 28, "norm", "norm", 13)
    d.arrow(plus.top, norm.bottom)
    logits = d.box(345, 70, 200, 32, "Linear: logits [B, T, V]", size=13)
    d.arrow(norm.top, logits.bottom)
    d.arrow(logits.top, (445, 38))
    d.text(445, 22, "next words: Em janeiro , …", 13)
    return d


def decoder_layer():
    d = Drawing(
        "decoder_layer",
        600,
        620,
        "A decoder layer, read upwards. The residual stream x, B by T by C, runs straight up on the left. Three branches leave "
        "it and are added back. First: norm 1, then queries, keys and values all from it, causal self-attention, dropout. "
        "Second: norm 2 gives the queries, the encoder's output h gives keys and values, cross-attention, dropout. Third: "
        "norm 3, feed-forward network, dropout.",
    )
    stream, left, width = 70, 150, 168
    middle = left + width / 2
    d.text(stream, 606, "x [B, T, C]", 13)

    def branch(start, parts, join_y):
        """Boxes from below, each (words, role, height, gap below it), between a tap of the stream and a sum."""
        y, boxes = start, []
        for words, role, height, gap in parts:
            y -= gap + height
            boxes.append(d.box(left, y, width, height, words, role, 13))
        d.arrow((stream, start), (middle, start), boxes[0].bottom)
        d.arrow(boxes[-1].top, (middle, join_y), (stream + 10, join_y))
        return boxes

    def stretch(low, high):
        d.line((stream, low), (stream, high), role="residual", width=4)

    stretch(592, 417)
    norm, own, drop = branch(
        580,
        (("norm_1", "norm", 26, 12), ("causal self-attention", "weights", 40, 30), ("dropout", "plain", 26, 14)),
        407,
    )
    for share, letter, role in ((0.2, "Q", "query"), (0.5, "K", "key"), (0.8, "V", "value")):
        d.arrow(norm.along_top(share), own.along_bottom(share), role=role)
        d.text(norm.along_top(share)[0] + 11, norm.y - 18, letter, 13, role=role, bold=True)
    d.arrow(own.top, drop.bottom)
    d.join(stream, 407, "+", "residual")
    d.text(left + width + 20, own.y + 20, "What have I written?\nT queries, T keys", 13, "start")

    stretch(397, 222)
    norm, cross, drop = branch(
        385,
        (("norm_2", "norm", 26, 12), ("cross-attention", "weights", 44, 30), ("dropout", "plain", 26, 14)),
        212,
    )
    d.arrow(norm.top, cross.bottom, role="query")
    d.text(norm.top[0] + 11, norm.y - 17, "Q", 13, role="query", bold=True)
    d.arrow(cross.top, drop.bottom)
    d.join(stream, 212, "+", "residual")
    h = d.box(440, cross.y - 4, 145, 52, "h [B, S, C]\nfrom the encoder", size=13)
    d.arrow((h.x, h.y + 14), (left + width, h.y + 14), role="key")
    d.arrow((h.x, h.y + 40), (left + width, h.y + 40), role="value")
    d.text(375, h.y + 4, "K", 13, role="key", bold=True)
    d.text(375, h.y + 52, "V", 13, role="value", bold=True)
    d.text(left + width + 20, norm.y + 24, "What in the source helps now?\nT queries, S keys", 13, "start")

    stretch(202, 51)
    norm, network, drop = branch(
        190,
        (("norm_3", "norm", 26, 12), ("feed-forward", "feed_forward", 36, 14), ("dropout", "plain", 26, 14)),
        41,
    )
    d.arrow(norm.top, network.bottom)
    d.arrow(network.top, drop.bottom)
    d.join(stream, 41, "+", "residual")
    d.text(left + width + 20, network.y + 18, "each position by itself", 13, "start")
    d.arrow((stream, 31), (stream, 6), role="residual", width=4)
    d.text(stream + 16, 10, "to the next layer", 13, "start")
    return d


def masks(narrow=False):
    """Side by side; for phones, one below the other."""
    across, down = (0, 220) if narrow else (200, 0)
    d = Drawing(
        "masks_narrow" if narrow else "masks",
        240 if narrow else 600,
        700 if narrow else 250,
        "Three tables of weights, queries down and keys across. The encoder's self-attention, 5 by 5: all words see all "
        "words, but the column of the padding is hidden. The decoder's self-attention, 5 by 5: a triangle, each position sees "
        "itself and what is before it. Cross-attention, 5 queries by 5 keys: each position sees all of the source, but the column "
        "of the source's padding is hidden.",
        for_phones=narrow,
    )
    source = ["Ana", "saw", "Pedro", ".", "–"]
    target = ["<SOS>", "Ana", "viu", "Pedro", "."]
    tables = (
        ("encoder's\nself-attention", source, source, lambda t, s: s < 4),
        ("decoder's\nself-attention", target, target, lambda t, s: s <= t),
        ("cross-\nattention", target, source, lambda t, s: s < 4),
    )
    for i, (name, rows, columns, sees) in enumerate(tables):
        x, y, cell = 50 + across * i, down * i, 28
        d.text(x + 70, y + 22, name, 13, bold=True)
        roles = [["weights" if sees(t, s) else "masked" for s in range(5)] for t in range(5)]
        d.matrix(x, y + 68, [[""] * 5] * 5, cell=cell, rows=rows, size=11, roles=roles)
        for j, word in enumerate(columns):
            d.text(x + (j + 0.5) * cell, y + 58, word, 9)
    if narrow:
        d.text(120, 676, "rows are queries, columns are keys;\ngrey is hidden; – is padding", 12)
    else:
        d.text(300, 230, "rows are queries, columns are keys; grey is hidden; – is padding", 12)
    return d


def teacher_forcing(narrow=False):
    """Side by side; for phones, one below the other."""
    left, top = (4, 284) if narrow else (296, 0)
    d = Drawing(
        "teacher_forcing_narrow" if narrow else "teacher_forcing",
        320 if narrow else 600,
        550 if narrow else 276,
        "First, training: one pass. The decoder reads SOS, Ana, viu, Pedro, full stop, all at once, and at each position "
        "predicts the next of them: Ana, viu, Pedro, full stop, EOS. Then, writing: one pass for each word. It reads "
        "SOS and writes Ana; reads SOS Ana and writes viu; and so on until it writes EOS.",
        for_phones=narrow,
    )
    words = ["<SOS>", "Ana", "viu", "Pedro", ".", "<EOS>"]
    d.text(138, 14, "training: one pass", 14, bold=True)
    d.text(138, 44, "predicts, at all positions", 12)
    decoder = d.box(6, 120, 262, 34, "decoder, causal mask", "residual", 13)
    d.text(138, 246, "reads the right translation,\nshifted right by one", 12)
    for i in range(5):
        x = 6 + 53 * i
        below = d.box(x, 192, 50, 28, words[i], size=12)
        above = d.box(x, 58, 50, 28, words[i + 1], "value", 12)
        d.arrow(below.top, (x + 25, decoder.bottom[1]))
        d.arrow((x + 25, decoder.y), above.bottom)
    d.text(left + 150, top + 14, "writing: one pass for each word", 14, bold=True)
    for step in range(5):
        y = top + 38 + 48 * step
        for i in range(step + 1):
            d.box(left + 45 * i, y, 42, 24, words[i], size=10.5)
        x = left + 45 * (step + 1)
        d.arrow((x - 2, y + 12), (x + 16, y + 12))
        out = d.box(x + 18, y, 42, 24, words[step + 1], "value", 10.5)
        if step < 4:
            d.arrow(out.bottom, (x + 39, y + 36), (x + 21, y + 36), (x + 21, y + 48), dashed=True)
    return d


def tree():
    d = Drawing(
        "tree",
        600,
        300,
        "A tree of translations of They are tired. The first word is Eles with probability .29, Elas with .29, or Estão with "
        ".42. Eles and Elas each go on with probability 1, and end with .29. Estão goes on with cansados or cansadas, .5 each, "
        "and both end with .21. Greedy search takes the thick path to Estão; the next word is a tie.",
    )
    root = d.box(8, 130, 62, 34, "<SOS>", size=13)
    d.text(560, 20, "P of all", 13, bold=True)
    d.text(190, 20, "first word", 13, bold=True)
    for y, first, share, rest, total in (
        (60, "Eles", ".29", (("estão cansados .", "1", 60),), ".29"),
        (122, "Elas", ".29", (("estão cansadas .", "1", 122),), ".29"),
        (220, "Estão", ".42", (("cansados .", ".5", 190), ("cansadas .", ".5", 252)), ".21"),
    ):
        greedy = first == "Estão"
        box = d.box(155, y - 17, 70, 34, first, "weights" if greedy else "plain", 13)
        look = {"width": 3, "role": "weights"} if greedy else {}
        d.arrow((70, 147), (112, 147), (112, y), box.left, **look)
        d.text(134, y - 10, share, 13)
        for words, p, end in reversed(rest):
            more = d.box(306, end - 17, 152, 34, words, size=13)
            d.arrow(box.right, (272, y), (272, end), more.left)
            d.text(288, end - 10, p, 13)
            d.arrow(more.right, (530, end))
            d.text(560, end, total, 14, bold=True)
    d.text(190, 254, "greedy", 13, role="weights", bold=True)
    d.text(380, 221, "a tie", 13)
    return d


def drawings():
    yield decoder_layer()
    yield whole()
    for narrow in (False, True):
        yield masks(narrow)
        yield teacher_forcing(narrow)
    yield tree()
