"""Chapter 18: BERT's input, the encoder with its two heads, GPT beside BERT, and the gain from pre-training."""

import re
from pathlib import Path

from drawing import ROLES, Drawing, kept_part


def what_it_reads():
    words = ["[CLS]", "the", "soup", "was", "stale", "[SEP]", "we", "hated", "it", "[SEP]", "[PAD]"]
    cell, left = 47, 76
    d = Drawing(
        "bert_input",
        594,
        214,
        "Eleven positions of one row. Their tokens are [CLS] the soup was stale [SEP] we hated it [SEP] [PAD]. The segment"
        " is 0 up to the first [SEP], then 1 up to the second, and 0 for the padding. Positions are numbered from 0 to 10."
        " Each of the three numbers names a vector of C numbers, and the three are added. The mask is 1 everywhere but at"
        " [PAD].",
    )
    rows = [
        ("token", words, "plain"),
        ("segment", ["0"] * 6 + ["1"] * 4 + ["0"], "plain"),
        ("position", [str(i) for i in range(11)], "plain"),
        ("x", ["x"] * 11, "residual"),
        ("mask", ["1"] * 10 + ["0"], "weights"),
    ]
    for i, (name, cells, role) in enumerate(rows):
        y = 12 + 42 * i
        d.text(left - 6, y + 13, name, 13, "end")
        for j, word in enumerate(cells):
            own = "masked" if word.startswith("[") else role
            d.box(left + cell * j, y, cell - 2, 26, word, own, 12)
            if i < 3:
                d.text(left + cell * j + (cell - 2) / 2, y + 34, "+" if i < 2 else "=", 13)
    yield d


def encoder():
    d = Drawing(
        "encoder",
        590,
        470,
        "From bottom to top. The vectors of words, segments and positions are added: the residual stream, B by S by C. It runs"
        " through N blocks. In each, a norm, then queries, keys and values, all from this text and from all of its positions,"
        " attention, and the result is added to the stream; then a norm and a feed-forward network, added too. After the"
        " last block comes one more norm. On top there are two heads: the vector of [CLS] goes through the pooler to the"
        " label, and the vector of a masked position goes to the words.",
    )
    names = [("words [V, C]", 10), ("segments [2, C]", 146), ("positions", 282)]
    plus = d.join(205, 382)
    for name, x in names:
        box = d.box(x, 424, 130, 30, name, size=12)
        d.arrow(box.top, (205 + (x - 150) * 0.07, 392))
    first, second = d.join(205, 268), d.join(205, 172)
    d.frame(180, 146, 400, 210, "")
    d.text(569, 163, "block × N", 13, "end", bold=True)
    d.arrow(plus.top, first.bottom, role="residual", width=2.5)
    d.arrow(first.top, second.bottom, role="residual", width=2.5)
    # Attention.
    norm = d.box(240, 312, 54, 28, "norm", "norm", 12)
    d.arrow((205, 326), norm.left, role="residual")
    attention = d.box(440, 290, 110, 50, "attention", "weights", 13)
    for name, role, y in (("Q", "query", 292), ("K", "key", 315), ("V", "value", 338)):
        box = d.box(344, y - 9, 34, 19, name, role, 12)
        d.arrow(norm.right, box.left, role=role)
        d.arrow(box.right, (440, 303 + (y - 292) * 0.5), role=role)
    d.arrow(attention.top, (495, 268), first.right)
    d.text(350, 256, "every position reads every position", 12)
    # Feed-forward.
    norm = d.box(240, 204, 54, 28, "norm", "norm", 12)
    d.arrow((205, 218), norm.left, role="residual")
    forward = d.box(344, 200, 110, 36, "feed-forward", "feed_forward", 13)
    d.arrow(norm.right, forward.left)
    d.arrow(forward.top, (399, 172), second.right)
    # The heads.
    last = d.box(160, 100, 90, 28, "last norm", "norm", 12)
    d.arrow(second.top, last.bottom, role="residual", width=2.5)
    label = d.box(8, 14, 204, 44, "pooler, tanh, classifier:\nthe label", size=12)
    word = d.box(222, 14, 244, 44, "transform, words transposed:\nthe hidden word", size=12)
    d.arrow((192, 100), label.along_bottom(0.6))
    d.arrow((222, 100), word.along_bottom(0.3))
    d.text(122, 80, "at [CLS]", 12, "end")
    d.text(284, 80, "at [MASK]", 12, "start")
    d.text(20, 268, "the stream\n[B, S, C]", 12, "start")
    yield d


