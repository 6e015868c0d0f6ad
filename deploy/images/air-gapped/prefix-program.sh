#!/bin/sh
# As the official images do: what is no program is an argument of the one that the image is for.
program=$1
shift
if [ $# -gt 0 ] && command -v "$1" >/dev/null 2>&1; then exec "$@"; fi
exec "$program" "$@"
