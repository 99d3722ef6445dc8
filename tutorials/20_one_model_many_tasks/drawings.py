"""Chapter 20: a head for each task against prompts, and which positions of a batch are asked."""

from pathlib import Path

from drawing import Drawing

TWEET = ["Tweet:", "I", "love", "the", "new", "park", "!", "Sentiment:", "positive"]
ANSWERS = ((8, 2), (8, 8), (26, 9))  # prompt and answer of three rows, in tokens; the answer ends with <end>

COLOURS = ("query", "key", "value", "weights", "residual")  # of lines: seeds, or kinds of words
SEEDS = ((1070, 0.6), (770, 0.32), (1230, 0.22), (370, 0.62), (560, 0.93))  # where a line's name is
WORDS = {"first name": (915, 0.44), "surname": (390, 0.75), "deed": (235, 0.82), "thing": (1400, 0.4), "town": (690, 0.52)}


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
    d.text(145, 14, "GPT-1", 14, bold=True)
    d.text(450, 14, "GPT-2", 14, bold=True)
    for left in (10, 315):
        d.box(left, 170, 270, 56, "GPT: features [T, C]", "residual")
        words = ["Tweet:", "I", "love", "...", "Sentiment:"]
        for i, word in enumerate(words):
            x = left + 27 + 54 * i
            d.text(x, 264, word, 11 if len(word) > 8 else 12)
            d.arrow((x, 252), (x, 228))
    d.text(145, 300, "another task: another head,\nanother copy", 13)
    d.text(450, 300, "another task: another prompt", 13)
    d.box(180, 102, 96, 34, "head [C, 2]", "weights", 13)
    d.arrow((253, 170), (253, 138))
    d.arrow((228, 102), (228, 70))
    d.text(228, 54, "negative  positive", 13)
    d.box(430, 102, 160, 34, "output layer [C, V]", "plain", 13)
    d.arrow((558, 170), (558, 138))
    d.arrow((510, 102), (510, 70))
    d.text(510, 54, "positive", 13, bold=True)
    d.text(410, 54, "the next word:", 13)
    return d


def inputs():
    d = Drawing(
        "inputs",
        600,
        352,
        "Four tasks, each with its input, from start to extract, which the GPT reads, and a head on the features at extract. One"
        " text: start, text, extract; the head has an output for each label. A pair: start, premise, delimiter, hypothesis, extract;"
        " the head has an output for each label. Similarity: start, text 1, delimiter, text 2, extract, and the same with the texts"
        " swapped; both features are added before the head. A choice: start, context, delimiter, answer, extract for each of two"
        " answers; the same head with one output reads both, and the softmax is over the two outputs.",
    )
    tasks = (
        ("One text", [["text"]]),
        ("A pair", [["premise", "hypothesis"]]),
        ("Similarity", [["text 1", "text 2"], ["text 2", "text 1"]]),
        ("A choice", [["context", "answer 1"], ["context", "answer 2"]]),
    )
    y = 12
    for name, rows in tasks:
        d.text(6, y, name, 14, "start", bold=True)
        middle = y + 16 + 17 * len(rows)
        for i, texts in enumerate(rows):
            x, height = 6, y + 33 + 34 * i
            words = [("start", 42, "weights")]
            for text in texts:
                words += [(text, 82, "plain"), ("delimiter", 67, "weights")]
            words[-1] = ("extract", 57, "weights")
            for word, wide, role in words:
                d.box(x, height - 15, wide, 30, word, role, 12)
                x += wide + 2
            d.arrow((x - 2, height), (357, height))
            d.box(358, height - 15, 36, 30, "GPT", "residual", 12)
            if name == "Similarity":
                d.line((394, height), (412, height), (412, middle + (10 if i else -10)))
            else:
                d.arrow((394, height), (433, height))
            if name == "A choice":
                d.box(434, height - 15, 84, 30, "head [C, 1]", "weights", 12)
                d.line((518, height), (524, height), (524, middle), (529, middle))
        if name == "A choice":
            d.text(532, middle, "softmax", 12, "start")
        else:
            d.box(434, middle - 15, 124, 30, "head [C, labels]", "weights", 12)
        if name == "Similarity":
            d.join(412, middle)
            d.arrow((422, middle), (433, middle))
        y += 40 + 34 * len(rows)
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
    wide = (70, 48, 48, 48, 48, 48, 48, 94, 76)
    d.text(6, 14, "One row", 14, "start", bold=True)
    for y, name, words in ((32, "inputs", TWEET), (70, "targets", ["-100"] * 7 + ["positive", "<end>"])):
        d.text(6, y + 15, name, 13, "start")
        for i, word in enumerate(words):
            role = "weights" if name == "targets" and i > 6 else "masked"
            d.box(66 + sum(wide[:i]), y, wide[i] - 3, 30, word, role, 12)
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
    legend = ((6, "masked", "prompt: target -100"), (186, "weights", "answer: the next token"))
    for x, role, what in (*legend, (386, "plain", "padding: target -100")):
        d.box(x, y, 15, 22, "", role, dashed=role == "plain")
        d.text(x + 22, y + 11, what, 12, "start")
    return d


