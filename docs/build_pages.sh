#!/usr/bin/env bash
# Builds the pages in build/docs/html: the reference, the course and the guides. ./run docs calls it, from the root of the
# repository, once the chapters have run.
# usage: build_pages.sh PYTHON
set -euo pipefail

rm -rf build/docs/html
mkdir -p build/docs
plain=''
if [[ ! -d /usr/share/doxygen-awesome-css ]]; then plain=$'HTML_EXTRA_STYLESHEET = docs/gradus.css\nHTML_EXTRA_FILES = docs/reading.js docs/search.js'; fi
# From Doxygen 1.9.8 on, the list of groups is called topics, and "modules" means the modules of C++20.
if doxygen -l - | grep 'type="topics"' >/dev/null; then  # not -q, which would end doxygen early
  sed 's/type="modules"/type="topics"/' docs/layout.xml >build/docs/layout.xml
  plain+=$'\nLAYOUT_FILE = build/docs/layout.xml'
fi
doxygen - < <(cat docs/Doxyfile - <<<"$plain")
"$1" tutorials/course build finish
