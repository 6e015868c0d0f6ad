-- no transaction
-- Up Migration

-- For the present file that an object is, for each order of the list, and for what it is narrowed to. Made anew where an earlier try was cut.
drop index concurrently if exists documents_by_object;
create index concurrently documents_by_object on all_documents (object_key collate "C");
drop index concurrently if exists documents_by_name;
create index concurrently documents_by_name on all_documents (lower(name), id) where deleted_at is null;
drop index concurrently if exists documents_by_size;
create index concurrently documents_by_size on all_documents (size, id) where deleted_at is null;
drop index concurrently if exists documents_by_kind;
create index concurrently documents_by_kind on all_documents (document_kind(mimetype, extension), created_at desc, id desc);
drop index concurrently if exists documents_by_tag;
create index concurrently documents_by_tag on all_documents using gin (tags);

-- Down Migration

drop index documents_by_tag;
drop index documents_by_kind;
drop index documents_by_size;
drop index documents_by_name;
drop index documents_by_object;
