-- no transaction
-- Up Migration

-- Said in a way that no filter by status implies: a search for what is to do merged the index of words with all that is open.
drop index concurrently if exists tasks_late;
create index concurrently tasks_late on tasks (due_date) where (status <> 'done') is true;
drop index concurrently if exists tasks_overdue;

-- Counts are made in indexes, which ask the table about each page that was written since it was last cleaned. A fifth of a million rows,
-- which is when PostgreSQL would clean by itself, are too many of them.
alter table tasks set (autovacuum_vacuum_scale_factor = 0.02);
