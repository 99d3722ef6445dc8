#!/usr/bin/env bash
# Every header compiles on its own, without the precompiled one, and the umbrella headers leave no public one out. That
# of an engine's source is the first that it includes: the sanitizers' build compiles those, as there nothing is
# precompiled for the library.
# usage: headers.sh ROOT COMPILER...
set -euo pipefail
cd "$1"
shift
failed=0

umbrella() { # HEADER FILE...: the header includes each of these
  local header=$1 file
  shift
  for file; do
    grep -qF "#include \"$file\"" "$header" && continue
    echo "FAIL $header does not include $file" && failed=1
  done
}
umbrella gradus/engine.h autograd/{graph,index_tensor,tensor}.h autograd/inspect/*.h \
  $(ls autograd/ops/*.h | grep -vE 'one_pass|attention_kernels')
# Three headers of nn are one source's own.
umbrella gradus/nn.h \
  $(python3 tools/public_headers.py . | grep ^nn/ | grep -v -e /checkpoint_json.h -e /safetensors_header.h \
    -e /translation_grammar.h)

# Each header of nn/ is in a folder that says what it is, but for what all of them are built on.
[[ $(echo nn/*.h) == 'nn/mode.h nn/module.h nn/named_tensor.h nn/names.h' ]] || { echo "FAIL loose in nn/: $(echo nn/*.h)" && failed=1; }

compiles() { # HEADER COMPILER...
  local header=$1
  shift
  "$@" -std=c++20 -fsyntax-only -I. -include "$header" -x c++ /dev/null || {
    echo "FAIL $header does not compile on its own"
    return 1
  }
}
export -f compiles
headers=$(find gradus autograd nn -name '*.h' | while read -r header; do
  [[ $header == autograd/* && $(head -n 1 "${header%.h}.cpp" 2>/dev/null) == "#include \"$header\"" ]] || echo "$header"
done)
xargs -P 2 -I HEADER bash -c 'compiles "$@"' _ HEADER "$@" <<<"$headers" || failed=1
echo "$(wc -l <<<"$headers") headers compiled"
exit $failed
