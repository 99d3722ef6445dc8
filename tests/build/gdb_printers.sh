#!/usr/bin/env bash
# gdb_printers.sh SOURCE LIBRARY COMPILER...: checks how gdb shows tensors with
# tools/gdb_printers.py.
set -euo pipefail

source=$1 library=$2
compiler=("${@:3}")
skip() { echo "skipped: $1"; exit 77; }
command -v gdb >/dev/null || skip "gdb is not installed"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.cpp" <<'END'
#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/activation.h"

using namespace gradus;

int main() {
  const Shape shape{2, 3};
  const Tensor none, x = tensor({{1, 2, 3}, {4, 5, 6.5}}), empty = zeros({2, 0}), many = arange(5000);
  const Tensor leaf = scalar(7).set_requires_grad(), y = leaf * leaf;
  const IndexTensor no_indices, tokens = indices({{8}, {-9}});
  return static_cast<int>(y.size()) - 1;  // the breakpoint
}
END
line=$(grep -n breakpoint "$folder/main.cpp" | cut -d: -f1)
read -ra blas < <(pkg-config --libs openblas)
# clang leaves types out of a program's debug information if another library should have them.
standalone=()
if "${compiler[@]}" --version | grep -q clang; then standalone=(-fstandalone-debug); fi
"${compiler[@]}" -std=c++20 -g -O0 "${standalone[@]}" -I"$source" "$folder/main.cpp" "$library" "${blas[@]}" -pthread -o "$folder/main"

names=(shape none x empty many leaf y no_indices tokens)
shown=$(gdb -nx -batch -ex "source $source/tools/gdb_printers.py" -ex "set print elements 4" \
  -ex "break main.cpp:$line" -ex run "${names[@]/#/-ex=print }" "$folder/main" 2>&1) || true
grep -q 'Breakpoint 1, main' <<<"$shown" || skip "gdb cannot run programs here: $shown"

expected='[2, 3]
undefined Tensor
Tensor [2, 3] [[1, 2, 3], [4, ...]]
Tensor [2, 0] [[], []]
Tensor [5000] [0, 1, 2, 3, ...]
Tensor [] 7, a leaf
Tensor [] 49, made by mul
undefined IndexTensor
IndexTensor [2, 1] [[8], [-9]]'
diff <(echo "$expected") <(sed -n 's/^\$[0-9]* = //p' <<<"$shown")
echo "${#names[@]} passed, 0 failed"
