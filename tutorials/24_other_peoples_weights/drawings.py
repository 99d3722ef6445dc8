"""Chapter 24: what is in a folder and where it goes, a safetensors file, c_attn cut, a square transposed, BERT as published."""

from drawing import Drawing


def folder():
    d = Drawing(
        "weights_folder",
        600,
        330,
        "Left, the files of a published folder: config.json, model.safetensors, and vocab.json with merges.txt. config.json gives "
        "the sizes of an empty model. From model.safetensors, read gives tensors under their names; renamed, cut or transposed, "
        "they get our names; fill puts them into the model. vocab.json and merges.txt make a tokenizer, which turns a text into "
        "tokens. Tokens go into the model, logits come out, and are compared with logits that another program computed.",
    )
    d.frame(8, 12, 142, 306, "the folder")
    config = d.box(18, 44, 122, 34, "config.json", size=13)
    weights = d.box(18, 132, 122, 46, "model.safetensors", "key", 12)
    vocab = d.box(18, 246, 122, 46, "vocab.json\nmerges.txt", "query", 12)
    theirs = d.box(190, 132, 92, 46, "tensors,\ntheir names", "key", 12)
    ours = d.box(330, 132, 92, 46, "tensors,\nour names", "value", 12)
    model = d.box(470, 132, 116, 46, "the model", "feed_forward", 13)
    tokenizer = d.box(190, 246, 92, 46, "tokenizer", "query", 12)
    tokens = d.box(330, 246, 92, 46, "tokens", "query", 12)
    logits = d.box(470, 44, 116, 34, "logits", "weights", 13)
    right = d.box(300, 44, 122, 34, "PyTorch's logits", size=12)
    d.arrow(weights.right, theirs.left)
    d.text(171, 145, "read", 12)
    d.arrow(theirs.right, ours.left)
    d.text(306, 200, "rename, cut,\ntranspose", 12)
    d.arrow(ours.right, model.left)
    d.text(446, 145, "fill", 12)
    d.arrow(vocab.right, tokenizer.left)
    d.arrow(tokenizer.right, tokens.left)
    d.text(236, 308, "a text goes in", 12)
    d.arrow(tokens.right, (528, 269), model.bottom)
    d.arrow(model.top, logits.bottom)
    d.arrow(right.right, logits.left, dashed=True)
    d.text(446, 34, "equal?", 12)
    d.arrow(config.right, (170, 61), (170, 96), (496, 96), (496, 132))
    d.text(330, 109, "sizes of an empty model", 12)
    return d


def file():
    d = Drawing(
        "safetensors_file",
        600,
        210,
        "A safetensors file from left to right: 8 bytes with the length of the header; the header, JSON text, with an entry for "
        "each tensor; then the data, the tensors' numbers one after the other. The two offsets of an entry, counted from the "
        "beginning of the data, point at the beginning and the end of that tensor's numbers.",
    )
    length = d.box(8, 110, 62, 44, "8 bytes", "norm", 12)
    d.box(70, 110, 230, 44, "", "query", 12)
    d.text(185, 122, '"wte.weight": {"dtype": "F32",', 11, mono=True)
    d.text(185, 141, '"shape": …, "data_offsets":', 11, mono=True)
    d.box(300, 110, 86, 44, "h.0. …", "key", 12)
    d.box(386, 110, 110, 44, "wpe.weight", "value", 12)
    d.box(496, 110, 96, 44, "wte.weight", "key", 12)
    d.text(39, 172, "length", 12)
    d.text(185, 172, "header: JSON", 12)
    d.text(446, 172, "data: numbers of 4 bytes, nothing else", 12)
    d.arrow(length.top, (39, 84), (299, 84), (299, 108), role="norm")
    d.text(160, 72, "how far the header goes", 12)
    d.arrow((270, 110), (270, 48), (498, 48), (498, 110), role="query")
    d.arrow((284, 110), (284, 30), (590, 30), (590, 110), role="query")
    d.text(430, 17, "data_offsets: begin and end, from the first byte of the data", 12)
    return d


