"""Makes a program of the examples in headers: every line of an @code block that says what it gives, and every line

    Example: `softmax(tensor({0, 0}))` is `[0.5, 0.5]`.

is computed and compared. In the headers of ops, such a line stands alone, and examples that show no value are left out. In
those of nn, a block is a piece of a program: all of it is compiled, a type that it begins with outside the function. Every
public type of nn must have one, but two kinds: options, which the example of what they are for shows, and types without
functions of their own, such as the rows and results that functions take and give.

usage: examples.py PROGRAM.cpp DEPFILE ROOT FOLDER...
"""

import json
import pathlib
import re
import sys

TEXT = r'"[^"\n]*"'
VALUE = rf"// (-?\d[\d.]*|true|false|{TEXT}|\[[-\d\[\]., ]*\]|\[{TEXT}(?:, {TEXT})*\])"
LINE = re.compile(rf"^( *)((?! *//).+);\s+{VALUE}$", re.M)
DECLARED = re.compile(r"((?:struct|class) .*?^};\n)?(.*)", re.M | re.S)  # a type, and the rest of the block


def blocks_of(header):
    """The text of each @code block, and each line of an example, as if it were one."""
    for block, expression, value in re.findall(r"@code\n(.*?)@endcode|^/// Example: `([^`]*)` is `([^`]*)`\.$", header.read_text(), re.S | re.M):
        yield re.sub(r"^ */// ?", "", block, flags=re.M) if block else f"{expression};  // {value}\n"


def without_example(header):
    """The types whose documentation lacks an example."""
    types = r"((?:^///.*\n)*)(?:^template <.*>\n)?^(?:struct|class) (\w+)[^;\n]*({.*};$|{(?s:.*?)^};)"
    for doc, name, body in re.findall(types, header.read_text(), re.M):
        members = re.sub(r"//.*|<[^<>]*>|=[^;]*", "", body)
        if "@code" not in doc and not name.endswith("Options") and "(" in members:
            yield name


def sizes(value):
    """The shape of nested lists."""
    return [len(value), *sizes(value[0])] if isinstance(value, list) else []


def comparison(header, expression, shown):
    value = json.loads(shown)
    words = json.dumps(f"{header.name}: {expression}")
    if isinstance(value, str):
        expected = f"std::string_view({shown})"
    elif isinstance(value, list) and isinstance(value[0], str):
        expected = f'std::vector<std::string>{{{", ".join(map(json.dumps, value))}}}'
    else:
        numbers = re.findall(r"-?\d[\d.]*", shown) or [str(int(value))]
        expected = f'{{{", ".join(map(str, sizes(value)))}}}, {{{", ".join(numbers)}}}'
    return f"gives({words},\n        {expression},\n        {expected});"


def program(root, headers):
    yield "#include <cmath>\n#include <cstdio>\n#include <fstream>\n#include <ranges>\n#include <string>\n#include <vector>\n\n"
    yield '#include "gradus/engine.h"\n'
    yield from (f'#include "{header.relative_to(root)}"\n' for header in headers)
    yield """
using namespace gradus;

namespace {

int wrong = 0, all = 0;

void verdict(const char* what, bool same) {
  ++all;
  if (!same) std::printf("%s: not so\\n", what), ++wrong;
}

bool near(double got, double number) { return std::abs(got - number) < 6e-5; }

template <std::ranges::range Numbers>
void gives(const char* what, const Numbers& got, const Shape& shape, const std::vector<double>& numbers) {
  bool same = std::ranges::equal(got, numbers, near);
  if constexpr (requires { got.shape(); }) same = same && got.shape() == shape;
  verdict(what, same);
}

template <std::ranges::range Texts>
void gives(const char* what, const Texts& got, const Texts& expected) {
  verdict(what, got == expected);
}

[[maybe_unused]] void gives(const char* what, std::string_view got, std::string_view expected) {
  verdict(what, got == expected);
}

template <class Number>
  requires std::is_arithmetic_v<Number>
void gives(const char* what, Number got, const Shape&, const std::vector<double>& numbers) {
  verdict(what, near(static_cast<double>(got), numbers[0]));
}

}  // namespace

"""
    body = ""
    for header in headers:
        for number, block in enumerate(blocks_of(header)):
            if "nn" in header.relative_to(root).parts:
                declared, rest = DECLARED.fullmatch(block).groups()
                scope = f"{header.stem}_{number}"
                if declared:
                    yield f"namespace {scope} {{\n{declared}}}\n"
                    rest = f"using namespace {scope};\n{rest}"
                body += f"  {{\n{LINE.sub(lambda m: m[1] + comparison(header, m[2], m[3]), rest)}  }}\n"
            else:
                body += "".join(f"  {comparison(header, m[2], m[3])}\n" for m in LINE.finditer(block))
    yield f"int main() {{\n{body}"
    yield '  std::printf("%d of %d examples hold\\n", all - wrong, all);\n  return wrong != 0;\n}\n'


def main():
    made, depfile, root, *folders = sys.argv[1:]
    root = pathlib.Path(root)
    headers = sorted(header for folder in folders for header in (root / folder).glob("*.h"))
    lacking = [f"{header.name}: {name} has no example" for header in headers if "nn" in header.parts[-3:]
               for name in without_example(header)]
    if lacking:
        sys.exit("\n".join(lacking))
    pathlib.Path(made).write_text("".join(program(root, headers)))
    pathlib.Path(depfile).write_text(f"{made}: {' '.join(map(str, headers))}\n")


if __name__ == "__main__":
    main()
