"""Finds words that this project has a better term for: `check_words.py NOTATION FOLDER...`.

The table "Words" of docs/notation.md lists them, in its column "not": "phrases", which comments must not
contain, and `names`, which code must not. Where a name cannot be an English word, comments must not either.
"""
import pathlib
import re
import sys

LITERAL = r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.[^\'\n]*|[^\'\\\n])\''
COMMENT = r"//[^\n]*|/\*.*?\*/"


def banned(notation):
    """(pattern, wanted in comments, wanted in code, word, term) for each entry."""
    words = notation.split("## Words")[1].split("\n## ")[0]
    for row in re.findall(r"^\| (.*) \|$", words, re.M):
        cells = [cell.strip() for cell in row.split("|")]
        for name, phrase in re.findall(r'`([^`]+)`|"([^"]+)"', cells[-1]):
            if len(cells) < 3:
                continue
            # Comment lines may break a phrase.
            pattern = r"\s+(?:///?<?\s+)?".join(map(re.escape, (name or phrase).split()))
            odd = re.search("_|[a-z][A-Z]", name)
            yield (re.compile(rf"\b{pattern}\b", 0 if name else re.I), bool(phrase or odd),
                   bool(name), name or phrase, cells[0])


def masked(text, comments):
    """The text with all but its comments, or all but its code, blank; line ends stay."""
    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    out, end = [], 0
    for match in re.finditer(rf"{LITERAL}|({COMMENT})", text, re.S):
        code, keep = text[end:match.start()], comments and match[2]
        out += [blank(code) if comments else code, match[0] if keep else blank(match[0])]
        end = match.end()
    return "".join(out) + (blank(text[end:]) if comments else text[end:])


def main():
    entries = list(banned(pathlib.Path(sys.argv[1]).read_text()))
    if not entries:
        sys.exit(f"check_words: {sys.argv[1]}: no table of words that lists any")
    found = []
    for folder in map(pathlib.Path, sys.argv[2:]):
        for file in sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp")):
            text = file.read_text()
            comments, code = masked(text, True), masked(text, False)
            for pattern, in_comments, in_code, word, term in entries:
                for where in [comments] * in_comments + [code] * in_code:
                    for match in pattern.finditer(where):
                        line = text.count("\n", 0, match.start()) + 1
                        found.append((file, line, f"{file}:{line}: {word} (write: {term})"))
    print(*(message for *_, message in sorted(found)), sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


main()
