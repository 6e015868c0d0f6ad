-- no transaction
-- Up Migration

-- What opens documents to a user is read in each order of the list, scope by scope, and merged.
drop index concurrently if exists documents_of_scope_by_age;
create index concurrently documents_of_scope_by_age
  on all_documents (document_scope(visibility, project_id, uploaded_by), created_at desc, id desc) where deleted_at is null;
drop index concurrently if exists documents_of_scope_by_name;
create index concurrently documents_of_scope_by_name
  on all_documents (document_scope(visibility, project_id, uploaded_by), lower(name), id) where deleted_at is null;
drop index concurrently if exists documents_of_scope_by_size;
create index concurrently documents_of_scope_by_size
  on all_documents (document_scope(visibility, project_id, uploaded_by), size, id) where deleted_at is null;

-- Down Migration

drop index documents_of_scope_by_size;
drop index documents_of_scope_by_name;
drop index documents_of_scope_by_age;
