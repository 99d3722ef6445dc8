"""Chapter 24: a folder and where it goes, a safetensors file, c_attn cut, BERT as published, logits and loss of each mistake."""

import math
import re
from pathlib import Path

from drawing import ROLES, Drawing, kept_part


def folder():
    d = Drawing(
        "weights_folder",
        680,
        330,
        "Left, the files of a published folder: config.json, model.safetensors, and vocab.json with merges.txt. config.json gives "
        "the sizes of an empty model. From model.safetensors, read gives tensors under their names; renamed and cut, or for BERT "
        "transposed, they get our names; fill puts them into the model. vocab.json and merges.txt make a tokenizer, which turns a text into "
        "tokens. Tokens go into the model, logits come out, and are compared with logits that another program computed. "
        "The four things that must agree are in red: 1 names, where tensors are renamed, and 2 layout, where they are cut or transposed; "
        "3 tokens, at the tokenizer; 4 arithmetic, between the model and the logits.",
    )
    d.frame(8, 12, 168, 306, "the folder")
    config = d.box(12, 44, 160, 34, "config.json", size=13)
    weights = d.box(12, 132, 160, 46, "model.safetensors", size=12)
    vocab = d.box(12, 246, 160, 46, "vocab.json\nmerges.txt", size=12)
    theirs = d.box(222, 132, 106, 46, "tensors,\ntheir names", size=12)
    ours = d.box(412, 132, 100, 46, "tensors,\nour names", size=12)
    model = d.box(566, 132, 106, 46, "the model", size=13)
    tokenizer = d.box(222, 246, 106, 46, "tokenizer", size=12)
    tokens = d.box(412, 246, 100, 46, "tokens", size=12)
    logits = d.box(566, 44, 106, 34, "logits", size=13)
    right = d.box(392, 41, 100, 40, "PyTorch's\nlogits", size=12)
    d.arrow(weights.right, theirs.left)
    d.text(199, 145, "read", 12)
    d.arrow(theirs.right, ours.left)
    d.text(370, 145, "rename", 12)
    d.text(370, 181, "cut;\nBERT:\ntranspose", 12)
    d.arrow(ours.right, model.left)
    d.text(539, 145, "fill", 12)
    d.arrow(vocab.right, tokenizer.left)
    d.arrow(tokenizer.right, tokens.left)
    d.text(244, 314, "a text", 12, "end")
    d.arrow((250, 314), (275, 314), tokenizer.bottom)
    d.arrow(tokens.right, (619, 269), model.bottom)
    d.arrow(model.top, logits.bottom)
    d.arrow((529, 61), logits.left, dashed=True)
    d.arrow((529, 61), right.right, dashed=True)
    d.text(529, 34, "equal?", 12)
    d.arrow(config.right, (196, 61), (196, 98), (592, 98), (592, 132))
    d.text(380, 110, "sizes of an empty model", 12)
    for x, y, words in ((370, 128, "1 names"), (370, 216, "2 layout"), (370, 303, "3 tokens"), (604, 88, "4 arithmetic")):
        d.text(x, y, words, 12, "end" if x > 500 else "middle", role="gradient", bold=True)
    return d


def file():
    d = Drawing(
        "safetensors_file",
        640,
        204,
        "A safetensors file from left to right: 8 bytes with the length of the header; the header, JSON text, with an entry for "
        "each tensor; then the data, the tensors' numbers one after the other. The two offsets of an entry, counted from the "
        "beginning of the data, point at the beginning and the end of that tensor's numbers. Not to scale.",
    )
    length = d.box(8, 60, 62, 58, "8 bytes", "masked", 12)
    d.box(70, 60, 316, 58, "", "masked", 12)
    d.text(78, 71, '{…,"wte.weight":{"dtype":"F32",', 11, "start", mono=True)
    d.text(78, 88, '"shape":[384,32],', 11, "start", mono=True)
    d.text(78, 105, '"data_offsets":[142848,192000]}}', 11, "start", mono=True)
    d.box(386, 60, 64, 58, "h.0. …\nh.1. …", "masked", 12)
    d.box(450, 60, 50, 58, "ln_f.\n…", "masked", 12)
    d.box(500, 60, 66, 58, "wpe.\nweight", "masked", 12)
    d.box(566, 60, 66, 58, "wte.\nweight", "masked", 12)
    d.text(39, 136, "length", 12)
    d.text(134, 136, "header: JSON", 12)
    d.text(512, 38, "data: numbers of 4 bytes,\nnothing else (not to scale)", 12)
    d.arrow(length.top, (39, 34), (384, 34), (384, 58))
    d.text(212, 22, "how far the header goes", 12)
    d.arrow((256, 118), (256, 154), (568, 154), (568, 120))
    d.arrow((322, 118), (322, 172), (630, 172), (630, 120))
    d.text(400, 186, "begin and end, from the first byte of the data", 12)
    return d


