#!/bin/sh
# Ends where a word of the example still stands in the place of a secret. What our processes are told they refuse themselves; what only a
# server is told is looked at here, before any of them starts.
found=$(env | sed -n 's/^\([A-Z0-9_]*\)=replace-me.*/\1/p')
[ -z "$found" ] && exit 0
# The superuser comes in by PGPASSWORD, which has the value of POSTGRES_PASSWORD.
for name in $found; do echo "deploy/.env says replace-me: $name" >&2; done
echo 'npm run secrets -- compose makes what is missing. PostgreSQL keeps the POSTGRES_PASSWORD of its first start: the head of' >&2
echo 'deploy/compose.yaml says how it becomes another one, under "Volumes from before there were passwords".' >&2
exit 1
