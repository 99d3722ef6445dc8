"""The wrong answers of an exercise, as edits of its right one: exercises/K_name/wrong.txt.

    name: the words that the check must say to it
    - a piece of the right answer, which is there once
    + what stands there instead

    name = the likely cause, for readers whose answer is red as this one is

An entry may have several edits. One without `-` is a whole answer, and an edit without `+` leaves its piece out. White
space and comments do not matter where a piece is looked for, and `[...]` in a piece stands for all that is between. What
comes before the first name, and lines that begin with #, are remarks. `name (alone): words` is an answer that would change
what the check says to others in its program, by variables that are there before main().
"""

import re


class Trouble(Exception):
    """Something to tell the reader, in one line."""


ENTRY = re.compile(r"(?P<name>\w+)(?P<alone> \(alone\))?(?P<mark>:| =) (?P<words>\S.*)")
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<directive>^[ ]*\#(?:[^\n\\]|\\.)*)|R"(?P<mark>\w*)\(.*?\)(?P=mark)"
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d(?:[\w.]|'\d|[eE][-+])*|\w+|\S""",
    re.X | re.S | re.M,
)


def tokens_of(code):
    """(text, beginning, end) of each token but comments; a directive, such as an include, is one."""
    return [(m[0].strip(), m.start(), m.end()) for m in TOKEN.finditer(code) if not m["comment"]]


class Wrong:
    """A wrong answer: its name, the words that reject it, the line of its file, and its edits, pairs of old and new.
    `is_cause` if the words are not the check's own; `alone` if it becomes a program of its own."""

    def __init__(self, name, words, line, is_cause=False, alone=False):
        self.name, self.words, self.line, self.edits = name, words, line, []
        self.is_cause, self.alone = is_cause, alone

    def code(self, right):
        """The answer; `right` is the right one."""
        for old, new in self.edits:
            if not old:
                return new + "\n"
            first, last = self.place(old, tokens_of(right))
            right = right[:first] + new + right[last:]
        return right

    def place(self, old, tokens):
        """From where to where a piece is in the right answer."""
        texts, (head, *rest) = [t for t, _, _ in tokens], [[t for t, _, _ in tokens_of(part)] for part in old.split("[...]")]
        places = list(places_of(head, texts))
        if len(places) != 1:
            raise Trouble(f"line {self.line}: {self.name}: is in the right answer {len(places)} times, not once: {old}")
        end = places[0] + len(head)
        for part in rest:
            end = next((i for i in places_of(part, texts) if i >= end), -len(part)) + len(part)
            if not end:
                raise Trouble(f"line {self.line}: {self.name}: the right answer lacks what comes behind [...]: {old}")
        return tokens[places[0]][1], tokens[end - 1][2]


def places_of(piece, texts):
    """Where the tokens of a piece are among others."""
    return (i for i in range(len(texts) - len(piece) + 1) if texts[i : i + len(piece)] == piece)


def read_wrong(text):
    """The entries of a wrong.txt."""
    answers = []
    for number, line in enumerate(text.splitlines(), 1):
        if line[:1] in ("-", "+") and answers:
            edits = answers[-1].edits
            if not edits or line[0] == "-" and edits[-1][1]:
                edits.append(([], []))
            edits[-1][line[0] == "+"].append(line[2:])
        elif entry := ENTRY.fullmatch(line):
            answers.append(Wrong(entry["name"], entry["words"], number, entry["mark"] == " =", bool(entry["alone"])))
        elif line.strip() and answers and not line.startswith("#"):
            raise Trouble(f"line {number}: neither 'name: words' nor 'name = cause' nor an edit that begins with - or +: {line}")
    for answer in answers:
        answer.edits = [("\n".join(old), "\n".join(new)) for old, new in answer.edits]
    return answers
