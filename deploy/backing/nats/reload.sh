#!/bin/sh
# reload.sh [folder [file with the server's process id [address of its monitor]]]
# Has the server read its configuration again once that is another one. What it cannot read it leaves as it was, and says so; that it has
# read it, it says by a later time. Until then it is told again: what was missing may come.
# A node writes all files of a ConfigMap into a folder of their own and points `..data` there: one look tells of all of them.
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
    echo 'the server has not taken its new configuration and goes on with the one before; its log says why' >&2
    pause=10
  fi
done
