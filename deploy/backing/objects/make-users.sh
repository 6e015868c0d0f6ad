#!/bin/sh
# Creates the bucket, and the users of backups and of each service with files, with their policies. During a rotation,
# the Secret contains two keys per user. Keys listed as closed are removed, whichever run created them. The image has a
# shell, `mc`, and few other programs.
set -eu
export MC_HOST_store="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@${STORE:-objects:9000}"
mc ready store
mc mb --ignore-existing store/atrium

add_user() {
  if [ -z "$2" ]; then return; fi
  mc admin user add store "$2" "$3"
  mc admin policy attach store "$1" --user "$2"
}

users=$(mc admin user list store --json)
for name in documents chat backup; do
  case $name in
    documents) prefix=S3_DOCUMENTS ;;
    chat) prefix=S3_CHAT ;;
    backup) prefix=S3_BACKUP ;;
  esac
  mc admin policy create store "$name" "${0%/*}/$name.json"
  eval "add_user \"\$name\" \"\$${prefix}_ACCESS_KEY\" \"\$${prefix}_SECRET_KEY\""
  eval "add_user \"\$name\" \"\${${prefix}_ACCESS_KEY_PREVIOUS:-}\" \"\${${prefix}_SECRET_KEY_PREVIOUS:-}\""
  eval "closed_keys=\${${prefix}_ACCESS_KEY_CLOSED:-}"
  for closed_key in $closed_keys; do
    case "$users" in
      *"\"accessKey\":\"$closed_key\""*) mc admin user remove store "$closed_key" ;;
    esac
  done
done