def part_of(name):
    """A part of the long run's output, as lines."""
    return (Path(__file__).parent / "long.txt").read_text().split(f"[{name}]")[1].strip().split("\n")


def curves(d, top, title, table, names, places, thick=None):
    """A panel: columns of shares over steps, each with its name where `places` says."""
    left, wide, high = 62, 510, 150
    at = lambda step, share: (left + wide * step / table[-1][0], top + 24 + high * (1 - share))  # noqa: E731
    d.text(left - 46, top, title, 13, "start", bold=True)
    for share in (0, 0.5, 1):
        d.line(at(0, share), at(table[-1][0], share), role="masked", width=0.5)
        d.text(left - 8, at(0, share)[1], f"{share:g}", 13, "end")
    for step in range(0, 1601, 400):
        d.text(at(step, 0)[0], top + high + 39, str(step), 13)
    for i, (name, place) in enumerate(zip(names, places, strict=True)):
        d.line(*(at(row[0], row[i + 1]) for row in table), role=COLOURS[i], width=4 if i == thick else 2)
        d.text(*at(*place), name, 12, "start", COLOURS[i], bold=True)


def summaries():
    """Two tables of the long run, as lines."""
    numbers = lambda name: [[float(word) for word in line.split()] for line in part_of(name)[1:]]  # noqa: E731
    d = Drawing(
        "summaries",
        600,
        458,
        "Two panels over 1600 training steps. Above, the share of held-out summaries that are right, a line for each of five"
        " seeds. Each stays near 0 for hundreds of steps. Then most rise to nearly all within one to three hundred steps; seed 3"
        " (drawn thick) rests near a third first, and seed 4 near three quarters. Below, seed 3 with a line for each kind of word: surname,"
        " first name, deed and town are right from 1100 steps on; the thing rests near a third until 1300 and then rises.",
    )
    curves(d, 12, "right summaries, held out", numbers("long_summaries"), [f"seed {i}" for i in range(1, 6)], SEEDS, 2)
    curves(d, 236, "seed 3, word by word", numbers("long_seed_3"), list(WORDS), WORDS.values())
    d.text(62 + 510 / 2, 448, "training steps", 13)
    return d


REPORT = "It was a warm day . On Monday the baker Anna Weber opened a small shop in Oslo . Paul Costa came to look . <summarize>"
SUMMARY = "Anna Weber opened a shop in Oslo . <end>"


def copying():
    """Attention weights of the long run, from the words of a summary to the words of its report."""
    report, summary = REPORT.split(), SUMMARY.split()
    reads = [report[-1], *summary[:-1]]
    d = Drawing(
        "copying",
        600,
        486,
        "On the left the report's words from top to bottom, on the right the words that the model reads while it writes the"
        " summary, each with the word that it writes next. Lines are attention weights of at least a half. Most lead to a word"
        " that is still to be written: from summarize to Anna, from Anna to Weber, from Weber to opened and shop, from a to"
        " shop, from in to Oslo.",
    )
    height = lambda t: 40 + 17 * t if t < len(report) - 1 else 62 + 47 * (t - len(report) + 1)  # noqa: E731
    d.text(150, 14, "the report", 13, "end", bold=True)
    d.text(380, 14, "reads", 13, "start", bold=True)
    d.text(508, 14, "writes", 13, "start", bold=True)
    for t, word in enumerate(report[:-1]):
        d.text(150, height(t), word, 13, "end", bold=word in summary and word not in ".a" and word != "in")
    for i, word in enumerate(reads):
        d.text(380, height(len(report) - 1 + i), word, 13, "start")
        d.text(508, height(len(report) - 1 + i), summary[i], 13, "start", bold=True)
    for line in part_of("long_copies")[1:]:
        t, reading, at, word, block, _, weight = line.split()
        t, at = int(t), int(at)
        assert reads[t - len(report) + 1] == reading and (report + summary)[at] == word
        role = "query" if block == "1" else "key"
        if at < len(report) - 1:
            d.line((373, height(t)), (157, height(at)), role=role, width=3.5 * float(weight))
        else:  # a word of the answer, or the mark
            d.line((373, height(t)), (358, (height(t) + height(at)) / 2), (373, height(at)), role=role, width=3.5 * float(weight))
    for x, role, name in ((20, "query", "a head of block 1"), (212, "key", "a head of block 2")):
        d.line((x, 474), (x + 26, 474), role=role, width=3)
        d.text(x + 34, 474, name, 13, "start")
    return d


def drawings():
    yield ways()
    yield inputs()
    yield mask()
    yield summaries()
    yield copying()
