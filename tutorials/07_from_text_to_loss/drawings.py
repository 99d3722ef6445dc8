"""The way from a text to its loss, and the gradient back."""

from drawing import Drawing


def drawings():
    d = Drawing(
        "text_to_loss",
        590,
        300,
        "The text q u i is cut into inputs, q and u, and targets, u and i. The inputs' tokens choose rows of a table, which gives"
        " logits of shape N by V. log_softmax makes log-probabilities. Each target chooses one of them, and minus their mean is"
        " the loss. Backward, the logits receive P minus Y over N, and of it, each row goes to the table's row that was looked up.",
    )
    d.text(40, 30, "text", 13)
    for i, (letter, token) in enumerate((("q", 49), ("u", 53), ("i", 41))):
        d.box(10 + 34 * i, 44, 30, 30, letter)
        d.text(25 + 34 * i, 92, str(token), 12, mono=True)
    d.text(61, 112, "tokens", 13)
    table = d.box(150, 44, 106, 62, "table\n[V, V]", "value")
    d.arrow((112, 59), (150, 59))
    d.text(131, 46, "q, u", 12)
    logits = d.box(296, 44, 116, 62, "logits X\n[N, V]")
    d.arrow((256, 75), (296, 75))
    soft = d.box(452, 44, 126, 62, "log_softmax\nln P  [N, V]", "weights")
    d.arrow((412, 75), (452, 75))
    pick = d.box(438, 170, 140, 62, "the target's\nln p of each row")
    d.arrow((508, 106), pick.top)
    d.arrow((78, 122), (78, 201), (438, 201))
    d.text(250, 188, "targets u, i  [N]", 13)
    loss = d.box(438, 252, 140, 38, "loss = -mean  []")
    d.arrow(pick.bottom, loss.top)
    d.arrow((438, 271), (354, 271), (354, 106), role="gradient", dashed=True)
    d.text(346, 250, "(P − Y) / N", 14, "end", role="gradient")
    d.text(346, 271, "gradient of the logits", 12, "end", role="gradient")
    d.arrow((354, 146), (203, 146), (203, 106), role="gradient", dashed=True)
    d.text(210, 162, "rows looked up", 12, "start", role="gradient")
    yield d
