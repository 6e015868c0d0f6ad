#!/bin/sh
# The bucket of documents, and the keys with rights to it alone. While a key is changed the Secret names two; those that were taken back
# it names as closed, and they go, whichever run has made them.
set -eu
export MC_HOST_store="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@${STORE:-objects:9000}"
mc ready store
mc mb --ignore-existing store/atrium
mc admin policy create store documents "${0%/*}/documents.json"
admit() {
  mc admin user add store "$1" "$2"
  mc admin policy attach store documents --user "$1"
}
admit "$S3_ACCESS_KEY" "$S3_SECRET_KEY"
if [ -n "${S3_ACCESS_KEY_PREVIOUS:-}" ]; then admit "$S3_ACCESS_KEY_PREVIOUS" "$S3_SECRET_KEY_PREVIOUS"; fi
users=$(mc admin user list store --json)
for closed in ${S3_ACCESS_KEY_CLOSED:-}; do
  case "$users" in
    *"\"accessKey\":\"$closed\""*) mc admin user remove store "$closed" ;;
  esac
done
