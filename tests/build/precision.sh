#!/usr/bin/env bash
# precision.sh SOURCE FLOAT_LIBRARY DOUBLE_LIBRARY COMPILER...: checks that a program compiled for double does not link
# with the library for float, nor a program for float with the library for double, nor objects of both with both
# libraries. Each links with its own library and runs.
set -euo pipefail

source=$1 float=$(realpath "$2") double=$(realpath "$3")
compiler=("${@:4}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The first program calls functions without Scalar in their signatures, the second calls no function.
cat >"$folder/tensor.cpp" <<'END'
#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

int main() {
  const gradus::Tensor x = gradus::arange(3);
  return x.values() == std::vector<gradus::Scalar>{0, 1, 2} && gradus::indices({4, 5}).size() == 2 ? 0 : 1;
}
END
cat >"$folder/config.cpp" <<'END'
#include "nn/models/gpt.h"

int main() { return gradus::GptConfig{.dropout = 0}.dropout == 0 ? 0 : 1; }
END
printf '#include "autograd/tensor.h"\nbool one() { return gradus::arange(1).size() == 1; }\n' >"$folder/part.cpp"
for name in tensor config part; do
  "${compiler[@]}" -std=c++20 -I"$source" -c "$folder/$name.cpp" -o "$folder/$name.float.o"
  "${compiler[@]}" -std=c++20 -I"$source" -DGRADUS_DOUBLE -c "$folder/$name.cpp" -o "$folder/$name.double.o"
done
read -ra blas < <(pkg-config --libs openblas)

passed=0 failed=0
holds() {
  if "${@:2}"; then passed=$((passed + 1)) && echo "ok   $1"; else failed=$((failed + 1)) && echo "FAIL $1"; fi
}
links() { (cd "$folder" && "${compiler[@]}" "$@" "${blas[@]}" -pthread -o main 2>log); }
links_and_runs() { links "$@" && "$folder/main"; }
refused() { ! links "${@:2}" && grep -q "$1" "$folder/log"; }  # refused WORDS OBJECT...

for name in tensor config; do
  holds "$name: float with float links" links_and_runs $name.float.o "$float"
  holds "$name: double with double links" links_and_runs $name.double.o "$double"
  holds "$name: double with float does not" refused "undefined.*gradus_built_in_double" $name.double.o "$float"
  holds "$name: float with double does not" refused "undefined.*gradus_built_in_float" $name.float.o "$double"
done
holds "both with both do not" refused "multiple definition.*gradus_precision" \
  tensor.float.o part.double.o "$float" "$double"
echo "$passed passed, $failed failed"
exit $((failed > 0))
