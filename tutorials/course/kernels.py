"""The kernels that OpenBLAS chooses for a CPU: they add up in different orders, and training amplifies the difference."""

import ctypes
import functools

from chapters import TRIALS

# What OpenBLAS calls the kernels that every expected.txt comes from: both have the same products, with AVX-512.
KEPT = ("SkylakeX", "Cooperlake")


@functools.cache
def blas_kernels():
    """What OpenBLAS calls the kernels that it uses here; nothing if there is none to ask."""
    try:
        name = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
    except (OSError, AttributeError):
        return ""
    name.restype = ctypes.c_char_p
    return name().decode()


def other_kernels():
    """Further kernels that this CPU can run, and on which pages must not contradict themselves: those for AVX2, where the
    usual ones are for AVX-512. (A CPU without AVX-512 uses them anyway.) The compiler's vectors make no difference: a build
    with -march=x86-64-v3 prints the same as one with AVX-512, in every part but times."""
    return ["Haswell"] if blas_kernels() in (*KEPT, "SapphireRapids") else []


def folder_of(kernels):
    """Where the programs' output with these kernels lies."""
    return TRIALS / "kernels" / kernels