def cut():
    d = Drawing(
        "c_attn_cut",
        600,
        330,
        "Above: c_attn, C rows of 3 C columns, cut by columns into query, key and value, C by C each. Below, two ways to read one "
        "square matrix: x W adds up rows of W, as Conv1D and pocket do; x W transposed adds up columns, as PyTorch's Linear does. "
        "Both have the shape C by C, so a wrong choice fits.",
    )
    roles = [["query"] * 3 + ["key"] * 3 + ["value"] * 3 for _ in range(3)]
    blank = [[""] * 9 for _ in range(3)]
    d.matrix(60, 46, blank, cell=24, roles=roles)
    d.text(168, 24, "c_attn  [C, 3 C]", 13, bold=True)
    for i, (name, role) in enumerate((("query", "query"), ("key", "key"), ("value", "value"))):
        at = 350 + i * 84
        d.matrix(at, 46, [[""] * 3 for _ in range(3)], role, 24)
        d.text(at + 36, 24, f"{name}", 13, role=role, bold=True)
    d.arrow((284, 82), (340, 82))
    d.text(312, 66, "cut", 12)
    d.text(300, 142, "By columns. Cut by rows, the same numbers make three matrices of the right shape.", 12)
    cells = [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]
    d.matrix(60, 206, cells, "residual", 28, size=13)
    d.text(102, 186, "in the file", 13, bold=True)
    d.arrow((152, 240), (214, 240))
    d.text(183, 224, "Conv1D", 12)
    d.matrix(228, 206, cells, "residual", 28, size=13)
    d.text(270, 186, "[in, out]", 13)
    d.text(270, 306, "y = x W:  y₁ = x₁a + x₂d + x₃g", 12)
    d.matrix(440, 206, [["a", "d", "g"], ["b", "e", "h"], ["c", "f", "i"]], "residual", 28, size=13)
    d.text(482, 186, "[out, in], transposed", 13)
    d.text(482, 306, "y₁ = x₁a + x₂b + x₃c", 12)
    d.text(376, 240, "or", 13)
    return d


def bert():
    d = Drawing(
        "published_bert",
        600,
        470,
        "BERT as it was published, read upwards. Tokens go to three tables, words, positions and segments, whose sum goes "
        "through a norm that pocket's Bert does not have. Then two post-norm blocks: attention, sum, norm, feed-forward with the "
        "exact GELU, sum, norm. Then the head: a linear layer, the exact GELU, a norm, the product with the table of words, "
        "and a bias for each word, which pocket's Bert does not have.",
    )
    x = 210
    tokens = d.box(x - 75, 428, 150, 28, "tokens [B, T]", size=13)
    tables = d.box(x - 140, 378, 280, 30, "words + positions + segments", size=13)
    d.arrow(tokens.top, tables.bottom)
    first = d.box(x - 45, 336, 90, 26, "norm", "norm", 13, dashed=True)
    d.arrow(tables.top, first.bottom)
    d.frame(40, 156, 340, 162, "")
    d.text(52, 172, "2 ×", 13, "start", bold=True)
    attention = d.box(x - 75, 272, 150, 30, "self-attention", "weights", 13)
    d.arrow(first.top, attention.bottom)
    one = d.box(x - 75, 234, 150, 24, "sum, then norm", "norm", 13)
    d.arrow(attention.top, one.bottom)
    feed = d.box(x - 75, 196, 150, 26, "feed-forward", "feed_forward", 13)
    d.arrow(one.top, feed.bottom)
    two = d.box(x - 75, 162, 150, 24, "sum, then norm", "norm", 13)
    d.arrow(feed.top, two.bottom)
    for low, box in ((310, one), (228, two)):
        d.arrow((x, low), (x + 110, low), (x + 110, box.y + 12), box.right, role="residual", width=2)
    head = d.box(x - 110, 104, 220, 30, "linear, GELU, norm", "feed_forward", 13)
    d.arrow(two.top, head.bottom)
    out = d.box(x - 110, 60, 220, 28, "times the table of words, transposed", size=12)
    d.arrow(head.top, out.bottom)
    bias = d.box(x - 75, 18, 150, 26, "+ bias [V]", "value", 13, dashed=True)
    d.arrow(out.top, bias.bottom)
    notes = (
        (31, "not in pocket's Bert"),
        (119, "GELU by erf; epsilon 1e-12"),
        (209, "GELU by erf"),
        (246, "epsilon 1e-12"),
        (349, "not in pocket's Bert"),
    )
    for y, words in notes:
        d.text(405, y, words, 13, "start", role="gradient")
    return d


def drawings():
    yield folder()
    yield file()
    yield cut()
    yield bert()
