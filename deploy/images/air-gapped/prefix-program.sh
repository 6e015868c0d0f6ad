#!/bin/sh
# As in the official images, arguments that do not start with a program are passed to the image's program.
program=$1
shift
if [ $# -gt 0 ] && command -v "$1" >/dev/null 2>&1; then exec "$@"; fi
exec "$program" "$@"
