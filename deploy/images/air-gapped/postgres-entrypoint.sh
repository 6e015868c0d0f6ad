#!/bin/bash
# Implements the features of the official image that the manifests use: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB,
# POSTGRES_INITDB_ARGS, PGDATA, and the scripts in /docker-entrypoint-initdb.d on an empty volume.
set -euo pipefail
if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then set -- postgres "$@"; fi
if [ "$1" != postgres ] || [ -s "$PGDATA/PG_VERSION" ]; then exec "$@"; fi

mkdir -p "$PGDATA"
chmod 700 "$PGDATA"
user=${POSTGRES_USER:-postgres}
sockets=${SOCKETS:-/var/run/postgresql}
# shellcheck disable=SC2086 # several options in one variable, as in the official image
initdb --pgdata="$PGDATA" --username="$user" --auth-host=scram-sha-256 --auth-local=trust --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") ${POSTGRES_INITDB_ARGS:-} >/dev/null
printf "listen_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses= -c unix_socket_directories=$sockets" --wait --silent start
export PGHOST=$sockets PGUSER=$user
database=${POSTGRES_DB:-$user}
if [ "$database" != postgres ]; then psql --quiet --dbname postgres --command "create database \"$database\""; fi
for script in /docker-entrypoint-initdb.d/*; do
  case $script in
    *.sh) if [ -x "$script" ]; then "$script"; else . "$script"; fi ;;
    *.sql) psql --quiet --set ON_ERROR_STOP=1 --dbname "$database" --file "$script" ;;
  esac
done
pg_ctl --pgdata="$PGDATA" --mode=fast --wait --silent stop
unset PGHOST PGUSER
exec "$@"
