#!/usr/bin/env bash
# Checks that programs can be built against the files of `meson install`: the headers include only installed files and
# need no precompiled header, and a program builds and runs with pkg-config and with CMake, in double too, where it checks
# a gradient: install.sh BUILD_FOLDER SOURCE COMPILER...
set -euo pipefail

build=$1 source=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
passed=0 failed=0

holds() {  # holds WHAT COMMAND...
  local what=$1
  shift
  if "$@" >log 2>&1; then
    passed=$((passed + 1))
    echo "ok   $what"
  else
    failed=$((failed + 1))
    echo "FAIL $what"
    sed 's/^/     /' log
  fi
}

DESTDIR=$folder/root meson install -C "$build" --no-rebuild --quiet >log 2>&1 || { cat log; exit 1; }
PKG_CONFIG_PATH=$(dirname "$(find root -name gradus.pc)")  # the folder differs between systems
[[ -n $PKG_CONFIG_PATH ]] || { echo 'FAIL no gradus.pc was installed'; exit 1; }
export PKG_CONFIG_PATH=$folder/$PKG_CONFIG_PATH
headers=$folder/$(dirname "$(dirname "$(find root -path '*/autograd/tensor.h')")")

cat >engine.cpp <<'END'
#include <cstdio>

#include "autograd/graph.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"

int main() {
  const gradus::Tensor w = gradus::tensor({{1}, {2}}).set_requires_grad();
  gradus::backward(gradus::sum(gradus::matmul(gradus::tensor({{3, 4}}), w)));
  std::printf("%g %g\n", w.grad().data()[0], w.grad().data()[1]);
}
END
cat >network.cpp <<'END'
#include <cstdio>

#include "nn/layers/layers.h"
#include "nn/text/char_tokenizer.h"

int main() {
  gradus::KeySequence keys(1);
  const gradus::Linear layer(3, 5, keys);
  const gradus::CharTokenizer tokenizer(U"abc");
  std::printf("%d %d\n", int(layer(gradus::zeros({2, 3})).size()), int(tokenizer.encode("cab")[1]));
}
END

cp "$source/tests/docs/readme_example.cpp" readme.cpp  # it defines its own op
cat >module.cpp <<'END'
#include <cstdio>

#include "autograd/inspect/gradcheck.h"
#include "nn/layers/layers.h"

int main() {
  gradus::KeySequence keys(1);
  const gradus::Linear layer(3, 5, keys);
  gradus::check_gradient([&](const auto& x) { return layer(x[0]); }, {{2, 3}});
  std::printf("%d\n", int(sizeof(gradus::Scalar)));
}
END

prints() { [[ $("$1") == "$2" ]]; }

by_pkg_config() {  # by_pkg_config PACKAGE PROGRAM OUTPUT: with the compiler alone, without the build's flags
  # shellcheck disable=SC2046
  "${compiler[@]}" -std=c++20 -Wall -Wextra -Werror "$2.cpp" -o "$2" $(pkg-config --cflags --libs "$1")
  prints "./$2" "$3"
}

in_double() {
  # shellcheck disable=SC2046
  "${compiler[@]}" -std=c++20 readme.cpp -o readme $(pkg-config --cflags --libs gradus-engine-double)
  ./readme
}

mixed() {  # a program in double with a library in float
  # shellcheck disable=SC2046
  ! "${compiler[@]}" -std=c++20 -DGRADUS_DOUBLE readme.cpp -o mixed $(pkg-config --cflags --libs gradus-engine) 2>mixed.log
  grep -q 'undefined.*gradus_built_in_double' mixed.log
}

every_header() {
  (cd "$headers" && find . -name '*.h') | sed 's|^\./\(.*\)|#include "\1"|' >all.cpp
  [[ $(wc -l <all.cpp) -gt 50 ]]
  # shellcheck disable=SC2046
  "${compiler[@]}" -std=c++20 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags gradus) all.cpp
}

by_cmake() {
  mkdir cmake
  cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(mine CXX)
find_package(gradus 0.1 REQUIRED)
add_executable(engine ../engine.cpp)
target_link_libraries(engine gradus::engine)
add_executable(network ../network.cpp)
target_link_libraries(network gradus::gradus)
add_executable(readme ../readme.cpp)
target_link_libraries(readme gradus::engine-double)
add_executable(module ../module.cpp)
target_link_libraries(module gradus::double)
END
  unset PKG_CONFIG_PATH  # the package finds its own dependencies
  cmake -G Ninja -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$(dirname "$(dirname "$headers")")" -DCMAKE_CXX_COMPILER="${compiler[-1]}"
  cmake --build cmake/build
  prints cmake/build/engine '3 4' && prints cmake/build/network '10 0' && cmake/build/readme && prints cmake/build/module 8
}

compiler=("$@")
holds 'every installed header compiles' every_header
holds 'a program of the engine alone, by pkg-config' by_pkg_config gradus-engine engine '3 4'
holds 'a program of gradus, by pkg-config' by_pkg_config gradus network '10 0'
holds "README.md's own op in double, its gradient checked, by pkg-config" in_double
holds 'a module in double, its gradient checked, by pkg-config' by_pkg_config gradus-double module 8
holds 'a program in double does not link with a library in float' mixed
if command -v cmake >/dev/null; then
  holds 'all of them, by CMake' by_cmake
else
  echo 'skip all of them, by CMake: there is none here (./run test installs it)'
fi
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
