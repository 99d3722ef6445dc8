"""Makes a program of the examples in headers: every line of an @code block that says what it gives,

    softmax(tensor({0, 0}));  // [0.5, 0.5]

is computed and compared. Examples that show no numbers are left out.

usage: examples.py PROGRAM.cpp DEPFILE FOLDER
"""

import json
import pathlib
import re
import sys

VALUE = r"// (-?\d[\d.]*|\[[-\d\[\]., ]*\])"


def examples_of(header):
    """(expression, value) of each line that shows its value, beside it or on the next line."""
    for block in re.findall(r"@code\n(.*?)@endcode", header.read_text(), re.S):
        text = re.sub(r"^/// ?", "", block, flags=re.M)
        yield from re.findall(rf"^((?!//).+);\s+{VALUE}$", text, re.M)


def sizes(value):
    """The shape of nested lists."""
    return [len(value), *sizes(value[0])] if isinstance(value, list) else []


def program(headers):
    yield '#include <cmath>\n#include <cstdio>\n#include <vector>\n\n#include "autograd/random.h"\n'
    yield from (f'#include "autograd/{header.parent.name}/{header.name}"\n' for header in headers)
    yield """
using namespace gradus;

namespace {

int wrong = 0;

template <class AnyTensor>
void gives(const char* what, const AnyTensor& got, const Shape& shape, const std::vector<double>& numbers) {
  bool same = got.shape() == shape;
  for (std::size_t i = 0; same && i < numbers.size(); ++i) {
    same = std::abs(static_cast<double>(got.data()[i]) - numbers[i]) < 6e-5;
  }
  if (!same) std::printf("%s: not so\\n", what), ++wrong;
}

}  // namespace

int main() {
"""
    count = 0
    for header in headers:
        for expression, value in examples_of(header):
            numbers, shape = re.findall(r"-?\d[\d.]*", value), sizes(json.loads(value))
            words = f"{header.name}: {expression}".replace("\\", "\\\\").replace('"', '\\"')
            yield f'  gives("{words}",\n        {expression},\n        {{{", ".join(map(str, shape))}}}, {{{", ".join(numbers)}}});\n'
            count += 1
    yield f'  std::printf("%d of {count} examples hold\\n", {count} - wrong);\n  return wrong != 0;\n}}\n'


def main():
    made, depfile, folder = sys.argv[1:]
    headers = sorted(header for room in ("ops", "fused") for header in (pathlib.Path(folder) / room).glob("*.h"))
    pathlib.Path(made).write_text("".join(program(headers)))
    pathlib.Path(depfile).write_text(f"{made}: {' '.join(map(str, headers))}\n")


if __name__ == "__main__":
    main()
