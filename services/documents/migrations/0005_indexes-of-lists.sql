-- no transaction
-- Up Migration

-- Without the extension a search of names reads every row: slower, and never wrong.
drop index concurrently if exists documents_by_words;
-- with pg_trgm
create index concurrently documents_by_words on all_documents using gin (document_words(name, description, tags) gin_trgm_ops)
  with (gin_pending_list_limit = 256);
-- For the present file that an object is, for each order of the list, and for what it is narrowed to.
drop index concurrently if exists documents_by_object;
create index concurrently documents_by_object on all_documents (object_key collate "C");
-- With what says who may read, so that they are counted there.
drop index concurrently if exists documents_by_age;
create index concurrently documents_by_age on all_documents (created_at desc, id desc) include (visibility, uploaded_by, project_id)
  where deleted_at is null;
drop index concurrently if exists documents_recent;
drop index concurrently if exists documents_by_name;
create index concurrently documents_by_name on all_documents (lower(name), id) where deleted_at is null;
drop index concurrently if exists documents_by_size;
create index concurrently documents_by_size on all_documents (size, id) where deleted_at is null;
drop index concurrently if exists documents_by_kind;
create index concurrently documents_by_kind on all_documents (document_kind(mimetype, extension), created_at desc, id desc);
drop index concurrently if exists documents_by_tag;
create index concurrently documents_by_tag on all_documents using gin (tags) with (gin_pending_list_limit = 256);

-- Down Migration

drop index documents_by_tag;
drop index documents_by_kind;
drop index documents_by_size;
drop index documents_by_name;
create index documents_recent on all_documents (created_at desc, id desc);
drop index documents_by_age;
drop index documents_by_object;
drop index if exists documents_by_words;
