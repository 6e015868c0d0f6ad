-- no transaction
-- Up Migration

-- PostgreSQL builds and analyzes indexes with a search path of its own system alone, in which it would not find `fold_letters`.
alter function document_words(text, text, text[]) set search_path from current;

-- pg_trgm has no trigram of one or two letters, which is how long most words of scripts without spaces are: every letter and every two in a
-- row of what a document says of itself.
create or replace function short_terms(words text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct term), '{}')
  from generate_series(1, char_length(words)) as at,
    lateral (values (substr(words, at, 1)), (substr(words, at, 2))) as pieces (term)
$$;
drop index concurrently if exists documents_by_short_terms;
create index concurrently documents_by_short_terms
  on all_documents using gin (short_terms(document_words(name, description, tags))) with (gin_pending_list_limit = 256);

-- Down Migration

drop index documents_by_short_terms;
drop function short_terms(text);
alter function document_words(text, text, text[]) reset search_path;