def cut():
    d = Drawing(
        "c_attn_cut",
        600,
        416,
        "Above: c_attn, C rows of 3 C columns, cut by columns into query, key and value, C by C each. Below it, cut by rows into "
        "three thirds of the same numbers: three squares, C by C, each with a row of the query, a row of the key and a row of the "
        "value, all from one row of c_attn, whose number stands in the cells. "
        "Last, two ways to read one square matrix: x W adds up rows of W, as Conv1D and pocket do; x W transposed "
        "adds up columns, as PyTorch's Linear does. All have the shape C by C, so a wrong choice fits.",
    )
    names = ("query", "key", "value")
    roles = [[name for name in names for _ in range(3)] for _ in range(3)]
    d.matrix(24, 46, [[row] * 9 for row in "123"], cell=24, roles=roles)
    d.text(132, 24, "c_attn  [C, 3 C]", 13, bold=True)
    for i, name in enumerate(names):
        at = 350 + i * 84
        d.matrix(at, 46, [[row] * 3 for row in "123"], name, 24)
        d.text(at + 36, 24, name, 13, role=name, bold=True)
        d.matrix(at, 160, [[str(i + 1)] * 3 for _ in names], cell=24, roles=[[row] * 3 for row in names])
        d.text(at + 36, 144, f"“{name}”", 13)
    d.arrow((246, 82), (340, 82))
    d.text(292, 66, "by columns", 12)
    d.arrow((132, 124), (132, 196), (340, 196))
    d.text(234, 180, "by rows: wrong, and it fits", 12)
    cells, turned = [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]], [["a", "d", "g"], ["b", "e", "h"], ["c", "f", "i"]]
    d.matrix(60, 296, cells, "residual", 28, size=13)
    d.matrix(258, 296, cells, "residual", 28, size=13)
    d.matrix(456, 296, turned, "residual", 28, size=13)
    d.text(102, 276, "[in, out]", 13)
    d.text(300, 276, "W in the file", 13, bold=True)
    d.text(498, 276, "transposed", 13)
    d.arrow((250, 338), (152, 338))
    d.text(203, 316, "Conv1D:\nas it is", 12)
    d.arrow((350, 338), (448, 338))
    d.text(397, 316, "as for\nLinear", 12)
    d.text(300, 398, "x = (x₁ x₂ x₃)", 12)
    d.text(102, 398, "y₁ = x₁a + x₂d + x₃g", 12)
    d.text(498, 398, "y₁ = x₁a + x₂b + x₃c", 12)
    return d