def grid(d, left, name, kind, words, answers, strong, reads):
    cell, top, width = 22, 96, len(words)
    d.text(left + cell * width / 2, 16, name, 15, bold=True)
    d.text(left + cell * width / 2, 41, kind, 12)
    shades = [[(0.75 if i == strong else 0.2) if reads(i, j) else 0 for j in range(width)] for i in range(width)]
    roles = [["weights" if reads(i, j) else "plain" for j in range(width)] for i in range(width)]
    numbers = [str(i) for i in range(width)]
    rows = [f"{word} {i}" for i, word in enumerate(words)]
    d.matrix(left, top, [[""] * width] * width, cell=cell, rows=rows, columns=numbers, shades=shades, roles=roles)
    d.text(left + cell * width / 2, 66, "reads position", 12)
    d.text(left + cell * width + 6, 66, "predicts", 12, "start")
    for i, answer in enumerate(answers):
        if answer:
            d.text(left + cell * width + 6, top + (i + 0.5) * cell, answer, 12, "start", bold=i == strong)


def who_reads():
    d = Drawing(
        "who_reads",
        600,
        290,
        "The sentence the soup was fresh and tasty, as a table of who reads whom. In GPT, each position reads itself and"
        " earlier ones, a triangle, and predicts the next word: the position of was predicts fresh from three words. In BERT,"
        " the sentence has [CLS] in front, [SEP] behind, and [MASK] in the place of fresh. Each position reads all, a full"
        " square, and the masked position predicts fresh from both sides.",
    )
    grid(
        d,
        62,
        "GPT",
        "a triangle; each predicts\nthe next word",
        ["the", "soup", "was", "fresh", "and", "tasty"],
        ["soup", "was", "fresh", "and", "tasty", ""],
        2,
        lambda i, j: j <= i,
    )
    grid(
        d,
        340,
        "BERT",
        "a full square; the hidden\nword is predicted",
        ["[CLS]", "the", "soup", "was", "[MASK]", "and", "tasty", "[SEP]"],
        ["", "", "", "", "fresh", "", "", ""],
        4,
        lambda i, j: True,
    )
    yield d


def sides():
    """The cosines of the 12 words, as the program printed them."""
    part = kept_part(__file__, "cosines")
    tables = [table.strip().split("\n") for table in part.split("without verdicts\n")]
    d = Drawing(
        "sides",
        622,
        340,
        "Two squares of twelve by twelve words: bad, awful, stale, burnt, dull and clumsy, which blame, then good, lovely,"
        " fresh, tasty, witty and clever, which praise. The darker a cell, the larger the cosine of its two vectors. From"
        " texts with verdicts, dark cells lie in the squares of blame and of praise: stale with burnt, dull and clumsy, good with"
        " lovely, fresh with tasty, witty and clever. Without verdicts, bad, awful, good and lovely are near each other,"
        " though they do not agree.",
    )
    for left, name, lines in ((68, "texts with verdicts", tables[0][1:]), (372, "texts without verdicts", tables[1])):
        words = [line.split()[0] for line in lines]
        values = [[float(number) / 100 for number in line.split()[1:]] for line in lines]
        cell, top = 19, 104
        d.text(left + 6 * cell, 14, name, 14, bold=True)
        d.text(left + 3 * cell, 38, "blame", 12)
        d.text(left + 9 * cell, 38, "praise", 12)
        roles = [["masked" if i == j else "weights" for j in range(12)] for i in range(12)]
        shades = [[max(value, 0) if i != j else 0.3 for j, value in enumerate(row)] for i, row in enumerate(values)]
        d.matrix(left, top, [[""] * 12] * 12, cell=cell, rows=words, shades=shades, roles=roles)
        for j, word in enumerate(words):
            x, y = left + (j + 0.5) * cell, top - 7
            d.parts.append(f'<g transform="rotate(-60 {x * d.share:g} {y:g})">')
            d.text(x, y, word, 12, "start")
            d.parts.append("</g>")
        for i in (0, 6):
            x, y, wide = left + i * cell, top + i * cell, 6 * cell
            corners = [(x, y), (x + wide, y), (x + wide, y + wide), (x, y + wide)]
            for a, b in zip(corners, corners[1:] + corners[:1]):
                d.line(a, b, role="query", width=2.5)
    yield d


WORTH = (  # the row of the table, its name in the drawing, its role, and how far its dots are moved to the side
    ("bag of words", "bag of words", "masked", -9),
    ("from nothing", "from nothing", "query", -3),
    ("word vectors, frozen", "frozen word vectors", "value", 3),
    ("BERT, fine-tuned", "BERT, fine-tuned", "key", 9),
)
VERDICTS = (  # the same, without labels
    ("no labels, filling in the verdict", "filling in", "residual", -14),
    ("no labels, 10000 steps", "after 10000 steps", "feed_forward", 1),
    ("no labels, left only", "left only", "weights", 16),
)


