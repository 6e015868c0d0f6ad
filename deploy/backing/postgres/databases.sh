#!/bin/sh
# Creates a role and a private database for each service with tables. The image runs this on an empty volume. Run it
# again after you add a service: it creates what is missing, and sets every password to its value in the Secret at
# PostgreSQL's last start:
#
#   kubectl exec postgres-0 -- sh /docker-entrypoint-initdb.d/databases.sh
set -eu
for service in auth users projects meetings documents chat; do
  name="atrium_$service"
  variable="$(echo "$service" | tr '[:lower:]' '[:upper:]')_PASSWORD"
  password="$(printenv "$variable")" || { echo "the Secret atrium-postgres has no $variable" >&2; exit 1; }
  # The Unix socket needs no password. The environment passes the new password.
  PASSWORD="$password" psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set name="$name" <<'SQL'
\getenv password PASSWORD
select format('create role %I login', :'name') where not exists (select from pg_roles where rolname = :'name') \gexec
select format('alter role %I password %L', :'name', :'password') \gexec
select format('create database %I owner %I', :'name', :'name') where not exists (select from pg_database where datname = :'name') \gexec
select format('revoke connect on database %I from public', :'name') \gexec
SQL
done
