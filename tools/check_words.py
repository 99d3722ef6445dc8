"""Finds words for which this project has a better term.

usage: check_words.py NOTATION FILE_OR_FOLDER... [--phrases FILE_OR_FOLDER...]

The table "Words" of docs/notation.md lists them in its column "not": "phrases", which comments, string literals and pages must
not contain, and `names`, which code must not contain. A name that cannot be an English word is not allowed in comments,
literals and pages either. In folders it reads C++ files. Other files are pages, in which it skips the table itself. After
--phrases it ignores `names`.
"""
import pathlib
import re
import sys

LITERAL = r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.[^\'\n]*|[^\'\\\n])\''
COMMENT = r"//[^\n]*|/\*.*?\*/"
WORDS = re.compile(r"^## Words\n.*?(?=^## |\Z)", re.M | re.S)


def banned(notation):
    """(pattern, whether it is sought in text, whether in code, word, term) for each entry."""
    for row in re.findall(r"^\| (.*) \|$", WORDS.search(notation)[0], re.M):
        cells = [cell.strip() for cell in row.split("|")]
        for name, phrase in re.findall(r'`([^`]+)`|"([^"]+)"', cells[-1]):
            if len(cells) < 3:
                continue
            # A phrase may be broken over two comment lines.
            pattern = r"\s+(?:///?<?\s+)?".join(map(re.escape, (name or phrase).split()))
            odd = re.search("_|[a-z][A-Z]", name)
            yield (re.compile(rf"\b{pattern}\b", 0 if name else re.I), bool(phrase or odd),
                   bool(name), name or phrase, cells[0])


def blank(part):
    """The same number of spaces; line ends stay."""
    return re.sub(r"[^\n]", " ", part)


def parts_of(text):
    """The comments, the string literals and the code of C++ as three texts, each with the others blank. Adjacent literals are
    joined."""
    parts, end = {"comments": "", "literals": "", "code": ""}, 0

    def add(kind, piece):
        for name in parts:
            parts[name] += piece if name == kind else blank(piece)

    for match in re.finditer(rf"{LITERAL}|({COMMENT})", text, re.S):
        add("code", text[end:match.start()])
        add("comments" if match[2] else "literals", match[0] if match[2] else match[0].replace('"', " "))
        end = match.end()
    add("code", text[end:])
    return parts.values()


def main():
    entries = list(banned(pathlib.Path(sys.argv[1]).read_text()))
    if not entries:
        sys.exit(f"check_words: {sys.argv[1]}: no table of words that lists any")
    found, names = [], True
    for argument in sys.argv[2:]:
        if argument == "--phrases":
            names = False
            continue
        given = pathlib.Path(argument)
        cpp = given.is_dir() or not given.exists()
        files = sorted(path for path in given.rglob("*") if path.suffix in (".h", ".cpp")) if cpp else [given]
        for file in files:
            text = file.read_text()
            comments, literals, code = parts_of(text) if cpp else (WORDS.sub(lambda words: blank(words[0]), text), "", "")
            for pattern, in_text, in_code, word, term in entries:
                if in_code and not names:
                    continue
                for where in [comments, literals] * in_text + [code] * in_code:
                    for match in pattern.finditer(where):
                        line = text.count("\n", 0, match.start()) + 1
                        found.append((file, line, f"{file}:{line}: {word} (write: {term})"))
    print(*(message for *_, message in sorted(found)), sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
