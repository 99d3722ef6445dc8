"""Chapter 15: the model from tokens to logits, GPT beside BERT, and the leak."""

from drawing import Drawing


def from_tokens_to_logits():
    d = Drawing(
        "gpt_model",
        600,
        290,
        "Tokens, B by T, go through the table wte, V by C, and get the first T rows of the table wpe added. That is the"
        " residual stream, B by T by C. It runs through L blocks; in each, attention and the feed-forward network read it"
        " and add to it. A last norm ln_f makes the features. Their product with the same table wte, transposed, gives"
        " logits, B by T by V.",
    )
    tokens = d.box(6, 150, 70, 40, "tokens\n[B, T]", size=12)
    wte = d.box(98, 60, 70, 40, "wte\n[V, C]", size=12)
    look_up = d.box(98, 150, 70, 40, "look up", size=12)
    plus = d.join(194, 170, role="residual")
    wpe = d.box(104, 228, 180, 40, "first T rows of\nwpe [n_positions, C]", size=12)
    d.arrow(tokens.right, look_up.left)
    d.arrow(wte.bottom, look_up.top)
    d.arrow(look_up.right, plus.left)
    d.arrow(wpe.top, plus.bottom)
    d.frame(222, 84, 232, 116, "block × L")
    at = plus.right
    for x, words, role in ((232, "attention", "weights"), (342, "feed-\nforward", "feed_forward")):
        branch = d.box(x + 10, 106, 76, 40, words, role, size=12)
        end = d.join(x + 98, 170, role="residual")
        d.line(at, end.left, role="residual", width=2.5)
        d.arrow((x, 170), (x, 126), branch.left)
        d.arrow(branch.right, (x + 98, 126), end.top)
        at = end.right
    norm = d.box(472, 150, 48, 40, "ln_f", "norm", size=12)
    d.arrow(at, norm.left, role="residual", width=2.5)
    times = d.join(556, 170, "×")
    d.arrow(norm.right, times.left)
    d.line((133, 60), (133, 35), (556, 35), dashed=True)
    d.arrow((556, 35), times.top, dashed=True)
    d.text(330, 22, "the same table, transposed", 12)
    logits = d.box(518, 228, 76, 40, "logits\n[B, T, V]", size=12)
    d.arrow(times.bottom, logits.top)
    d.text(390, 222, "the stream [B, T, C]", 12)
    return d


def model(d, left, name, kind, words, outputs, sees):
    """One of the two models: words below, their predictions above, and in between which word attends to which."""
    d.text(left + 135, 16, name, 15, bold=True)
    d.text(left + 135, 36, kind, 12)
    for i, (word, output) in enumerate(zip(words, outputs)):
        x = left + 68 * i
        below = d.box(x, 250, 62, 32, word, "masked" if word == "[MASK]" else "plain", size=12)
        above = d.box(x, 135, 62, 32, "", "residual")
        d.text(x + 31, 151, "x", 13)
        if output:
            said = d.box(x, 70, 62, 32, output, size=12)
            d.arrow(above.top, said.bottom)
        for j in range(len(words)):
            if sees(i, j):
                start = (left + 68 * j + 31 + 5 * (i - j), 250)
                d.arrow(start, (above.bottom[0] + 5 * (j - i), 167), role="weights", width=1.3)


def leak():
    left, step = 96, 70
    d = Drawing(
        "leak_arrow",
        600,
        250,
        "The text The fox as inputs, and above it the targets: the same characters, one position earlier. The target of"
        " position 3 is f. Its vector reads the inputs of positions 0 to 3. The input of position 4 is that f. Without the"
        " mask, an arrow leads from there to position 3: the answer.",
    )
    inputs, targets = "The_fox", "he_fox."
    for i, (read, said) in enumerate(zip(inputs, targets)):
        x = left + step * i
        d.text(x + 22, 14, f"{i}", 12)
        d.box(x, 28, 44, 30, said, "gradient" if i == 3 else "plain")
        d.box(x, 108, 44, 30, "x", "residual", size=13)
        d.box(x, 198, 44, 30, read, "gradient" if i == 4 else "plain")
    for y, word in ((14, "position"), (43, "targets"), (123, "model"), (213, "inputs")):
        d.text(8, y, word, 13, "start")
    middle = left + step * 3 + 22
    for i in range(4):
        d.arrow((left + step * i + 22, 198), (middle - 5 * (3 - i), 138), role="weights", width=1.3)
    d.arrow((middle + step, 198), (middle + 8, 138), role="gradient", width=3)
    d.arrow((middle, 108), (middle, 58))
    d.text(middle + 8, 84, "must say f", 13, "start")
    d.text(middle + 62, 168, "the leak: here f is read", 13, "start", role="gradient")
    return d


def gpt_and_bert():
    d = Drawing(
        "gpt_and_bert",
        590,
        330,
        "Two models over the words the fox ran home. GPT, a decoder: the position of each word sees that word and earlier ones,"
        " and predicts the next, so four words give four predictions. BERT, an encoder: fox is replaced by a mask, every"
        " position sees every other, and only the masked position predicts: fox.",
    )
    words = ["the", "fox", "ran", "home"]
    model(d, 10, "GPT", "decoder: each position sees the past", words, ["fox", "ran", "home", "."], lambda i, j: j <= i)
    hidden = ["the", "[MASK]", "ran", "home"]
    model(d, 310, "BERT", "encoder: each position sees all", hidden, ["", "fox", "", ""], lambda i, j: True)
    d.text(145, 305, "predicts at every position, can write", 12)
    d.text(445, 305, "predicts what is hidden, cannot write", 12)
    return d


def drawings():
    yield from_tokens_to_logits()
    yield leak()
    yield gpt_and_bert()
