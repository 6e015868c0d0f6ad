-- no transaction
-- Up Migration

-- Without the extension a search of three letters or more reads every row: slower, and never wrong.
drop index concurrently if exists documents_by_words;
-- with pg_trgm
create index concurrently documents_by_words on all_documents using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
-- Searches of one or two letters, and of scripts that pg_trgm may not know.
drop index concurrently if exists documents_by_short_terms;
create index concurrently documents_by_short_terms on all_documents using gin (short_terms(search)) with (gin_pending_list_limit = 256);
analyze all_documents;

-- Down Migration

drop index documents_by_short_terms;
drop index if exists documents_by_words;
