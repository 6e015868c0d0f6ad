-- Up Migration

-- For the present file that an object is, for each order of the list, and for what it is narrowed to. Not concurrently: that
-- waits for every transaction in this database, and a restore has one open for as long as it lasts. Writes wait for some seconds.
drop index if exists documents_by_object;
create index documents_by_object on all_documents (object_key collate "C");
-- With what says who may read, so that they are counted there.
drop index if exists documents_by_age;
create index documents_by_age on all_documents (created_at desc, id desc) include (visibility, uploaded_by, project_id)
  where deleted_at is null;
drop index if exists documents_recent;
drop index if exists documents_by_name;
create index documents_by_name on all_documents (lower(name), id) where deleted_at is null;
drop index if exists documents_by_size;
create index documents_by_size on all_documents (size, id) where deleted_at is null;
drop index if exists documents_by_kind;
create index documents_by_kind on all_documents (document_kind(mimetype, extension), created_at desc, id desc);
drop index if exists documents_by_tag;
create index documents_by_tag on all_documents using gin (tags) with (gin_pending_list_limit = 256);

-- Down Migration

drop index documents_by_tag;
drop index documents_by_kind;
drop index documents_by_size;
drop index documents_by_name;
create index documents_recent on all_documents (created_at desc, id desc);
drop index documents_by_age;
drop index documents_by_object;
