-- no transaction
update task_comments set search = search_text(comment) where search is null;
alter table task_comments alter column search set not null;
-- Names are at the beginning of `search`. Without the extension, searches read every row, and find no similar names.
drop index concurrently if exists task_comments_search;
drop index concurrently if exists projects_by_similar_name;
drop index concurrently if exists tasks_by_similar_title;
-- with pg_trgm
create index concurrently task_comments_search on task_comments using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
-- with pg_trgm
create index concurrently projects_by_similar_name on projects using gin (left(search, char_length(name) + 1) gin_trgm_ops);
-- with pg_trgm
create index concurrently tasks_by_similar_title on tasks using gin (left(search, char_length(title) + 1) gin_trgm_ops)
  with (gin_pending_list_limit = 256);
