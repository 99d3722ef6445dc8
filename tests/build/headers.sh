#!/usr/bin/env bash
# Checks that every header compiles on its own, without the precompiled header, and that the umbrella headers include
# every public one. Headers that a source of the engine includes first are left out here: the sanitizers' build
# compiles them, because it precompiles nothing for the library.
# usage: headers.sh ROOT COMPILER...
set -euo pipefail
cd "$1"
shift
failed=0

umbrella() { # HEADER FILE...: checks that the header includes each file
  local header=$1 file
  shift
  for file; do
    grep -qF "#include \"$file\"" "$header" && continue
    echo "FAIL $header does not include $file" && failed=1
  done
}
umbrella gradus/engine.h autograd/{graph,index_tensor,tensor}.h autograd/inspect/*.h \
  $(ls autograd/ops/*.h | grep -vE 'one_pass|attention_kernels')
# Three headers of nn belong to one source each.
umbrella gradus/nn.h \
  $(python3 tools/public_headers.py . | grep ^nn/ | grep -v -e /checkpoint_json.h -e /safetensors_header.h \
    -e /translation_grammar.h)

# Each header of nn/ is in a folder for its subject, except the headers that several folders share.
[[ $(echo nn/*.h) == 'nn/digest.h nn/mode.h nn/module.h nn/named_tensor.h nn/names.h' ]] || { echo "FAIL loose in nn/: $(echo nn/*.h)" && failed=1; }

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
