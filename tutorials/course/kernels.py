"""The kernels that OpenBLAS chooses for a CPU: they add up in different orders, and training amplifies the difference."""

import ctypes
import functools

from chapters import TRIALS

# The kernels that every expected.txt comes from, with OpenBLAS's version: both have the same products, with AVX-512.
KEPT = ("SkylakeX 0.3.21", "Cooperlake 0.3.21")


@functools.cache
def blas_kernels():
    """The kernels that OpenBLAS uses here, and its version, as other versions add up in other orders; nothing if there is
    none to ask."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        name, config = library.openblas_get_corename, library.openblas_get_config
    except (OSError, AttributeError):
        return ""
    name.restype = config.restype = ctypes.c_char_p
    return f"{name().decode()} {config().decode().split()[1]}"  # "OpenBLAS 0.3.21 ..."


def other_kernels():
    """Further kernels that this CPU can run, and on which pages must not contradict themselves: those for AVX2, where the
    usual ones are for AVX-512. (A CPU without AVX-512 uses them anyway.) The compiler's vectors make no difference: a build
    with -march=x86-64-v3 prints the same as one with AVX-512, in every part but times."""
    return ["Haswell"] if blas_kernels().split(" ")[0] in ("SkylakeX", "Cooperlake", "SapphireRapids") else []


def folder_of(kernels):
    """Where the programs' output with these kernels lies."""
    return TRIALS / "kernels" / kernels
