-- Up Migration

-- What a person's files take together, without touching the rows.
create index document_versions_uploader on document_versions (uploaded_by) include (size);

-- Down Migration

drop index document_versions_uploader;
