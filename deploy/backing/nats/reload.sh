#!/bin/sh
# Has the server read its configuration again once that is another one. What it cannot read it leaves as it was, and says so.
# A node writes all files of a ConfigMap into a folder of their own and points `..data` there: one look tells of all of them.
read_by_server=$(readlink /etc/nats/..data)
while sleep 2; do
  now=$(readlink /etc/nats/..data)
  if [ "$now" != "$read_by_server" ] && nats-server --signal reload=/tmp/nats.pid; then
    read_by_server=$now
  fi
done
