-- no transaction
-- Up Migration

-- They were built with the function as it was.
-- with pg_trgm
reindex index concurrently documents_by_words;
reindex index concurrently documents_by_short_terms;

-- Down Migration

reindex index documents_by_short_terms;
