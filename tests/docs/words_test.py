"""Tests tools/check_words.py on a table and files made here, then checks the sources with it."""
import pathlib
import subprocess
import sys
import tempfile

TABLE = '''## Words

| term | meaning | not |
|---|---|---|
| NaN | 0 / 0 | "is no number" |
| mark | the end of an interval | `lap` |
| attend | weigh positions | `look_at` |
| leaf | a tensor | |
'''
SOURCE = '''// 0 / 0 is no
// number. In a lap, Guess was guessed.
const char* x = "is no number: lap";  // see look_at()
int lap = 'a'; /* is no
                  numbering */
int overlap = 1'000'000;  // IS NO NUMBER
const char* y = "it is no "
                "number, look_at said";
'''
EXPECTED = ''':1: is no number (write: NaN)
:3: is no number (write: NaN)
:3: look_at (write: attend)
:4: lap (write: mark)
:6: is no number (write: NaN)
:7: is no number (write: NaN)
:8: look_at (write: attend)
'''
tool, root = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*args):
    return subprocess.run([sys.executable, tool, *map(str, args)], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as made:
    made = pathlib.Path(made)
    (made / "notation.md").write_text(TABLE)
    (made / "a.h").write_text(SOURCE)
    (made / "b.cpp").write_text("int x;  // a number\n")
    result = run(made / "notation.md", made)
    expected = "".join(f"{made}/a.h{line}\n" for line in EXPECTED.splitlines())
    assert (result.stdout, result.returncode) == (expected, 1), result
    (made / "page.md").write_text("It is no\nnumber.\n" + TABLE + "\n## Else\n\nA lap; look_at.\n")
    result = run(made / "notation.md", made / "page.md")
    expected = f"{made}/page.md:1: is no number (write: NaN)\n{made}/page.md:14: look_at (write: attend)\n"
    assert (result.stdout, result.returncode) == (expected, 1), result
    result = run(made / "notation.md", "--phrases", made, made / "page.md")
    expected = "".join(f"{made}/a.h:{line}: is no number (write: NaN)\n" for line in (1, 3, 6, 7))
    expected += f"{made}/page.md:1: is no number (write: NaN)\n"
    assert (result.stdout, result.returncode) == (expected, 1), result
    (made / "a.h").unlink()
    result = run(made / "notation.md", made, made / "missing")
    assert (result.stdout, result.returncode) == ("", 0), result
    (made / "notation.md").write_text(TABLE.split("| NaN")[0])
    result = run(made / "notation.md", made)
    assert result.returncode == 1 and "no table" in result.stderr, result

read = [root / folder for folder in ("autograd", "bench", "cli", "gradus", "nn", "tests", "tutorials/common")]
pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
course = [root / "tutorials", *sorted((root / "tutorials").rglob("*.md"))]
# The course has its own names, and the list of changes has old ones.
result = run(root / "docs/notation.md", *read, *pages, "--phrases", *course, root / "CHANGELOG.md")
print(result.stdout, result.stderr, sep="", end="")
sys.exit(result.returncode)
