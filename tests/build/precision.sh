#!/usr/bin/env bash
# precision.sh SOURCE FLOAT_LIBRARY DOUBLE_LIBRARY COMPILER...: a program that takes Scalar for double does not link with
# the library that takes it for float, nor the other way round; each links with its own, and runs.
set -euo pipefail

source=$1 float=$2 double=$3
compiler=("${@:4}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# No Scalar stands in these signatures: nothing but the types' own symbols can tell.
cat >"$folder/main.cpp" <<'END'
#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

int main() {
  const gradus::Tensor x = gradus::arange(3);
  return x.values() == std::vector<gradus::Scalar>{0, 1, 2} && gradus::indices({4, 5}).size() == 2 ? 0 : 1;
}
END
"${compiler[@]}" -std=c++20 -I"$source" -c "$folder/main.cpp" -o "$folder/float.o"
"${compiler[@]}" -std=c++20 -I"$source" -DGRADUS_DOUBLE -c "$folder/main.cpp" -o "$folder/double.o"
read -ra blas < <(pkg-config --libs openblas)

passed=0 failed=0
holds() {
  if "${@:2}"; then passed=$((passed + 1)) && echo "ok   $1"; else failed=$((failed + 1)) && echo "FAIL $1"; fi
}
links() { "${compiler[@]}" "$folder/$1.o" "$2" "${blas[@]}" -pthread -o "$folder/main" 2>"$folder/log"; }
links_and_runs() { links "$@" && "$folder/main"; }
refused() { ! links "$@" && grep -q "undefined.*gradus::arange" "$folder/log"; }

holds "float with float links" links_and_runs float "$float"
holds "double with double links" links_and_runs double "$double"
holds "double with float does not" refused double "$float"
holds "float with double does not" refused float "$double"
echo "$passed passed, $failed failed"
exit $((failed > 0))
