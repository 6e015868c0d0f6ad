-- no transaction
-- Searches tolerate typos in names. Without the extension, they find exact matches only.
drop index concurrently if exists users_by_similar_name;
-- with pg_trgm
create index concurrently users_by_similar_name on users using gin ((first_name_sort_key || last_name_sort_key) gin_trgm_ops)
  where deleted_at is null;
