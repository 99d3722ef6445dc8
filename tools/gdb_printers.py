"""Shows gradus' Shape, Tensor and IndexTensor in gdb as they print themselves: `source tools/gdb_printers.py`.

    (gdb) print x
    $1 = Tensor [2, 3] [[1, 2, 3], [4, 5, 6]], made by mul

Reads memory only and calls nothing in the program, so that it works on core files too. Shows as many numbers as
`set print elements` allows.
"""

import gdb
import gdb.printing


def sizes(shape):
    array = shape["sizes_"]
    elements = array[array.type.fields()[0]]  # std::array has one member, whose name differs between libraries
    return [int(elements[axis]) for axis in range(int(shape["rank_"]))]


def product(shape):
    result = 1
    for size in shape:
        result *= size
    return result


def nested(shape, begin):
    """The elements from the pointer `begin` on, in brackets; dots stand for elements beyond gdb's limit."""
    left = gdb.parameter("print elements") or product(shape)

    def part(axis, offset):
        nonlocal left
        if axis == len(shape):
            left -= 1
            return f"{float(begin[offset]):g}" if begin.type.target().code == gdb.TYPE_CODE_FLT else str(int(begin[offset]))
        inner = product(shape[axis + 1:])
        words = []
        for i in range(shape[axis]):
            if left <= 0:
                words.append("...")
                break
            words.append(part(axis + 1, offset + i * inner))
        return "[" + ", ".join(words) + "]"

    return part(0, 0)


class ShapePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(sizes(self.value))


class TensorPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        body = self.value["body_"]["object_"]
        if not body:
            return "undefined Tensor"
        shape = sizes(body["shape"])
        node = body["node"]["object_"]
        op = node["op"].string() if node else ""
        place = "" if not op else ", a leaf" if op == "leaf" else f", made by {op}"
        return f"Tensor {shape} {nested(shape, body['data'])}{place}"


class IndexTensorPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        storage = self.value["storage_"]["object_"]
        if not storage:
            return "undefined IndexTensor"
        shape = sizes(self.value["shape_"])
        numbers = storage.cast(gdb.lookup_type("char").pointer()) + 64  # as in Storage::data()
        return f"IndexTensor {shape} {nested(shape, numbers.cast(gdb.lookup_type('int').pointer()))}"


printers = gdb.printing.RegexpCollectionPrettyPrinter("gradus")
for name, printer in {"Shape": ShapePrinter, "Tensor": TensorPrinter, "IndexTensor": IndexTensorPrinter}.items():
    printers.add_printer(name, f"^gradus::{name}$", printer)
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers, replace=True)
