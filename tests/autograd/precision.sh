#!/bin/sh
# precision.sh FLOAT DOUBLE: what the float build computes, the double build compares with its own.
set -eu
values=$(mktemp)
trap 'rm -f "$values"' EXIT
"$1" write "$values"
"$2" compare "$values"
