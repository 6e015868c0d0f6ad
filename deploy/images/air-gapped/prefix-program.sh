#!/bin/sh
# Like the official images: arguments that are not a program are passed to the image's program.
program=$1
shift
if [ $# -gt 0 ] && command -v "$1" >/dev/null 2>&1; then exec "$@"; fi
exec "$program" "$@"
