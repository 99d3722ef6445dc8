"""Chapter 16: one decoding step, and what the cache saves."""

from drawing import Drawing


def drawings():
    d = Drawing(
        "decoding_step",
        590,
        250,
        "One decoding step. The last position's features, C numbers, times the token table give V logits. Log-softmax makes"
        " them log-probabilities. Argmax, or a draw, gives the index of a token, here 39, and the vocabulary says which"
        " character that is: e. It is appended to the text, and the next step begins.",
    )
    text = d.box(10, 90, 86, 40, "The fox\nand th", size=12, )
    model = d.box(120, 90, 60, 40, "GPT", "residual", size=13)
    d.arrow(text.right, model.left)
    x = 205
    shades = [0.3, 0.15, 0.45, 0.1, 0.9, 0.35]
    logits = d.matrix(x, 32, [[""]] * 6, "weights", 26, shades=[[s] for s in shades])
    d.text(x + 13, 206, "logits\n[V]", 12)
    d.arrow(model.right, (x, 110))
    logs = d.matrix(x + 110, 32, [[""]] * 6, "weights", 26, shades=[[s * s] for s in shades])
    d.text(x + 123, 206, "log-probabilities\n[V]", 12)
    d.arrow(logits.right, logs.left)
    d.text(x + 68, 96, "log-softmax", 12)
    index = d.box(400, 90, 52, 40, "39", size=14)
    d.arrow(logs.right, index.left)
    d.text(377, 66, "argmax\nor a draw", 12, "middle")
    d.text(426, 146, "index", 12)
    word = d.box(500, 90, 52, 40, "e", size=14)
    d.arrow(index.right, word.left)
    d.text(526, 146, "character", 12)
    d.arrow((526, 90), (526, 15), (53, 15), text.top, dashed=True)
    yield d

    d = Drawing(
        "kv_cache",
        560,
        260,
        "Attention weights of five positions. Without a cache, all rows are computed again for each new token. With a cache,"
        " only the last row is: one new query meets the keys of all positions, four of them kept and one new.",
    )
    names = ["T", "h", "e", "_", "f"]
    for left, title, cached in ((60, "reading all again", False), (350, "with the cache", True)):
        d.text(left + 75, 16, title, 14, bold=True)
        roles = [["plain" if j > i else "masked" if cached and i < 4 else "weights" for j in range(5)] for i in range(5)]
        shades = [[0 if j > i or (cached and i < 4) else 0.4 for j in range(5)] for i in range(5)]
        d.matrix(left, 62, [[""] * 5] * 5, cell=30, rows=names, columns=names, roles=roles, shades=shades)
    d.text(135, 234, "15 scores for one new token", 12)
    d.text(425, 234, "5 scores: one query, kept keys", 12)
    yield d
