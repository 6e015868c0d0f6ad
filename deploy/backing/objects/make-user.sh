#!/bin/sh
# The bucket of documents, and a user with rights to it alone.
set -eu
export MC_HOST_store="http://$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD@objects:9000"
mc ready store
mc mb --ignore-existing store/atrium
mc admin policy create store documents /etc/objects/documents.json
mc admin user add store "$S3_ACCESS_KEY" "$S3_SECRET_KEY"
mc admin policy attach store documents --user "$S3_ACCESS_KEY"
