#!/bin/sh
# Fails if a secret still has the placeholder of the example. Atrium's processes reject placeholders themselves; this checks secrets that only
# a backing server reads, before any server starts.
found=$(env | sed -n 's/^\([A-Z0-9_]*\)=replace-me.*/\1/p')
[ -z "$found" ] && exit 0
# POSTGRES_PASSWORD is passed as PGPASSWORD.
for name in $found; do echo "deploy/.env contains the placeholder replace-me: $name" >&2; done
echo 'Run npm run secrets -- compose to generate missing values. PostgreSQL keeps the POSTGRES_PASSWORD of its first start.' >&2
exit 1
