"""Chapter 15: the model from tokens to logits, and GPT beside BERT."""

from drawing import Drawing


def from_tokens_to_logits():
    d = Drawing(
        "gpt_model",
        560,
        300,
        "Tokens, B by T, go through the table wte and get the positions' vectors wpe added. That is the residual stream, B by"
        " T by C, which runs through L blocks. A last norm ln_f makes the features. Their product with the same table wte,"
        " transposed, gives logits, B by T by V.",
    )
    tokens = d.box(10, 130, 78, 40, "tokens\n[B, T]", size=12)
    wte = d.box(118, 60, 70, 40, "wte\n[V, C]", size=12)
    look_up = d.box(118, 130, 70, 40, "look up", size=12)
    plus = d.join(218, 150, role="residual")
    wpe = d.box(183, 215, 70, 40, "wpe\n[T, C]", size=12)
    d.arrow(tokens.right, look_up.left)
    d.arrow(wte.bottom, look_up.top)
    d.arrow(look_up.right, plus.left)
    d.arrow(wpe.top, plus.bottom)
    frame = d.frame(255, 95, 110, 110, "block × L")
    d.box(267, 122, 86, 30, "attention", "weights", size=12)
    d.box(267, 164, 86, 30, "feed-forward", "feed_forward", size=12)
    d.arrow(plus.right, frame.left, role="residual", width=2.5)
    norm = d.box(395, 130, 52, 40, "ln_f", "norm", size=12)
    d.arrow(frame.right, norm.left, role="residual", width=2.5)
    times = d.join(480, 150, "×")
    d.arrow(norm.right, times.left)
    d.line((153, 60), (153, 35), (480, 35), dashed=True)
    d.arrow((480, 35), times.top, dashed=True)
    d.text(316, 22, "the same table, transposed", 12)
    logits = d.box(445, 215, 70, 40, "logits\n[B, T, V]", size=12)
    d.arrow(times.bottom, logits.top)
    d.text(335, 228, "the stream [B, T, C]", 12)
    return d


def model(d, left, name, kind, words, outputs, sees):
    """One of the two models: words below, what they predict above, and who sees whom in between."""
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


def drawings():
    yield from_tokens_to_logits()
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
    yield d
