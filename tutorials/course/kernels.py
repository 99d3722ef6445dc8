"""Finds the kernels that OpenBLAS chooses for a CPU. Kernels add up in different orders, and training amplifies the
differences."""

import ctypes
import functools

from chapters import TRIALS

# The kernels that made every expected.txt, with OpenBLAS's version: both give the same products, with AVX-512.
KEPT = ("SkylakeX 0.3.21", "Cooperlake 0.3.21")


@functools.cache
def blas_kernels():
    """OpenBLAS's name for the kernels that it uses here, and its version, because other versions add up in other orders;
    empty if OpenBLAS is not found."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        name, config = library.openblas_get_corename, library.openblas_get_config
    except (OSError, AttributeError):
        return ""
    name.restype = config.restype = ctypes.c_char_p
    return f"{name().decode()} {config().decode().split()[1]}"  # "OpenBLAS 0.3.21 ..."


def other_kernels():
    """Further kernels that this CPU can run, with which pages must not contradict themselves: the AVX2 kernels, if the
    usual ones use AVX-512. (A CPU without AVX-512 uses the AVX2 kernels anyway.) The width of the compiler's vectors makes
    no difference: with the same kernels, a build with -march=x86-64-v3 prints the same characters as one with AVX-512, in all parts
    except times. So the test runs programs with other kernels, and builds none of them again."""
    return ["Haswell"] if blas_kernels().split(" ")[0] in ("SkylakeX", "Cooperlake", "SapphireRapids") else []


def folder_of(kernels):
    """The folder of the programs' output with these kernels."""
    return TRIALS / "kernels" / kernels
