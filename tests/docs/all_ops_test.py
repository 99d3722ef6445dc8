"""docs/all_ops.md has a row for each public op in the headers of autograd/ops, and for what makes a tensor in tensor.h and
index_tensor.h, and no other; what it says of gradients is what the header says.

usage: all_ops_test.py ROOT
"""

import pathlib
import re
import sys

# At the margin of a header: a comment of ///, then the functions that it describes.
TOKEN = re.compile(r"(?P<comment>(?:^///.*\n)+)|^(?:const |inline )?(?P<result>[\w:]+(?:<\w+>)?)&? (?P<name>operator\S+?|\w+)\("
                   r"(?P<arguments>[^;{]*)[;{]", re.M)
INTERNAL = {"elementwise", "combine", "one_pass", "by_case", "room_if"}  # parts of the engine, not ops


def ops_of(header):
    """(name, gradient) of each function from tensors to tensors."""
    text = re.sub(r"\nnamespace (detail|\{).*?\n\}  // namespace.*?\n", "\n", header.read_text(), flags=re.S)
    about = ""
    for token in TOKEN.finditer(text):
        if token["comment"]:
            about = " ".join(token["comment"].replace("///", "").split()) or about
        elif re.search("Tensor|TopK", token["result"]) and token["name"] not in INTERNAL:
            none = token["result"] == "IndexTensor" or "No gradient" in about or "Gradient" not in about and "Tensor" not in token["arguments"]
            yield token["name"], "-" if none else "once" if "not be differentiated again" in about else "twice"


def main():
    root = pathlib.Path(sys.argv[1])
    headers = list((root / "autograd/ops").glob("*.h"))
    headers += [root / "autograd" / "tensor.h", root / "autograd" / "index_tensor.h"]
    ops = {name: gradient for header in headers for name, gradient in ops_of(header)}
    ops["Tensor::operator[]"] = "twice"
    rows = re.findall(r"^\| \[.*?\]\(@ref gradus::(\S+?)\(\)\) \|(?:.*\|)? ([\w-]+) \|$", (root / "docs" / "all_ops.md").read_text(), re.M)
    names = [name for name, _ in rows]
    wrong = [f"{name}: no row" for name in ops if name not in names]
    wrong += [f"{name}: a row, and no such op" for name in names if name not in ops]
    wrong += [f"{name}: {names.count(name)} rows" for name in sorted(set(names)) if names.count(name) > 1]
    wrong += [f"{name}: the row says {said}, the header {ops[name]}" for name, said in rows if ops.get(name, said) != said]
    print("\n".join(wrong) or f"{len(rows)} ops have their row")
    return len(wrong) > 0 or len(rows) < 50


if __name__ == "__main__":
    sys.exit(main())
