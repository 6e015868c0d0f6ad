#!/bin/sh
# reload.sh [folder [file with the server's process id [address of its monitor]]]
# Reloads the server's configuration when its files change. The server keeps its configuration if the new one is invalid, and otherwise
# reports a later load time. Until then the reload is repeated, because files may still be missing. Kubernetes writes all files of a
# ConfigMap into a new folder and then replaces the link `..data`, so one check covers all files.
folder=${1:-/etc/nats}
pid=${2:-/tmp/nats.pid}
monitor=${3:-http://127.0.0.1:8222}

loaded() { wget -qO- "$monitor/varz" | sed -n 's/.*"config_load_time": *"\([^"]*\)".*/\1/p'; }

read_by_server=$(readlink "$folder/..data")
pause=2
while sleep "$pause"; do
  now=$(readlink "$folder/..data")
  pause=2
  [ "$now" != "$read_by_server" ] || continue
  before=$(loaded)
  nats-server --signal "reload=$pid" || continue
  sleep 1
  if [ -z "$before" ] || [ "$(loaded)" != "$before" ]; then
    read_by_server=$now
  else
    echo 'the server rejected the new configuration and keeps the previous one; see its log' >&2
    pause=10
  fi
done
