"""Chapter 16: one decoding step, and the work that the cache saves."""

import math

from drawing import Drawing


def adapt():
    d = Drawing(
        "adapt",
        600,
        285,
        "The probabilities of five tokens, in two rows. In the upper row the model is sure: one high bar, four low ones. "
        "In the lower row it is unsure: five bars of nearly the same height. Filled bars are kept. Top-k 3 keeps three "
        "in both rows. Top-p 0.7 keeps one bar of the sure row and four of the unsure one. Min-p 0.2 keeps one, and all five.",
    )
    rows = (("sure", (4, 1, 0, 0, -1)), ("unsure", (1, 0.9, 0.8, 0.6, 0.5)))
    for row, (name, logits) in enumerate(rows):
        weights = [math.exp(x) for x in logits]
        shares = [w / sum(weights) for w in weights]
        floor = 155 + 100 * row
        d.text(8, floor - 20, name, 14, "start", bold=True)
        for column, rule in enumerate(("top-k 3", "top-p 0.7", "min-p 0.2")):
            x = 90 + 172 * column
            if row == 0:
                d.text(x + 72, 14, rule, 14, bold=True)
            for i, share in enumerate(shares):
                kept = (i < 3, sum(shares[:i]) < 0.7, share >= 0.2 * shares[0])[column]
                looks = ('fill="none" stroke="#808080" stroke-dasharray="3 3"', 'fill="#E69F00" fill-opacity="0.8" stroke="#E69F00"')
                d.rect(x + 29 * i, floor - 120 * share, 24, 120 * share, looks[kept])
            d.line((x - 6, floor), (x + 146, floor))
            keeps = sum((i < 3, sum(shares[:i]) < 0.7, s >= 0.2 * shares[0])[column] for i, s in enumerate(shares))
            d.text(x + 72, floor + 14, f"keeps {keeps}", 13)
    return d


def draw():
    d = Drawing(
        "draw",
        600,
        190,
        "Three bars of length 1 and a line at the draw, 0.6. The first bar is divided among five tokens with the probabilities "
        "0.463, 0.281, 0.170, 0.063 and 0.023: the draw falls into the second. The second bar has the first three tokens, "
        "scaled up to 0.506, 0.308 and 0.186: the second again. The third bar has two, 0.622 and 0.378: the draw falls into the first.",
    )
    weights = [math.exp(x) for x in (2, 1.5, 1, 0, -1)]
    left, wide = 100, 480
    for row, (name, count) in enumerate((("all", 5), ("top-k 3", 3), ("top-p 0.7", 2))):
        y, at, total = 30 + 50 * row, 0.0, sum(weights[:count])
        d.text(8, y + 15, name, 13, "start")
        for i, weight in enumerate(weights[:count]):
            share = weight / total
            taken = at <= 0.6 < at + share
            words = f"{share:.3f}" if share > 0.1 else ""
            d.box(left + wide * at, y, wide * share, 30, words, "weights" if taken else "plain", 13)
            at += share
    d.line((left + 0.6 * wide, 22), (left + 0.6 * wide, 168), dashed=True)
    d.text(left + 0.6 * wide, 12, "draw 0.6", 13)
    d.text(left, 180, "0", 13)
    d.text(left + wide, 180, "1", 13)
    return d


def caches():
    d = Drawing(
        "caches",
        600,
        362,
        "Two blocks, read upwards, with one new token f. In each block the keys K and values V of the four positions before "
        "are kept, drawn grey, and one new column is added. One query is multiplied by the five keys, which gives one row "
        "of five weights, and these weigh the five values. The result is the new position's vector, which goes on to the next block.",
    )
    names = ["T", "h", "e", "_", "f"]
    d.text(60, 349, "vector of f", 13)
    d.arrow((60, 337), (60, 289))
    for block, y in ((1, 252), (2, 102)):
        d.frame(5, y - 70, 590, 130, f"block {block}")
        query = d.box(25, y + 5, 70, 30, "query", "query", 13)
        for x, word, role in ((134, "K", "key"), (272, "weights", "weights"), (410, "V", "value")):
            new = word == "weights"
            roles = [[role if new or j == 4 else "masked" for j in range(5)]]
            d.matrix(x, y + 8, [[""] * 5], cell=24, columns=names, roles=roles, shades=[[0.4] * 5], size=11)
            d.text(x + 60, y - 24, word, 13, bold=True)
        d.arrow(query.right, (132, y + 20))
        d.arrow((256, y + 20), (270, y + 20))
        d.arrow((394, y + 20), (408, y + 20))
        d.text(568, y + 20, "sum", 12)
        d.arrow((532, y + 20), (550, y + 20))
    d.arrow((568, 260), (568, 172), (60, 172), (60, 139))
    d.arrow((568, 110), (568, 8))
    d.text(556, 14, "to the logits", 12, "end")
    return d


def drawings():
    yield adapt()
    yield draw()
    yield caches()
    d = Drawing(
        "decoding_step",
        590,
        250,
        "One decoding step. The last position's features, C numbers, times the token table give V logits. Log-softmax makes"
        " them log-probabilities. Argmax, or a draw, gives the index of a token, here 37, and the vocabulary says which"
        " character that is: e. It is appended to the text, and the next step begins.",
    )
    text = d.box(10, 90, 86, 40, "The fox\nand th", size=12, )
    model = d.box(120, 90, 60, 40, "GPT", "residual", size=13)
    d.arrow(text.right, model.left)
    x = 196
    shades = [0.3, 0.15, 0.45, 0.1, 0.9, 0.35]
    logits = d.matrix(x, 32, [[""]] * 6, "weights", 26, shades=[[s] for s in shades])
    d.text(x + 13, 206, "logits\n[V]", 12)
    d.arrow(model.right, (x, 110))
    logs = d.matrix(x + 124, 32, [[""]] * 6, "weights", 26, shades=[[s * s] for s in shades])
    d.text(x + 137, 206, "log-probabilities\n[V]", 12)
    d.arrow(logits.right, logs.left)
    d.text(x + 75, 96, "log-softmax", 12)
    index = d.box(424, 90, 52, 40, "37", size=14)
    d.arrow(logs.right, index.left)
    d.text(386, 66, "argmax\nor a draw", 12, "middle")
    d.text(450, 146, "index", 12)
    word = d.box(524, 90, 52, 40, "e", size=14)
    d.arrow(index.right, word.left)
    d.text(548, 146, "character", 12)
    d.arrow((550, 90), (550, 15), (53, 15), text.top, dashed=True)
    yield d

    d = Drawing(
        "kv_cache",
        560,
        260,
        "Attention weights of five positions. Without a cache, all rows are computed again for each new token. With a cache,"
        " only the last row is: one new query is multiplied by the keys of all positions, four of them kept and one new.",
    )
    names = ["T", "h", "e", "_", "f"]
    for left, title, cached in ((60, "reading all again", False), (350, "with the cache", True)):
        d.text(left + 75, 16, title, 14, bold=True)
        roles = [["plain" if j > i else "masked" if cached and i < 4 else "weights" for j in range(5)] for i in range(5)]
        shades = [[0 if j > i or (cached and i < 4) else 0.4 for j in range(5)] for i in range(5)]
        d.matrix(left, 62, [[""] * 5] * 5, cell=30, rows=names, columns=names, roles=roles, shades=shades)
    d.text(135, 234, "25 scores, 10 of them masked", 12)
    d.text(425, 234, "5 scores: one query, kept keys", 12)
    yield d
