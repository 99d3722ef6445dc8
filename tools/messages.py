"""Prints every text that a user of gradus can meet: the help of ./run and of all commands, then the messages of the
libraries, the program, ./run and the course. A message has its file and line, and `...` for each value in it."""
import argparse
import ast
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = "train finetune sample predict attention eval info tokenize vectors doctor".split()
# In C++: a comment, a string, a character, or a mark that ends a statement.
TOKEN = re.compile(r'//[^\n]*|R"\((?P<raw>.*?)\)"|"(?P<text>(?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\])\'|(?P<end>[;{}])', re.S)
REPORTS = re.compile(r"\b(check|fail\w*|refuse\w*|note|remark|say\w*|show\w*|print|throw|raise|exit|\w*[eE]rror|Trouble)\b")
PRINTS = re.compile(r"^[^#]*\b(say|die|misuse|step|echo|printf|message\+?=|read -r -p)\b.*?['\"].* .*['\"]")


def of_cpp(text, everything):
    """Yields (line, message) for each statement with strings. Those of flags are left out: the help has them."""
    start, strings, last = 0, [], 0
    for token in TOKEN.finditer(text + ";"):
        string = token["raw"] if token["raw"] is not None else token["text"]
        if string is not None:
            strings.append((text.count("\n", 0, token.start()) + 1, bool(text[last:token.start()].strip()), string))
            last = token.end()
        elif token["end"]:
            statement = text[start:token.start()]
            message = "".join(("..." if apart and i else "") + string for i, (_, apart, string) in enumerate(strings))
            if " " in message.strip() and "flags.add(" not in statement and (everything or REPORTS.search(statement)):
                yield strings[0][0], message
            start, strings, last = token.end(), [], token.end()


def of_python(text):
    """Yields (line, message) for each string of a statement that prints or raises."""
    for node in ast.walk(ast.parse(text)):
        is_statement = isinstance(node, (ast.Expr, ast.Return, ast.Raise, ast.Assign))
        if not is_statement or isinstance(getattr(node, "value", None), ast.Constant) or not REPORTS.search(ast.unparse(node)):
            continue
        parts = {part for joined in ast.walk(node) if isinstance(joined, ast.JoinedStr) for part in joined.values}
        for string in ast.walk(node):
            if isinstance(string, ast.JoinedStr):
                pieces = (part.value if isinstance(part, ast.Constant) else "..." for part in string.values)
                yield string.lineno, "".join(pieces)
            elif isinstance(string, ast.Constant) and isinstance(string.value, str) and string not in parts:
                yield string.lineno, string.value


def of_shell(text):
    """Yields (line, the line) for each line that prints."""
    yield from ((i, line) for i, line in enumerate(text.splitlines(), 1) if PRINTS.search(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="path of the gradus program, such as build/gradus")
    program = os.path.abspath(parser.parse_args().program)
    helps = [[program, name, "--help-all"] for name in COMMANDS]
    for command in [[ROOT / "run", "help"], [program, "--help"], [program, "train", "--help"], *helps]:
        print("##", *command[1:], flush=True)
        subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "GRADUS_PROGRAM": "gradus"})
    readers = {".h": of_cpp, ".cpp": of_cpp, ".py": of_python, ".sh": of_shell, "": of_shell}
    for pattern in ("autograd/**/*", "nn/**/*", "cli/**/*", "run", "tools/*.sh", "tutorials/course/*.py"):
        for path in sorted(p for p in ROOT.glob(pattern) if p.is_file() and p.suffix in readers):
            more = [path.is_relative_to(ROOT / "cli")] if readers[path.suffix] is of_cpp else []
            for line, message in sorted(readers[path.suffix](path.read_text(), *more)):
                if " " in message.strip():
                    print(f"{path.relative_to(ROOT)}:{line}: {message.strip()}")


if __name__ == "__main__":
    main()