def bert():
    d = Drawing(
        "published_bert",
        620,
        480,
        "The fables_bert model, computed as by Hugging Face, read upwards. Tokens go to three tables, words, positions and segments, whose sum goes "
        "through a norm that pocket's Bert never calls. Then two post-norm blocks: attention, sum, norm, feed-forward with the "
        "exact GELU, sum, norm. Then the head: a linear layer, the exact GELU, a norm, the product with the table of words, "
        "and a bias for each piece, which pocket's Bert does not have. Its fill accepts the norm and refuses the bias. "
        "In all six norms, four in the blocks, the first and the head's, epsilon is 1e-12.",
    )
    x = 210
    tokens = d.box(x - 75, 442, 150, 28, "tokens [B, T]", size=13)
    tables = d.box(x - 140, 392, 280, 30, "words + positions + segments", size=13)
    d.arrow(tokens.top, tables.bottom)
    first = d.box(x - 45, 350, 90, 26, "norm", "norm", 13, dashed=True)
    d.arrow(tables.top, first.bottom)
    d.box(28, 150, 352, 184)
    d.text(40, 172, "2 ×", 13, "start", bold=True)
    attention = d.box(x - 75, 282, 150, 30, "self-attention", "weights", 13)
    d.arrow(first.top, attention.bottom)
    one = d.box(x - 90, 246, 180, 24, "sum, then norm", "norm", 13)
    d.arrow(attention.top, one.bottom)
    feed = d.box(x - 75, 196, 150, 26, "feed-forward", "feed_forward", 13)
    d.arrow(one.top, feed.bottom)
    two = d.box(x - 90, 158, 180, 24, "sum, then norm", "norm", 13)
    d.arrow(feed.top, two.bottom)
    for low, box in ((326, one), (236, two)):
        d.line((x, low), (x + 110, low), (x + 110, box.y + 12), box.right, role="residual", width=2)
        d.arrow((x + 108, box.y + 12), box.right, role="residual", width=2)
    head = d.box(x - 110, 104, 220, 30, "linear, GELU, norm", "feed_forward", 13)
    d.arrow(two.top, head.bottom)
    out = d.box(x - 150, 60, 300, 28, "times the table of words, transposed", size=12)
    d.arrow(head.top, out.bottom)
    bias = d.box(x - 75, 18, 150, 26, "+ bias [V]", size=13, dashed=True)
    d.arrow(out.top, bias.bottom)
    notes = (
        (bias, 31, "pocket: none,\nand fill refuses it"),
        (head, 119, "GELU by erf\n(pocket: tanh)"),
        (first, 363, "pocket: fill accepts\nit, but Bert never\ncalls it"),
    )
    for box, y, words in notes:
        d.line((box.right[0] + 4, y), (424, y), role="gradient", width=0.8)
        d.text(430, y, words, 13, "start", role="gradient")
    d.line((feed.left[0] - 4, 209), (feed.left[0] - 24, 209), role="gradient", width=0.8)
    d.text(feed.left[0] - 28, 209, "GELU\nby erf,\ntoo", 12, "end", role="gradient")
    for box in (first, one, two, head):
        d.text(box.x + 9, box.y + box.height / 2, "●", 11, role="gradient")
    d.text(430, 275, "● epsilon 1e-12\nin six norms\n(pocket: 1e-5):\nthe first, four in\nthe blocks, the\nhead's", 13, "start", role="gradient")
    return d


HERE = Path(__file__).parent
# Where the label of each row that the program prints is beside its marker, and its anchor.
LABELS = {
    "mistakes": {
        "attn.c_proj transposed": (22, 23, "start"),
        "q, k, v transposed": (-22, 13, "end"),
        "c_attn cut by rows": (-24, 8, "end"),
        "query, key exchanged": (-24, 19, "end"),
        "query, value exchanged": (19, -6, "start"),
        "ln_1, ln_2 exchanged": (22, 15, "start"),
        "blocks 0, 1 exchanged": (-31, -8, "end"),
        "c_attn's bias set to 0": (-24, -6, "end"),
    },
    "details": {
        "epsilon 1e-12": (-8, 0, "end"),
        "GELU by erf": (0, -15, "middle"),
        "ReLU": (10, 0, "start"),
        "scores not divided by root D": (-10, 0, "end"),
        "an output table of its own": (16, 1, "start"),
    },
    "bert_details": {
        "epsilon 1e-5": (9, 0, "start"),
        "GELU by tanh": (0, 15, "middle"),
        "no bias on the logits": (12, 0, "start"),
        "no segment added": (-12, 0, "end"),
        "no norm after the embeddings": (25, 10, "start"),
        "norms before the branches": (-24, -3, "end"),
        "transposed only where it must be": (-7, -11, "end"),
    },
}
SHORTER = {
    "epsilon 1e-12": "GPT: epsilon",
    "GELU by erf": "GPT: GELU by erf",
    "epsilon 1e-5": "BERT: epsilon",
    "GELU by tanh": "BERT: GELU by tanh",
    "attn.c_proj transposed": "c_proj transposed",
    "c_attn's bias set to 0": "no c_attn.bias",
    "scores not divided by root D": "not divided by √D",
    "an output table of its own": "own output table",
    "no bias on the logits": "no bias [V]",
    "no segment added": "no segments",
    "no norm after the embeddings": "no first norm",
    "norms before the branches": "pre-norm",
    "transposed only where it must be": "transposed only if it must be",
}


