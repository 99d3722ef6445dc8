"""Reads the wrong answers to an exercise, which are edits of the right one: exercises/K_name/wrong.txt.

    name: the words with which the check must reject it
    - a piece of the right answer, which occurs once
    + the text that replaces it

    name = the likely cause, for readers whose answer is red like this one

An entry may have several edits. An edit without `-` is a whole answer, except for the includes, which are the right
answer's. An edit without `+` removes its piece. The search for a piece ignores white space and comments. `[...]` in a
piece stands for any code between, and in a replacement for the piece. Text before the first name, and lines that begin
with #, are remarks. `name (alone): words` is an answer that gets a separate program, because its variables that exist
before main() would change the check's output for other answers.
"""

import re


class Trouble(Exception):
    """An error with a message for the reader, in one line."""


ENTRY = re.compile(r"(?P<name>\w+)(?P<alone> \(alone\))?(?P<mark>:| =) (?P<words>\S.*)")
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<directive>^[ ]*\#(?:[^\n\\]|\\.)*)|R"(?P<mark>\w*)\(.*?\)(?P=mark)"
    |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d(?:[\w.]|'\d|[eE][-+])*|\w+|\S""",
    re.X | re.S | re.M,
)


def tokens_of(code):
    """(text, beginning, end) of each token, without comments; a directive, such as an include, is one token."""
    return [(m[0].strip(), m.start(), m.end()) for m in TOKEN.finditer(code) if not m["comment"]]


class Wrong:
    """A wrong answer: its name, the words that reject it, its line in the file, and its edits, pairs of old and new text.
    `is_cause`: the words are not the check's own; `alone`: the answer becomes a program of its own."""

    def __init__(self, name, words, line, is_cause=False, alone=False):
        self.name, self.words, self.line, self.edits = name, words, line, []
        self.is_cause, self.alone = is_cause, alone

    def code(self, right):
        """The code of the wrong answer; `right` is the code of the right one."""
        for old, new in self.edits:
            if not old:
                return "".join(f"{text}\n" for text, _, _ in tokens_of(right) if text.startswith("#include")) + new + "\n"
            first, last = self.place(old, tokens_of(right))
            right = right[:first] + new.replace("[...]", right[first:last]) + right[last:]
        return right

    def place(self, old, tokens):
        """The beginning and end of a piece in the right answer."""
        texts, (head, *rest) = [t for t, _, _ in tokens], [[t for t, _, _ in tokens_of(part)] for part in old.split("[...]")]
        places = list(places_of(head, texts))
        if len(places) != 1:
            raise Trouble(f"line {self.line}: {self.name}: is in the right answer {len(places)} times, not once: {old}")
        end = places[0] + len(head)
        for part in rest:
            end = next((i for i in places_of(part, texts) if i >= end), -len(part)) + len(part)
            if not end:
                raise Trouble(f"line {self.line}: {self.name}: the right answer lacks the text after [...]: {old}")
        return tokens[places[0]][1], tokens[end - 1][2]


def places_of(piece, texts):
    """The indices at which the tokens of a piece stand in a list of tokens."""
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
