"""The safetensors format in a page of Python, sharing nothing with the C++ reader.

A file is an 8-byte little-endian length, that many bytes of JSON, then the data. The JSON maps each
tensor's name to {"dtype", "shape", "data_offsets": [begin, end]}, offsets counted from the start of
the data; "__metadata__" may hold strings. Needs NumPy only. BF16, which NumPy lacks, is read as
float32 and written from `BF16` below.
"""

import json
import struct

import numpy as np

_NUMPY = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1", "BOOL": "?",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _NUMPY.items() if name != "BF16"}


class BF16:
    """Bit patterns (uint16) to be written as bfloat16."""

    def __init__(self, bits):
        self.bits = np.ascontiguousarray(bits, dtype="<u2")

    def to_float32(self):
        """The same values as float32: a bfloat16 is the upper half of one, so this is exact."""
        return (self.bits.astype("<u4") << 16).view("<f4")


def save(path, tensors, metadata=None):
    """Writes a dict of name -> array (or BF16), in that order, without gaps."""
    header = {"__metadata__": metadata} if metadata else {}
    chunks, end = [], 0
    for name, value in tensors.items():
        if isinstance(value, BF16):
            dtype, array = "BF16", value.bits
        else:
            array = np.asarray(value, order="C")
            dtype = _NAMES[array.dtype.newbyteorder("<")]
        chunks.append(array.astype(_NUMPY[dtype]).tobytes())
        begin, end = end, end + len(chunks[-1])
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the data starts on a multiple of eight
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))


def load(path):
    """Reads name -> array. Every byte must belong to exactly one tensor, else ValueError."""
    with open(path, "rb") as file:
        raw = file.read()
    if len(raw) < 8:
        raise ValueError(f"{path}: {len(raw)} bytes, too short for a header length")
    (length,) = struct.unpack("<Q", raw[:8])
    if length > len(raw) - 8:
        raise ValueError(f"{path}: header of {length} bytes in a file of {len(raw)}")
    header = json.loads(raw[8 : 8 + length], object_pairs_hook=_without_repeats)
    header.pop("__metadata__", None)
    data, tensors, position = raw[8 + length :], {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        dtype = np.dtype(_NUMPY[entry["dtype"]])
        count = int(np.prod(entry["shape"], dtype=object))
        if begin != position or end > len(data) or end - begin != count * dtype.itemsize:
            raise ValueError(f"{path}: {name}: offsets {begin}, {end} do not fit {entry}")
        array = np.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
        tensors[name] = BF16(array).to_float32() if entry["dtype"] == "BF16" else array
        position = end
    if position != len(data):
        raise ValueError(f"{path}: {len(data) - position} bytes after the last tensor")
    return tensors


def _without_repeats(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a name occurs twice among {keys}")
    return dict(pairs)