def rows(part):
    """For each row of a part: its name, the logits apart, the increase of the loss, and its standard error (0: not printed)."""
    lines = kept_part(__file__, part).split("\n")
    cells = [re.split(r" {2,}", line) for line in lines[1:] if re.search(r" {2,}\d\.\de|< 1e", line)]
    right = float(cells[0][2])
    for name, apart, loss, *more in cells[1:]:
        increase, error = map(float, more[0].split(" ± ")) if part == "bert_details" else (float(loss) - right, 0)
        yield name, float(apart), increase, error


def shows():
    d = Drawing(
        "loss_shows",
        600,
        490,
        "Across, how far the logits of each mistake are from PyTorch's; upwards, by how much the loss increases; both logarithmic. "
        "All are to the right of rounding. Far to the right, most increase the loss by much, and BERT's two smallest "
        "increases, no bias on the logits and no segment, have errors about half their size. In a red band at the bottom, where the loss "
        "changes by at most 0.0001: epsilon and the other GELU, of the GPT and of BERT.",
    )
    left, top, bottom, band = 66, 30, 376, (386, 434)

    def across(apart):
        return left + 46 * (math.log10(apart) + 5)

    def up(increase):
        return bottom - 112 * (math.log10(increase) + 2)

    for tick in (0.01, 0.1, 1, 10):
        d.line((left, up(tick)), (592, up(tick)), role="masked", width=0.4)
        d.text(left - 6, up(tick), f"{tick:g}", 12, "end")
    for power in range(-5, 3):
        at = across(10**power)
        d.line((at, band[1]), (at, band[1] + 5), width=1)
        if power % 2:
            d.text(at, band[1] + 16, f"1e{power:+03d}", 12)
    d.line((left, top - 8), (left, bottom), width=1)
    d.line((left, band[1]), (592, band[1]), width=1)
    d.rect(left, band[0], 592 - left, band[1] - band[0], f'fill="{ROLES["gradient"]}" fill-opacity="0.14"')
    d.text(left - 6, sum(band) / 2, "within\n0.0001", 12, "end")
    d.text(582, sum(band) / 2, "not seen in\nthree decimals", 13, "end", bold=True)
    d.text(4, 10, "change of the loss", 12, "start")
    d.text(325, band[1] + 40, "logits apart: the largest difference from PyTorch's", 12)

    def marker(x, y, bert, colour="currentColor"):
        diamond = f'<path d="M{x * d.share:.1f} {y - 5.5:.1f}l5.5 5.5-5.5 5.5-5.5-5.5z" fill="{ROLES["norm"] if colour == "currentColor" else colour}" stroke="{colour}"/>'
        d.parts.append(diamond) if bert else d.circle(x, y, 3.5, f'fill="{colour}"')

    for y, bert, words in ((330, False, "fables_gpt"), (350, True, "fables_bert; bars: standard error")):
        marker(104, y, bert)
        d.text(114, y, words, 12, "start")
    rounding = re.search(r"change by up to (\S+)", (HERE / "pytorch.txt").read_text())[1]
    at = across(float(rounding))
    d.line((at, 46), (at, band[0]), role="masked", dashed=True)
    d.text(at + 6, 250, f"rounding, GPT:\n{rounding}", 12, "start")
    for part, labels in reversed(LABELS.items()):  # a diamond does not cover a dot
        for name, apart, increase, error in rows(part):
            hidden = increase <= error
            x, y = across(apart), sum(band) / 2 if hidden else up(increase)
            colour = ROLES["gradient"] if hidden else "currentColor"
            if error and not hidden:
                d.line((x, up(increase + error)), (x, up(increase - error)), width=1)
            dx, dy, anchor = labels[name]
            if abs(dx) > 12:
                d.line((x, y), (x + dx - math.copysign(3, dx), y + dy), role="masked", width=0.8)
            d.text(x + dx, y + dy, SHORTER.get(name, name), 11, anchor)
            marker(x, y, part == "bert_details", colour)
    return d


def drawings():
    yield folder()
    yield file()
    yield cut()
    yield bert()
    yield shows()
