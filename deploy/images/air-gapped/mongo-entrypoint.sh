#!/bin/bash
# FerretDB 1 has no users of its own. Clients sign in (authMechanism=PLAIN) with a role of its PostgreSQL.
set -euo pipefail
export POSTGRES_USER=${MONGO_INITDB_ROOT_USERNAME:-root} POSTGRES_PASSWORD=${MONGO_INITDB_ROOT_PASSWORD:-none} POSTGRES_DB=ferretdb
# Like MongoDB, it has no authentication unless a root user is configured.
if [ -n "${MONGO_INITDB_ROOT_PASSWORD:-}" ]; then auth=scram-sha-256 who=; else auth=trust who=$POSTGRES_USER@; fi
export POSTGRES_INITDB_ARGS="--encoding=UTF8 --locale=C --auth-host=$auth" PGDATA=/data/db/postgres SOCKETS=/tmp
# Other containers cannot reach this PostgreSQL.
entrypoint.sh postgres -c unix_socket_directories= -c listen_addresses=127.0.0.1 &
postgres=$!
trap 'kill -TERM "$ferretdb" 2>/dev/null; kill -INT "$postgres" 2>/dev/null' TERM INT
until pg_isready --quiet --host 127.0.0.1 --username "$POSTGRES_USER"; do kill -0 "$postgres"; sleep 0.2; done
FERRETDB_POSTGRESQL_URL="postgres://${who}127.0.0.1:5432/ferretdb" ferretdb --listen 0.0.0.0:27017 &
ferretdb=$!
# When either process ends, the other one and the container also end.
wait -n "$postgres" "$ferretdb" || true
kill -TERM "$ferretdb" 2>/dev/null || true
kill -INT "$postgres" 2>/dev/null || true
wait
