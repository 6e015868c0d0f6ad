#!/bin/sh
# reload.sh [folder [file with the server's process id [address of its monitor]]]
#
# Reloads the server's configuration when its files change. If the new configuration is invalid, the server keeps its
# previous one; otherwise, it reports a later load time. The reload is repeated until then, because files may still be
# missing. Kubernetes writes all files of a ConfigMap to a new folder and then replaces the link `..data`, so one check
# covers all files.
folder=${1:-/etc/nats}
pid=${2:-/tmp/nats.pid}
monitor=${3:-http://127.0.0.1:8222}

load_time() { wget -qO- "$monitor/varz" | sed -n 's/.*"config_load_time": *"\([^"]*\)".*/\1/p'; }

loaded_version=$(readlink "$folder/..data")
pause=2
while sleep "$pause"; do
  version=$(readlink "$folder/..data")
  pause=2
  [ "$version" != "$loaded_version" ] || continue
  before=$(load_time)
  nats-server --signal "reload=$pid" || continue
  sleep 1
  if [ -z "$before" ] || [ "$(load_time)" != "$before" ]; then
    loaded_version=$version
  else
    echo 'the server rejected the new configuration and keeps the previous one; see its log' >&2
    pause=10
  fi
done
