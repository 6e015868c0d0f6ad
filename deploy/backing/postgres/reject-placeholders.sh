#!/bin/sh
# Fails if a secret still has the placeholder of the example. Atrium's processes reject placeholders themselves. Before
# any server starts, this script checks the secrets that only backing servers read.
names_with_placeholder=$(env | sed -n 's/^\([A-Z0-9_]*\)=replace-me.*/\1/p')
[ -z "$names_with_placeholder" ] && exit 0
# Compose passes POSTGRES_PASSWORD as PGPASSWORD.
for name in $names_with_placeholder; do echo "deploy/.env contains the placeholder replace-me: $name" >&2; done
echo 'Run npm run secrets -- compose to generate missing values. PostgreSQL keeps the POSTGRES_PASSWORD of its first start.' >&2
exit 1
