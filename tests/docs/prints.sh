#!/bin/sh
# Runs a program and compares its output. usage: prints.sh PROGRAM EXPECTED
printed=$("$1" && echo .) || exit 1
[ "$printed" = "$2." ] || { echo "printed '${printed%.}' in place of '$2'"; exit 1; }
