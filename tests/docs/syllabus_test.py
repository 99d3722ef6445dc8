"""docs/syllabus.md: each row names a chapter, sections that the chapter's page has, and names that the library's headers declare, or
a header of the course.

usage: syllabus_test.py ROOT
"""

import pathlib
import re
import sys


def headings(page):
    return {line.lstrip("# ").strip() for line in page.read_text().splitlines() if re.match(r"###? ", line)}


def faults(root):
    headers = "\n".join(path.read_text() for room in ("autograd", "nn") for path in sorted((root / room).rglob("*.h")))
    rows = [line for line in (root / "docs/syllabus.md").read_text().splitlines() if line.startswith("| ")][1:]
    if not rows:
        yield "docs/syllabus.md has no rows"
    shown = set()
    for row in rows:
        topic, chapter, sections, library = (cell.strip() for cell in row.strip("|").split(" |"))
        if topic.startswith("**"):
            continue
        number = re.fullmatch(r'\\ref chapter(\d\d) "\1"', chapter)
        pages = sorted((root / "tutorials").glob(f"{number[1]}_*/chapter.md")) if number else []
        if len(pages) != 1:
            yield f"{topic}: no page of a chapter: {chapter or 'empty'}"
            continue
        shown.add(number[1])
        for section in sections.split("; "):
            if section not in headings(pages[0]):
                yield f"{topic}: {pages[0].parent.name} has no section '{section}'"
        names = re.findall(r'\\ref gradus::(\w+)(?:\(\))? "\1"', library)
        of_course = re.fullmatch(r"`(\w+)` in `(tutorials/[\w/]+\.h)`", library)
        if of_course:
            header = root / of_course[2]
            if not header.is_file() or not re.search(rf"(struct|class) {of_course[1]}\b", header.read_text()):
                yield f"{topic}: {of_course[2]} declares no {of_course[1]}"
        elif not names or len(names) != library.count("\\ref"):
            yield f"{topic}: names no entry of the library, or one that is not written as a reference: {library or 'empty'}"
        for name in names:
            if not re.search(rf"(struct|class|enum class) {name}\b|[\w>&] {name}\(", headers):
                yield f"{topic}: no header of the library declares {name}"
    for page in sorted((root / "tutorials").glob("[0-9][0-9]_*/chapter.md")):
        if "08" <= page.parent.name[:2] <= "21" and page.parent.name[:2] not in shown:
            yield f"no row names chapter {page.parent.name[:2]}"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
