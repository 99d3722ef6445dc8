"""Makes a program of the examples in headers: every line of an @code block that says what it gives, and every line

    Example: `softmax(tensor({0, 0}))` is `[0.5, 0.5]`.

is computed and compared. In the headers of ops, such a line stands alone, and examples that show no numbers are left out. In
those of nn, a block is a piece of a program: all of it is compiled, and every public type must have one (but options, which
the example of what they are for shows).

usage: examples.py PROGRAM.cpp DEPFILE ROOT FOLDER...
"""

import json
import pathlib
import re
import sys

VALUE = r"// (-?\d[\d.]*|\[[-\d\[\]., ]*\])"
LINE = re.compile(rf"^( *)((?! *//).+);\s+{VALUE}$", re.M)


def blocks_of(header):
    """The text of each @code block, and each line of an example, as if it were one."""
    for block, expression, value in re.findall(r"@code\n(.*?)@endcode|^/// Example: `([^`]*)` is `([^`]*)`\.$", header.read_text(), re.S | re.M):
        yield re.sub(r"^ */// ?", "", block, flags=re.M) if block else f"{expression};  // {value}\n"


def without_example(header):
    """The types whose documentation has no example."""
    for doc, name in re.findall(r"((?:^///.*\n)*)^(?:struct|class) (\w+)[^;\n]*{", header.read_text(), re.M):
        if "@code" not in doc and not name.endswith("Options"):
            yield name


def sizes(value):
    """The shape of nested lists."""
    return [len(value), *sizes(value[0])] if isinstance(value, list) else []


def comparison(header, expression, value):
    numbers, shape = re.findall(r"-?\d[\d.]*", value), sizes(json.loads(value))
    words = f"{header.name}: {expression}".replace("\\", "\\\\").replace('"', '\\"')
    return f'gives("{words}",\n        {expression},\n        {{{", ".join(map(str, shape))}}}, {{{", ".join(numbers)}}});'


def program(root, headers):
    yield "#include <cmath>\n#include <cstdio>\n#include <vector>\n\n"
    yield '#include "autograd/graph.h"\n#include "autograd/ops/elementwise.h"\n#include "autograd/ops/reduce.h"\n'
    yield '#include "autograd/more/random.h"\n'
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

template <class AnyTensor>
  requires requires(AnyTensor x) { x.shape(); }
void gives(const char* what, const AnyTensor& got, const Shape& shape, const std::vector<double>& numbers) {
  bool same = got.shape() == shape;
  for (std::size_t i = 0; same && i < numbers.size(); ++i) {
    same = near(static_cast<double>(got.data()[i]), numbers[i]);
  }
  verdict(what, same);
}

[[maybe_unused]] void gives(const char* what, const Shape& got, const Shape&, const std::vector<double>& numbers) {
  verdict(what, std::equal(got.begin(), got.end(), numbers.begin(), numbers.end()));
}

template <class Number>
  requires std::is_arithmetic_v<Number>
void gives(const char* what, Number got, const Shape&, const std::vector<double>& numbers) {
  verdict(what, near(static_cast<double>(got), numbers[0]));
}

}  // namespace

int main() {
"""
    for header in headers:
        for block in blocks_of(header):
            if "nn" in header.relative_to(root).parts:
                yield f"  {{\n{LINE.sub(lambda m: m[1] + comparison(header, m[2], m[3]), block)}  }}\n"
            else:
                yield from (f"  {comparison(header, m[2], m[3])}\n" for m in LINE.finditer(block))
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
