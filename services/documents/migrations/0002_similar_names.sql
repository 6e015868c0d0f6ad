-- no transaction
-- Searches tolerate typos in names, which are at the beginning of `search`. Without the extension, they find exact matches only.
drop index concurrently if exists documents_by_similar_name;
-- with pg_trgm
create index concurrently documents_by_similar_name on all_documents using gin (left(search, char_length(name) + 1) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where deleted_at is null;
