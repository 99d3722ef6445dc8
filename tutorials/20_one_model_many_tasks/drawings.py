"""Chapter 20: a head for each task against prompts, and which positions of a batch are asked."""

from pathlib import Path

from drawing import Drawing

TWEET = ["Tweet:", "I", "love", "the", "new", "park", "!", "Sentiment:", "positive"]
ANSWERS = ((8, 2), (8, 8), (26, 9))  # prompt and answer of three rows, in tokens; the answer ends with <end>

NAMED = {1: (1070, 0.68), 2: (775, 0.32), 3: (1200, 0.25), 4: (420, 0.5), 5: (620, 0.9)}  # where a seed's name is


def ways():
    d = Drawing(
        "head_or_prompt",
        600,
        320,
        "Two ways to teach a GPT a task. Left, as GPT-1: a tweet goes through the GPT, the last position's vector of C"
        " numbers goes to a new head, a matrix from C to 2, and out come the logits of two labels. Another task gets another"
        " head, on its own copy of the GPT. Right, as GPT-2: the text itself ends with the word Sentiment, and the GPT's own output layer, from C to V,"
        " writes the answer as the next word. Another task has another prompt, and nothing is new.",
    )
    d.text(145, 14, "GPT-1: a head for each task", 14, bold=True)
    d.text(450, 14, "GPT-2: the task as text", 14, bold=True)
    for left in (10, 315):
        d.box(left, 170, 270, 56, "GPT: features [T, C]", "residual")
        words = ["Tweet:", "I", "love", "...", "Sentiment:"]
        for i, word in enumerate(words):
            x = left + 27 + 54 * i
            d.text(x, 264, word, 11 if len(word) > 8 else 12)
            d.arrow((x, 252), (x, 228))
    d.text(145, 300, "another task: another head, another copy", 13)
    d.text(450, 300, "another task: another prompt", 13)
    d.box(180, 102, 96, 34, "head [C, 2]", "weights", 13)
    d.arrow((253, 170), (253, 138))
    d.arrow((228, 102), (228, 70))
    d.text(228, 54, "negative  positive", 13)
    d.box(440, 102, 140, 34, "output layer [C, V]", "plain", 13)
    d.arrow((558, 170), (558, 138))
    d.arrow((510, 102), (510, 70))
    d.text(510, 54, "positive", 13, bold=True)
    d.text(410, 54, "the next word:", 13)
    return d


def mask():
    d = Drawing(
        "answer_mask",
        600,
        312,
        "Upper part: one row. The model reads Tweet, I, love, the, new, park, exclamation mark, Sentiment, positive. Targets"
        " are minus 100 at the first seven positions. At Sentiment the target is positive, and at positive it is the end."
        " Lower part: a batch of three rows, with 9, 15 and 34 positions. Prompts are grey, answers orange. Padding after the"
        " two shorter rows is empty. Only the orange positions have a target.",
    )
    x, wide = 62, 59
    d.text(6, 14, "One row", 14, "start", bold=True)
    for y, name, words in ((32, "inputs", TWEET), (70, "targets", ["-100"] * 7 + ["positive", "<end>"])):
        d.text(6, y + 15, name, 13, "start")
        for i, word in enumerate(words):
            role = "weights" if name == "targets" and i > 6 else "masked"
            d.box(x + wide * i, y, wide - 3, 30, word, role, 9.5)
    d.text(6, 136, "A batch", 14, "start", bold=True)
    cell, x = 15.4, 66
    names = ["tweet", "French", "report"]
    for row, (prompt, answer) in enumerate(ANSWERS):
        y = 156 + 34 * row
        d.text(6, y + 12, names[row], 13, "start")
        for i in range(34):
            role = "masked" if i < prompt - 1 else "weights" if i < prompt - 1 + answer else "plain"
            d.box(x + cell * i, y, cell - 2, 24, "", role, dashed=role == "plain")
    y = 276
    legend = ((66, "masked", "prompt: target -100"), (236, "weights", "answer: the next token"))
    for x, role, what in (*legend, (426, "plain", "padding: target -100")):
        d.box(x, y, 15, 22, "", role, dashed=role == "plain")
        d.text(x + 22, y + 11, what, 12, "start")
    return d


def summaries():
    """The table of the long run, as lines."""
    lines = (Path(__file__).parent / "long.txt").read_text().split("[long_summaries]")[1].strip().split("\n")[1:]
    table = [[float(word) for word in line.split()] for line in lines]
    d = Drawing(
        "summaries",
        600,
        268,
        "The share of held-out summaries that are right, from 0 to 1, over 1600 training steps, a line for each of five seeds."
        " Each line stays near 0 for hundreds of steps. Then most rise to nearly all within one to three hundred steps.",
    )
    left, top, wide, high = 62, 34, 510, 180
    at = lambda step, share: (left + wide * step / table[-1][0], top + high * (1 - share))  # noqa: E731
    d.text(left - 46, 12, "right summaries, held out", 13, "start")
    for share in (0, 0.5, 1):
        d.line(at(0, share), at(table[-1][0], share), role="masked", width=0.5)
        d.text(left - 8, at(0, share)[1], f"{share:g}", 13, "end")
    for step in range(0, 1601, 400):
        d.text(at(step, 0)[0], top + high + 15, str(step), 13)
    d.text(left + wide / 2, top + high + 40, "training steps", 13)
    for seed in range(1, len(table[0])):
        d.line(*(at(row[0], row[seed]) for row in table), width=1.8)
        step, share = NAMED[seed]
        d.text(*at(step, share), f"seed {seed}", 12, "start")
    return d


def drawings():
    yield ways()
    yield mask()
    yield summaries()
