-- no transaction
update meetings set search = search_text(concat_ws(' ', title, description, agenda, notes, summary)) where search is null;
update decisions set search = search_text(text) where search is null;
alter table meetings alter column search set not null;
alter table decisions alter column search set not null;
-- The title is at the beginning of `search`. Without the extension, searches read every row, and find no similar titles.
drop index concurrently if exists meetings_search;
drop index concurrently if exists decisions_search;
drop index concurrently if exists meetings_by_similar_title;
-- with pg_trgm
create index concurrently meetings_search on meetings using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
-- with pg_trgm
create index concurrently decisions_search on decisions using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
-- with pg_trgm
create index concurrently meetings_by_similar_title on meetings using gin (left(search, char_length(title) + 1) gin_trgm_ops)
  with (gin_pending_list_limit = 256);