def worth(narrow=False):
    """The table of the long run: in percent, the mean of each kind, and a number for each seed. For phones, panels stand
    one below the other."""
    part = lambda name: printed.split(f"[{name}]")[1].strip().split("\n")  # noqa: E731
    printed = (Path(__file__).parent / "long.txt").read_text()
    rows, means, labels = {}, {}, ""
    for line in part("labels_seeds"):
        words = line.split()
        rows.setdefault(" ".join(words[:-5]), []).append([float(word) for word in words[-5:]])
    for line in part("labels"):
        name, numbers = line[:25].strip(), re.findall(r"(\d+) +\(", line[25:]) or re.findall(r"\d+", line[25:])
        labels = labels if numbers else name
        means[f"{labels}, {name}"] = [float(number) for number in numbers]
    about = (
        "Three panels: plain, contrast and shifting reviews. In each, the share of right labels, from 40 to 100 percent, with"
        " 20 and with 100 labels, for four classifiers; a dot for each of five seeds and a line through the means. At the"
        " left, three models fill in the verdict without labels: BERT after 2500 steps of pre-training and after 10000, and the"
        " left-only model. A dashed line at 50 percent is guessing."
    )
    for i, kind in enumerate(("plain", "contrast", "shifting")):
        about += f" Means in {kind} reviews: "
        for row, name, _, _ in WORTH:
            few, many = (means[f"{count} labels, {row}"][i] for count in (20, 100))
            about += f"{name} {few:.0f} and {many:.0f}; "
        about += "filling in the verdict {:.0f} and {:.0f}, left only {:.0f}.".format(*(means[row][i] for row, _, _, _ in VERDICTS))
    d = Drawing("worth_narrow", 330, 850, about) if narrow else Drawing("worth", 600, 312, about, for_phones=False)
    first, high, wide = (130 if narrow else 84), 180, (280 if narrow else 176)
    d.text(8, first - 16, "right, percent", 12, "start")
    for i, (_, name, role, _) in enumerate((*WORTH, *VERDICTS)):
        across, down = (i % 2, i // 2) if narrow else (i % 4, i // 4)
        x, y = ((8, 170) if narrow else (8, 134, 290, 450))[across], 14 + 22 * down
        d.line((x, y), (x + 18, y), role=role, width=2.5)
        d.text(x + 24, y, name, 13, "start")
    for i, kind in enumerate(("plain", "contrast", "shifting")):
        left, top = (38, first + 235 * i) if narrow else (38 + 190 * i, first)
        at = lambda x, percent: (left + x, top + high * (100 - max(percent, 40)) / 60)  # noqa: E731, B023
        d.text(left + wide / 2, top - 16, kind, 14, bold=True)
        for percent in (40, 60, 80, 100):
            d.line(at(0, percent), at(wide, percent), role="masked", width=0.5)
            if narrow or i == 0:
                d.text(left - 6, at(0, percent)[1], str(percent), 12, "end")
        d.line(at(0, 50), at(wide, 50), dashed=True, width=1)
        if narrow or i == 0:
            d.text(left - 6, at(0, 50)[1], "50", 12, "end")
        few_at, many_at = (130, 240) if narrow else (82, 152)
        for x, label in ((24, "none"), (few_at, "20"), (many_at, "100")):
            d.text(left + x, top + high + 16, label, 12)
        dots = []
        for row, _, role, aside in VERDICTS:
            x, percent = at(23 + aside, means[row][i])
            d.line((x - 7, percent), (x + 7, percent), role=role, width=2.5)
            for value in sorted(set(rows[row][i])):  # equal ones stand side by side
                same = rows[row][i].count(value)
                dots += [(23 + aside + 2.6 * (k - (same - 1) / 2), [value], role) for k in range(same)]
        for row, _, role, aside in WORTH:
            ends = [(few_at + aside, f"20 labels, {row}"), (many_at + aside, f"100 labels, {row}")]
            d.line(*(at(x, means[end][i]) for x, end in ends), role=role, width=2.5)
            dots += [(x, rows[end][i], role) for x, end in ends]
        for x, values, role in dots:
            for value in values:
                cx, cy = at(x, value)
                d.circle(cx, cy, 2.6, f'fill="{ROLES[role]}" fill-opacity="0.75"')
    d.text(left + wide / 2 if narrow else 300, top + high + 40, "labels", 13)
    return d


def drawings():
    yield from what_it_reads()
    yield from encoder()
    yield from who_reads()
    yield from sides()
    yield worth()
    yield worth(narrow=True)
