#!/bin/sh
# precision.sh FLOAT DOUBLE: the float build computes results, and the double build compares them with its own.
set -eu
values=$(mktemp)
trap 'rm -f "$values"' EXIT
"$1" write "$values"
"$2" compare "$values"
